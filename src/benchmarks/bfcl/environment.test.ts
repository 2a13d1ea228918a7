import { describe, expect, it } from 'vitest';
import type { Brief } from '../../core/players.ts';
import type { Json, Task } from '../../core/types.ts';
import { contextOf, readTask } from './environment.ts';
import { smallWorld } from './fixtures.ts';
import { bfclBenchmark } from './index.ts';
import { callsText, toolsIn } from './prompt.ts';
import { goalOf } from './tasks.ts';

const benchmark = bfclBenchmark({ data: smallWorld() });
const seed = (await benchmark.validation()).find(({ prompt }) => prompt.at(-1)!.content.includes('Order it')) as Task;

const write = (task: Record<string, Json>) => readTask(JSON.stringify(task), seed);
const order = { name: 'order_item', parameters: { item: 'rug', price: 20, day: '2024-12-15' } };
const request = 'Please order a rug for 2024-12-15, for 20 at most.';

describe('a task that the simulator writes', () => {
  it('is asked and judged like any other', () => {
    const draft = write({ request, calls: [order] });
    if ('problem' in draft) throw new Error(draft.problem);
    expect(draft.prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(draft.prompt.at(-1)!.content).toBe(`<obs>\nfind_item: {"found": "kettle-55"}\n</obs>\n\n${request}`);
    const session = benchmark.session!({ ...seed, ...draft })!;
    expect('say' in session && session.say('')).toEqual({ content: '', done: true });
    expect(session.judge!(callsText(goalOf(draft)!.calls))).toBe(1);
    expect(session.judge!(callsText([]))).toBe(0);
    expect(benchmark.structure!(draft)).toBe('calls1 order_item');
    expect(benchmark.features!(draft)).toMatchObject({ calls: 1, arguments: 3, tools: 3, turns: 2 });
  });

  it('may offer fewer tools and leave the conversation out', () => {
    const draft = write({ tools: ['order_item'], history: false, request, calls: [order] });
    if ('problem' in draft) throw new Error(draft.problem);
    expect(draft.prompt).toHaveLength(2);
    expect(toolsIn(draft.prompt[0]!.content).map(({ name }) => name)).toEqual(['order_item']);
  });

  it('is found among other words', () => {
    expect(
      readTask(`Here it is:\n\`\`\`json\n${JSON.stringify({ request, calls: [order] })}\n\`\`\``, seed),
    ).toHaveProperty('eval');
  });

  it('takes arguments from the conversation, defaults, choices, words for numbers and dates', () => {
    const accepted: [string, object][] = [
      ['Order what you found for 2024-12-15, 20 at most.', { item: 'kettle-55', price: 20, day: '2024-12-15' }],
      ['Order a rug for December 15th, 2024, at most twenty.', { item: 'rug', price: 20, day: '2024-12-15' }],
      [
        'A rug, 1,200.50 at most, on 2024-12-15, as a present.',
        { item: 'rug', price: 1200.5, day: '2024-12-15', wrap: true },
      ],
      [
        'A rug, 20, 2024-12-15, at the front desk',
        { item: 'rug', price: 20, day: '2024-12-15', counter: 'front_desk' },
      ],
      ['A rug, 20, 2024-12-15, to the Garage', { item: 'rug', price: 20, day: '2024-12-15', counter: 'garage' }],
    ];
    for (const [text, parameters] of accepted)
      expect(write({ request: text, calls: [{ name: 'order_item', parameters: parameters as Json }] })).toHaveProperty(
        'eval',
      );
    expect(
      write({ request: 'Water beds 3 and four.', calls: [{ name: 'water_beds', parameters: { beds: [3, 4] } }] }),
    ).toHaveProperty('eval');
  });

  const call = (parameters: object) => ({ request, calls: [{ name: 'order_item', parameters: parameters as Json }] });
  const { item, price, day } = order.parameters;
  it.each<[string, Record<string, Json>]>([
    ['there is no request', { calls: [order] }],
    ['there is no request', { request: ' ', calls: [order] }],
    ['the request has 2001 characters', { request: 'x'.repeat(2001), calls: [order] }],
    ['there are no calls', { request, calls: [] }],
    ['there are no calls', { request }],
    ['9 calls, and 8 is the most', { request, calls: Array(9).fill(order) }],
    ['tools is not a list of names', { tools: [], request, calls: [order] }],
    ['"drive" is no tool of the seed', { tools: ['drive'], request, calls: [order] }],
    ['history is neither true nor false', { history: 'yes', request, calls: [order] }],
    ['call 1 is not {"name", "parameters"}', { request, calls: ['order_item()'] }],
    ['call 1 (drive): no such tool', { request, calls: [{ name: 'drive', parameters: {} }] }],
    ['call 1 (order_item): no such tool', { tools: ['find_item'], request, calls: [order] }],
    ['call 1 (order_item): the parameters are no object', { request, calls: [{ name: 'order_item', parameters: [] }] }],
    ['call 1 (order_item): day is missing', call({ item, price })],
    ['call 1 (order_item): order_item has no parameter size', call({ item, price, day, size: 1 })],
    ['call 1 (order_item): price is "20", not a float', call({ item, price: '20', day })],
    ['call 1 (order_item): item is null', call({ item: null, price, day })],
    [
      'call 1 (order_item): counter is "attic", not one of front_desk, garage',
      call({ item, price, day, counter: 'attic' }),
    ],
    [
      'call 1 (order_item): item "lamp" stands neither in the request nor in the conversation',
      call({ item: 'lamp', price, day }),
    ],
    [
      'call 1 (order_item): item "Rug" stands neither in the request nor in the conversation',
      call({ item: 'Rug', price, day }),
    ],
    [
      'call 1 (order_item): item "ru" stands neither in the request nor in the conversation',
      call({ item: 'ru', price, day }),
    ],
    [
      'call 1 (order_item): price 21 stands neither in the request nor in the conversation',
      call({ item, price: 21, day }),
    ],
    [
      'call 1 (order_item): day "2024-12-16" stands neither in the request nor in the conversation',
      call({ item, price, day: '2024-12-16' }),
    ],
    [
      'call 1 (order_item): item "kettle-55" stands neither in the request nor in the conversation',
      { ...call({ item: 'kettle-55', price, day }), history: false },
    ],
    [
      'call 2 (water_beds): beds[1] is 2.5, not an integer',
      { request, calls: [order, { name: 'water_beds', parameters: { beds: [1, 2.5] } }] },
    ],
    [
      'call 1 (order_item): order_item has no parameter __proto__',
      JSON.parse(
        `{"request": "rug 20 2024-12-15", "calls": [{"name": "order_item", "parameters": {"item": "rug", "price": 20, "day": "2024-12-15", "__proto__": 1}}]}`,
      ),
    ],
  ])('is refused: %s', (problem, task) => {
    expect(write(task)).toEqual({ problem });
  });

  it.each(['', 'no task', '{', '[]', '{"request": ', '}{', '"x"'])('%j is none', (text) => {
    expect(readTask(text, seed)).toEqual({ problem: 'there is no JSON object in it' });
  });
});

it('the simulator is shown the tools, the conversation, the seed and the target', () => {
  const brief: Brief = {
    slot: 0,
    seed,
    count: 1,
    lineage: [{ epoch: 1, successes: 1, attempts: 4 } as Brief['lineage'][number]],
    overall: 0.25,
    target: { alpha: 0.5, kMin: 0.1 },
  };
  const [, shown] = contextOf(brief);
  expect(toolsIn(shown!.content).map(({ name }) => name)).toEqual(['find_item', 'order_item', 'water_beds']);
  expect(shown!.content).toContain('user: Look for a kettle.');
  expect(shown!.content).toContain('{"found": "kettle-55"}');
  expect(shown!.content).toContain('Seed request: Order it for 2024-12-15, at most 30.');
  expect(shown!.content).toContain(
    '{"name":"order_item","parameters":{"item":"kettle-55","price":30,"day":"2024-12-15"}}',
  );
  expect(shown!.content).toContain('epoch 1: 1 of 4');
  expect(shown!.content).toContain('about 50% of its attempts');
});

/** Conversations to compare renderings on: every role, calls and their results, nested schemas, odd text, empty text. */
import { createRng } from '../../dist/core/rng.js';

const TEXTS = [
  '',
  'hello',
  'What is the weather in Zürich?',
  '  leading and trailing  \n',
  '\n\nbegins with lines\n',
  'two\n\nparagraphs',
  '日本語 and emoji 🦓👩‍🚀',
  `quotes "double" and 'single' and a \\ backslash`,
  '<b>markup</b> & ampersands',
  'a line separator \u2028 and a no-break space\u00a0',
  '{"json": [1, 2.5, null, true]}',
  '{{ not a template }} {% raw %}',
  '<tool_response>\nquoted\n</tool_response>',
  '\ufeffmarked',
  '\x1fcontrol\x1f',
];
const THOUGHTS = ['', 'Let me think.', '\nTwo lines\nof thought\n', '  spaced  '];
const ARGUMENTS = [
  {},
  { city: 'Zürich', days: 3 },
  { nested: { list: [1, 'two', { three: 3.5 }], flag: true, none: null }, text: 'a "quoted" word' },
  { small: 0.00001, tiny: 1e-7, large: 1e22, fraction: -0.25, zero: 0, empty: [], nothing: {} },
  { code: 'print("x")\n' },
];
const SCHEMAS = [
  { type: 'object', properties: {} },
  { type: 'object', properties: {}, required: [] },
  {
    type: 'object',
    properties: {
      city: { type: 'string', description: 'Name of a city, “quoted” or not' },
      days: { type: 'integer', minimum: 1, default: 3 },
      units: { type: 'string', enum: ['metric', 'imperial'] },
    },
    required: ['city'],
  },
  {
    type: 'object',
    properties: {
      filter: {
        type: 'object',
        properties: {
          tags: { type: 'array', items: { type: 'string' } },
          range: { type: 'object', properties: { from: { type: 'number' }, to: { type: ['number', 'null'] } } },
        },
        required: ['tags'],
      },
      anything: { oneOf: [{ type: 'string' }, { type: 'number' }], default: 'x', nullable: true },
      strict: { type: 'boolean', default: false },
    },
    additionalProperties: false,
  },
];

export function conversation(seed) {
  const rng = createRng(seed);
  const pick = (list) => list[rng.int(list.length)];
  const chance = (p) => rng.next() < p;
  const text = () => pick(TEXTS);
  const tools = Array.from({ length: chance(0.5) ? 1 + rng.int(3) : 0 }, (_, i) => ({
    name: ['get_weather', 'search', 'set-timer'][i],
    description: text() || 'Does it.',
    parameters: pick(SCHEMAS),
  }));
  const messages = [];
  if (chance(0.5)) messages.push({ role: 'system', content: text() });
  const turns = 1 + rng.int(4);
  for (let turn = 0; turn < turns; turn++) {
    messages.push({ role: 'user', content: text() });
    for (let step = rng.int(3); step > 0 && tools.length > 0; step--) {
      const toolCalls = Array.from({ length: chance(0.8) ? 1 : 2 }, () => ({
        name: pick(tools).name,
        args: pick(ARGUMENTS),
      }));
      const spoken = chance(0.7) ? '' : text();
      messages.push({
        role: 'assistant',
        content: spoken,
        ...(chance(0.4) && spoken === '' ? { reasoning: pick(THOUGHTS) } : {}),
        toolCalls,
      });
      for (const _ of toolCalls) messages.push({ role: 'tool', content: text() });
    }
    if (turn + 1 < turns || chance(0.2)) {
      const content = chance(0.2) ? `<think>\n${pick(THOUGHTS)}\n</think>\n\n${text()}` : text();
      messages.push({ role: 'assistant', content, ...(chance(0.3) ? { reasoning: pick(THOUGHTS) } : {}) });
    }
  }
  // Conversations that a template may refuse: both sides must.
  if (chance(0.05) && messages.length > 1) messages.splice(rng.int(messages.length), 1);
  return { messages, tools, generate: messages.at(-1)?.role !== 'assistant' || chance(0.3) };
}

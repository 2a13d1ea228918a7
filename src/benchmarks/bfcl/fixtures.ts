/** A small world in BFCL's layout, written by us: a shop and a garden instead of travel and trading. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CLASS_FILES, MULTI_TURN, SINGLE_TURN } from './data.ts';
import type { FunctionDoc } from './function-doc.ts';

export const SHOP: FunctionDoc[] = [
  {
    name: 'find_item',
    description: 'Looks for an item on the shelves.',
    parameters: {
      type: 'dict',
      properties: {
        item: { type: 'string', description: 'What to look for.' },
        colour: { type: 'string', description: 'Its colour.', default: 'None' },
        limit: { type: 'integer', description: 'How many to show.', default: 10 },
      },
      required: ['item'],
    },
  },
  {
    name: 'order_item',
    description: 'Orders an item for a day.',
    parameters: {
      type: 'dict',
      properties: {
        item: { type: 'string', description: 'What to order.' },
        price: { type: 'float', description: 'The most to pay.' },
        day: { type: 'string', description: 'The day, as YYYY-MM-DD.' },
        wrap: { type: 'boolean', description: 'Whether it is a present.', default: false },
        counter: { type: 'string', description: 'Where. [Enum]: ["front_desk", "garage"]', default: 'front_desk' },
      },
      required: ['item', 'price', 'day'],
    },
  },
];

export const GARDEN: FunctionDoc[] = [
  {
    name: 'water_beds',
    description: 'Waters some beds.',
    parameters: {
      type: 'dict',
      properties: { beds: { type: 'array', items: { type: 'integer' }, description: 'Numbers of the beds.' } },
      required: ['beds'],
    },
  },
];

const TASKS = [
  {
    id: 'multi_turn_long_context_0',
    classes: ['MathAPI'],
    turns: [
      ['Water the first two beds.', ['water_beds([1, 2])'], ['None']],
      ['And bed 7.', ['water_beds(beds=[7])'], ['None']],
    ],
  },
  {
    id: 'multi_turn_long_context_150',
    classes: ['TravelAPI', 'MathAPI'],
    turns: [
      ['Look for a kettle.', ["find_item('kettle')"], ['{"found": "kettle-55"}']],
      ['Order it for 2024-12-15, at most 30.', ["order_item(item='kettle-55', price=30.0, day='2024-12-15')"], ['ok']],
      ['Thank you!', [], []],
    ],
  },
  {
    id: 'multi_turn_long_context_151',
    classes: ['TravelAPI'],
    turns: [['Is there a red lamp?', ["find_item(item='lamp', colour='red')"], ['{}']]],
  },
] as const;

const QUESTIONS = {
  simple_python: [{ find_item: { item: ['lamp', 'a lamp'], colour: ['red', ''] } }],
  multiple: [{ order_item: { item: ['lamp'], price: [5.0], day: ['2024-01-02'] } }],
  parallel: [{ find_item: { item: ['lamp'] } }, { find_item: { item: ['rug'] } }],
  parallel_multiple: [
    { find_item: { item: ['lamp'] } },
    { order_item: { item: ['lamp'], price: [5], day: ['2024-01-02'] } },
  ],
};

/** A folder with the small world in it; without results where nobody has executed the calls. */
export function smallWorld({ results = true }: { results?: boolean } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'genenv-bfcl-'));
  const write = (path: string, rows: readonly unknown[]) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  };
  for (const [name, file] of Object.entries(CLASS_FILES)) {
    const docs = name === 'TravelAPI' ? SHOP : name === 'MathAPI' ? GARDEN : [];
    write(`${MULTI_TURN}/multi_turn_func_doc/${file}.json`, docs);
  }
  write(
    `${MULTI_TURN}/BFCL_v4_multi_turn_long_context.json`,
    TASKS.map(({ id, classes, turns }) => ({
      id,
      question: turns.map(([content]) => [{ role: 'user', content }]),
      involved_classes: classes,
    })),
  );
  write(
    `${MULTI_TURN}/possible_answer/BFCL_v4_multi_turn_long_context.json`,
    TASKS.map(({ id, turns }) => ({ id, ground_truth: turns.map(([, calls]) => calls) })),
  );
  if (results) {
    write(
      `${MULTI_TURN}/derived/long_context_turns.jsonl`,
      TASKS.flatMap(({ id, turns }) =>
        turns.map(([, , gt_results_short], t) => ({ id: `${id}:turn_${t}`, gt_calls_parsed: [], gt_results_short })),
      ),
    );
  }
  const question = [[{ role: 'user', content: 'I need a lamp.' }]];
  for (const [category, ground_truth] of Object.entries(QUESTIONS)) {
    const id = `${category}_0`;
    write(`${SINGLE_TURN}/BFCL_v4_${category}.json`, [{ id, question, function: SHOP }]);
    write(`${SINGLE_TURN}/possible_answer/BFCL_v4_${category}.json`, [{ id, ground_truth }]);
  }
  write(`${SINGLE_TURN}/BFCL_v4_irrelevance.json`, [{ id: 'irrelevance_0', question, function: SHOP }]);
  return folder;
}

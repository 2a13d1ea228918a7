/** A few seed tasks to start a task file from. They are in the language of the toy world, which the scripted engine speaks. */

const tool = (name: string, description: string, properties: object) => ({
  name,
  description,
  parameters: { type: 'object', properties, required: Object.keys(properties) },
});

const list = (type: string) => ({ type: 'array', items: { type } });
const tools = [
  tool('ring', 'Rings a bell.', { bell: { type: 'string' }, times: { type: 'integer' } }),
  tool('open', 'Opens doors, in order.', { doors: list('string') }),
  tool('say', 'Says numbers, in order.', { numbers: list('integer') }),
];

const ring = (bell: string, times: number) => ({ name: 'ring', args: { bell, times } });
const open = (...doors: string[]) => ({ name: 'open', args: { doors } });
const say = (...numbers: number[]) => ({ name: 'say', args: { numbers } });

const seed = (prompt: string, ...target: object[]) => ({ prompt, tools, eval: { kind: 'toolCalls', target } });

const SEEDS = [
  seed('Ring the red bell 2 times.', ring('red', 2)),
  seed('Open doors B, D in reverse order.', open('D', 'B')),
  seed('Count down from 9 in 3 steps.', say(9, 8, 7)),
  seed('Ring the brass bell 1 time, then open doors A, C in reverse order.', ring('brass', 1), open('C', 'A')),
];

/** One JSON object a line. */
export const exampleSeeds = (): string => SEEDS.map((one) => `${JSON.stringify(one)}\n`).join('');

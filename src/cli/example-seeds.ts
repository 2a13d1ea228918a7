/** A few seed tasks to start a task file from. They are in the language of the toy world, which the scripted engine speaks. */

const tool = (name: string, description: string, argument: string, type: string) => ({
  name,
  description,
  parameters: { type: 'object', properties: { [argument]: { type } }, required: [argument] },
});

const tools = [
  tool('ring', 'Rings a bell once.', 'bell', 'string'),
  tool('open', 'Opens a door.', 'door', 'string'),
  tool('say', 'Says a number.', 'number', 'integer'),
];

const ring = (bell: string) => ({ name: 'ring', args: { bell } });
const open = (door: string) => ({ name: 'open', args: { door } });
const say = (number: number) => ({ name: 'say', args: { number } });

const seed = (prompt: string, ...target: object[]) => ({ prompt, tools, eval: { kind: 'toolCalls', target } });

const SEEDS = [
  seed('Ring the red bell 2 times.', ring('red'), ring('red')),
  seed('Open doors B, D in reverse order.', open('D'), open('B')),
  seed('Count down from 9 in 3 steps.', say(9), say(8), say(7)),
  seed('Ring the brass bell 1 time, then open doors A, C in reverse order.', ring('brass'), open('C'), open('A')),
];

/** One JSON object a line. */
export const exampleSeeds = (): string => SEEDS.map((one) => `${JSON.stringify(one)}\n`).join('');

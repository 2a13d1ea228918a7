/**
 * Both players as scripts, for runs without a model. The agent has one skill per kind of value: whether it writes it as the
 * protocol wants. The environment has a taste for how many parameters a call needs and of which kinds, and starts out too
 * demanding. Its dialogues are plain enough for the agent to read; the data's own rows it knows from the tasks it is given.
 */
import type { Rng } from '../../core/rng.ts';
import type { Script } from '../../core/script.ts';
import type { Json, Message, Player, Task } from '../../core/types.ts';
import type { Call } from './data.ts';
import { isObject } from './is-object.ts';
import { readPrompt } from './prompt.ts';
import { goldOfTask } from './tasks.ts';

const KINDS = ['text', 'number', 'date', 'list'] as const;
type Kind = (typeof KINDS)[number];

/** Words are easy to copy; numbers and lists tempt to their own types, dates to another format. */
const INITIAL_SKILL: Record<Kind, number> = { text: 3, number: 1, date: 0.5, list: 0 };
/** It takes the wrong tool about once in ten times. */
const TOOL_SKILL = 2.2;
const MAX_PARAMETERS = 5;
/** Each further parameter is favoured by this much at the start: most first tasks are too hard. */
const INITIAL_TASTE = 0.4;
/** One generation in fifty is garbage at the start, as with a real model. */
const WELL_FORMED = 4;
/** The rates an environment can be asked for; hindsight trains a row for each. */
const ASKED = [0, 25, 50, 75, 100];

/** Scripts whose agent can also answer these tasks, which are in people's words. */
export function apiBankScripts(tasks: readonly Pick<Task, 'prompt' | 'eval'>[]): Record<Player, Script> {
  const known = new Map(tasks.map((task) => [task.prompt.at(-1)!.content, goldOfTask(task) as Call]));
  return { agent: agentScript(known), environment };
}

function agentScript(known: ReadonlyMap<string, Call>): Script {
  const callFor = (messages: readonly Message[]): Call =>
    known.get(messages.findLast(({ role }) => role === 'user')?.content ?? '') ?? askedFor(messages);
  return {
    rows: {
      tool: [0, TOOL_SKILL],
      ...Object.fromEntries(KINDS.map((kind) => [kind, [0, INITIAL_SKILL[kind]]])),
    },
    decisions: (messages) => ['tool', ...Object.values(callFor(messages).parameters).map(kindOf)],
    text(messages, [tool, ...choices]) {
      const { name, parameters } = callFor(messages);
      const written = Object.entries(parameters).map(([key, value], i): [string, Json] => [
        key,
        choices[i] === 1 ? value : MISTAKES[kindOf(value)](value),
      ]);
      const call = { name: tool === 1 ? name : 'Help', parameters: Object.fromEntries(written) };
      return `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`;
    },
  };
}

const MISTAKES: Record<Kind, (value: string) => Json> = {
  text: (value) => `the ${value}`,
  number: Number,
  date: (value) => value.replaceAll('-', '/'),
  list: (value) => value.replace(/[[\]']/g, '').split(', '),
};

function kindOf(value: string): Kind {
  if (/^-?\d+(?:\.\d+)?$/.test(value)) return 'number';
  if (/^\d{4}-\d\d-\d\d/.test(value)) return 'date';
  return value.startsWith('[') ? 'list' : 'text';
}

/** The environment writes `Please use <tool>: <parameter> is "<value>"; …` and the agent reads it. */
function askedFor(messages: readonly Message[]): Call {
  const said = readPrompt(messages)?.dialogue.findLast(({ kind }) => kind === 'user')?.text ?? '';
  const name = /^Please use (\w+):/.exec(said)?.[1] ?? '';
  const fields = [...said.matchAll(/(\w+) is "([^"]*)"/g)].map(([, key, value]) => [key!, value!]);
  return { name, parameters: Object.fromEntries(fields) };
}

const rowFor = (what: string, asked: number) => `${what}@${asked}`;

const environment: Script = {
  rows: {
    wellFormed: [0, WELL_FORMED],
    ...Object.fromEntries(
      ASKED.flatMap((asked) => [
        [rowFor('parameters', asked), Array.from({ length: MAX_PARAMETERS }, (_, i) => INITIAL_TASTE * i)],
        [rowFor('kind', asked), KINDS.map(() => 0)],
      ]),
    ),
  },
  decisions(messages) {
    const asked = askedRate(messages);
    return ['wellFormed', rowFor('parameters', asked), ...Array<string>(MAX_PARAMETERS).fill(rowFor('kind', asked))];
  },
  text(messages, [wellFormed, more, ...kinds], rng) {
    const name = seedTool(messages);
    const chosen = kinds.slice(0, more! + 1).map((kind) => KINDS[kind]!);
    const fields = chosen.map((kind, i) => ({ key: `${kind}_${i + 1}`, kind, value: VALUES[kind](rng) }));
    const said = fields.map(({ key, value }) => `${key} is "${value}"`).join('; ');
    const parameters = fields.map(({ key, kind }) => [key, { type: TYPES[kind], description: `The ${kind} to use.` }]);
    const text = JSON.stringify({
      tools: [{ name, description: 'Does what it is asked.', parameters: Object.fromEntries(parameters) }],
      dialogue: [{ user: `Please use ${name}: ${said}.` }],
      call: { name, parameters: Object.fromEntries(fields.map(({ key, value }) => [key, value])) },
    });
    return wellFormed === 1 ? text : text.slice(0, rng.int(text.length));
  },
};

const TYPES: Record<Kind, string> = { text: 'str', number: 'int', date: 'str', list: 'list(str)' };

const NAMES = ['Ann', 'Bela', 'Chen', 'Dora', 'Emil', 'Fatou', 'Goran', 'Hana'];
const PLACES = ['Harbour', 'Library', 'Market', 'Observatory', 'Station', 'Workshop'];
const pick = (from: readonly string[], rng: Rng): string => from[rng.int(from.length)]!;
const digits = (value: number): string => String(value).padStart(2, '0');

const VALUES: Record<Kind, (rng: Rng) => string> = {
  text: (rng) => `${pick(PLACES, rng)} with ${pick(NAMES, rng)}`,
  number: (rng) => String(1 + rng.int(500)),
  date: (rng) => `20${20 + rng.int(10)}-${digits(1 + rng.int(12))}-${digits(1 + rng.int(28))}`,
  list: (rng) => `['${pick(NAMES, rng)}', '${pick(NAMES, rng)}']`,
};

/** The tool that the seed calls. */
function seedTool(messages: readonly Message[]): string {
  const line = messages.at(-1)?.content.split('\n')[1] ?? '';
  try {
    const { call } = JSON.parse(line) as { call?: Json };
    return call !== undefined && isObject(call) && typeof call.name === 'string' ? call.name : 'Helper';
  } catch {
    return 'Helper';
  }
}

/** The target of the context, to the nearest rate there is a row for. */
function askedRate(messages: readonly Message[]): number {
  const percent = Number(/about (\d+)%/.exec(messages.at(-1)?.content.split('\n').at(-1) ?? '')?.[1] ?? 50);
  return ASKED.reduce((best, rate) => (Math.abs(rate - percent) < Math.abs(best - percent) ? rate : best));
}

export const API_BANK_SCRIPTS: Record<Player, Script> = apiBankScripts([]);

/**
 * Both players of BFCL as scripts, for runs without a model. The agent knows the calls of the tasks it was given, and of
 * those that the scripted simulator writes, and makes each of them right with a probability it learns: one logit for calls
 * with few arguments, one for calls with many. The simulator's taste is over the number of calls.
 */
import type { Rng } from '../../core/rng.ts';
import type { Script } from '../../core/script.ts';
import type { Json, JsonObject, Message, Player, Task } from '../../core/types.ts';
import { type Call, jsonCall } from './calls.ts';
import { readJson } from './exact-json.ts';
import type { FunctionDoc, ParameterDoc } from './function-doc.ts';
import { callsText, splitRequest, toolsIn } from './prompt.ts';
import { choicesOf } from './schema.ts';
import { goalOf } from './tasks.ts';

/** Each call is right about 73 times in 100 at the start. */
const INITIAL_SKILL = 1;
/** Long tasks are favoured at the start. */
const INITIAL_TASTE = 0.5;
const MOST_CALLS = 5;
const WELL_FORMED = 4;
/** The rates a simulator can be asked for. */
const ASKED = [0, 25, 50, 75, 100];
const MANY_ARGUMENTS = 3;

export function bfclScripts(tasks: readonly Task[] = []): Record<Player, Script> {
  const known = new Map(tasks.map((task) => [conversation(task.prompt), goalOf(task)?.calls ?? []]));
  const callsFor = (messages: readonly Message[]) => known.get(conversation(messages)) ?? callsAskedFor(messages);
  return { agent: agentScript(callsFor), environment };
}

const conversation = (messages: readonly Message[]) => messages.map(({ content }) => content).join('\n\0');

function agentScript(callsFor: (messages: readonly Message[]) => readonly Call[]): Script {
  return {
    rows: { few: [0, INITIAL_SKILL], many: [0, INITIAL_SKILL] },
    decisions: (messages) =>
      callsFor(messages).map(({ args }) => ((args?.entries.size ?? 0) < MANY_ARGUMENTS ? 'few' : 'many')),
    /** A call that goes wrong is not made. */
    text: (messages, choices) => callsText(callsFor(messages).filter((_, i) => choices[i] === 1)),
  };
}

const environment: Script = {
  rows: {
    wellFormed: [0, WELL_FORMED],
    ...Object.fromEntries(
      ASKED.map((asked) => [`calls@${asked}`, Array.from({ length: MOST_CALLS }, (_, i) => INITIAL_TASTE * i)]),
    ),
  },
  decisions: (messages) => ['wellFormed', `calls@${askedRate(messages)}`],
  text(messages, [wellFormed, more = 0], rng) {
    const docs = toolsIn(messages.at(-1)?.content ?? '');
    const calls =
      docs.length === 0 ? [] : Array.from({ length: more + 1 }, () => writeCall(docs[rng.int(docs.length)]!, rng));
    const text = JSON.stringify({ history: false, request: writeRequest(calls), calls });
    return wellFormed === 1 ? text : text.slice(0, rng.int(text.length));
  },
};

/** The target of the context, to the nearest rate there is a row for. */
function askedRate(messages: readonly Message[]): number {
  const percent = Number(/about (\d+)% of its attempts/.exec(messages.at(-1)?.content ?? '')?.[1] ?? 50);
  return ASKED.reduce((best, rate) => (Math.abs(rate - percent) < Math.abs(best - percent) ? rate : best));
}

interface WrittenCall {
  name: string;
  parameters: JsonObject;
}

function writeCall({ name, parameters: { properties, required = [] } }: FunctionDoc, rng: Rng): WrittenCall {
  return { name, parameters: Object.fromEntries(required.map((key) => [key, writeValue(properties[key]!, rng)])) };
}

const NAMES = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'heron'];

function writeValue(doc: ParameterDoc, rng: Rng): Json {
  const choices = choicesOf(doc);
  if (doc.type === 'array') {
    const items = doc.items ?? { type: 'string' };
    return [
      writeValue(choices ? { ...items, enum: choices } : items, rng),
      writeValue(choices ? { ...items, enum: choices } : items, rng),
    ];
  }
  if (choices) return choices[rng.int(choices.length)]!;
  if (doc.type === 'integer' || doc.type === 'float') return 1 + rng.int(99);
  if (doc.type === 'boolean') return rng.int(2) === 1;
  if (doc.type === 'dict') return {};
  return `${NAMES[rng.int(NAMES.length)]}${rng.int(100)}`;
}

const LINE = /^\d+\. ([\w.]+) with (\{.*\})$/gm;

/** One line a call, with everything in it that the call needs. */
const writeRequest = (calls: readonly WrittenCall[]) =>
  [
    'Please do this:',
    ...calls.map(({ name, parameters }, i) => `${i + 1}. ${name} with ${JSON.stringify(parameters)}`),
  ].join('\n');

/** What a request of the scripted simulator asks for; nothing, where somebody else wrote it. */
function callsAskedFor(messages: readonly Message[]): Call[] {
  const { request } = splitRequest(messages.at(-1)?.content ?? '');
  return Array.from(request.matchAll(LINE)).flatMap(([, name, parameters]) => {
    try {
      return jsonCall({ name: name!, parameters: readJson(parameters!) }) ?? [];
    } catch {
      return [];
    }
  });
}

export const BFCL_SCRIPTS: Record<Player, Script> = bfclScripts();

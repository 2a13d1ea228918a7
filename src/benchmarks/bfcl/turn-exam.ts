/** The per-turn protocol: each turn of the long-context tasks by itself, the earlier ones as they should have gone. */
import { type Exam, type ExamVerdict, LineError } from '../../core/exam.ts';
import type { Json, JsonObject } from '../../core/types.ts';
import { DataError } from '../data.ts';
import { callsIn, listedCalls } from './answer.ts';
import { loadMultiTurn, type MultiTurn, type Split, type Turn } from './data.ts';
import { type Toolbox, toolboxOf } from './function-doc.ts';
import { fieldOf, functionsOf, idOf, outputOf } from './line.ts';
import { PAPER, turnMetrics } from './metrics.ts';
import { callsText, type History, turnPrompt } from './prompt.ts';
import { judgeCalls, type Target, targetOf } from './score.ts';

export interface TurnExamOptions {
  name: string;
  data: string;
  split: Split;
  history: History;
}

/** Of the 9,000 tokens of a sequence, what is left for the reply. */
const MAX_REPLY_TOKENS = 1000;

export function turnExam({ name, data: folder, split, history }: TurnExamOptions): Exam {
  const turns = async () => [...(await loadMultiTurn(folder)).turns.values()].filter((turn) => turn.split === split);
  return {
    name,
    about: `The ${split === 'test' ? 201 : 544} ${split} turns of multi_turn_long_context, one reply each, by exact match of the calls; history: ${history}.`,
    ids: async () => (await turns()).map(({ id }) => id),
    async answer(id, ask) {
      const data = await loadMultiTurn(folder);
      return ask(turnPrompt(turnOf(id, data), data, history), { maxTokens: MAX_REPLY_TOKENS });
    },
    judge: (line) => judgeLine(line, folder),
    gold: async () => (await turns()).map(({ id, calls }) => ({ id, output: callsText(calls) })),
    summarise: turnMetrics,
    ...(split === 'test' ? { paper: PAPER } : {}),
  };
}

async function judgeLine(line: JsonObject, folder: string): Promise<ExamVerdict> {
  const id = idOf(line);
  const output = outputOf(line);
  const { target, tools, details } = (await inlineTarget(line, folder)) ?? knownTarget(id, await loadMultiTurn(folder));
  const { ordered, unordered, reason } = judgeCalls(callsIn(output, tools), target, tools);
  return {
    id,
    correct: ordered,
    score: ordered ? 1 : 0,
    ...(reason === undefined ? {} : { reason }),
    details: { ordered, unordered, calls: target.length, ...details },
  };
}

interface Judged {
  target: Target;
  tools: Toolbox;
  details: JsonObject;
}

async function inlineTarget(line: JsonObject, folder: string): Promise<Judged | undefined> {
  const target = fieldOf(line, 'target', 'ground_truth');
  if (target === undefined) return undefined;
  const functions = functionsOf(line);
  const tools = functions ? toolboxOf(functions) : await knownTools(folder);
  const calls = Array.isArray(target) ? listedCalls(target, tools) : undefined;
  if (!calls)
    throw new LineError(
      `${line.id}: the target is not a list of calls, as text or as {"name", "parameters"}: ${shown(target)}`,
    );
  return { target: targetOf(calls, tools), tools, details: {} };
}

const shown = (value: Json) => (JSON.stringify(value) ?? '').slice(0, 100);

/** A line that brings its own target may be judged where there is no data; then no defaults are known. */
async function knownTools(folder: string): Promise<Toolbox> {
  try {
    return (await loadMultiTurn(folder)).tools;
  } catch (error) {
    if (error instanceof DataError) return new Map();
    throw error;
  }
}

/** Targets are worked out once. */
const known = new WeakMap<Turn, Judged>();

function knownTarget(id: string, data: MultiTurn): Judged {
  const turn = turnOf(id, data);
  const judged = known.get(turn) ?? {
    target: targetOf(turn.calls, data.tools),
    tools: data.tools,
    details: { split: turn.split },
  };
  known.set(turn, judged);
  return judged;
}

function turnOf(id: string, { turns }: MultiTurn): Turn {
  const turn = turns.get(id);
  if (!turn)
    throw new LineError(`no turn is called ${id.slice(0, 100)}: ids look like multi_turn_long_context_150:turn_0`);
  return turn;
}

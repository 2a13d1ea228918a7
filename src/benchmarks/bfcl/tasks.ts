/** Turns as tasks for training, each judged by its own calls, and which of them are for what. */
import type { TaskDraft, TextWorld } from '../../core/benchmark.ts';
import { rootTask } from '../../core/root-task.ts';
import type { Json, JsonObject, Message, Origin, Task } from '../../core/types.ts';
import { callsIn } from './answer.ts';
import { type Call, jsonCall, plain } from './calls.ts';
import { loadMultiTurn, type MultiTurn, type Turn } from './data.ts';
import { type FunctionDoc, isObject, type Toolbox, toolboxOf } from './function-doc.ts';
import { docsOf, type History, toolsIn, turnPrompt } from './prompt.ts';
import { judgeCalls, type Target, targetOf } from './score.ts';

/** What the world of a task holds: the calls to make, and the tools they are made with, whose defaults count. */
export interface Goal {
  calls: readonly Call[];
  docs: readonly FunctionDoc[];
}

export function draftOf(prompt: Message[], { calls, docs }: Goal): TaskDraft {
  const called = new Set(calls.map(({ name }) => name));
  const goal = {
    calls: calls.map(({ name, args }) => ({ name, parameters: plain(args) })),
    functions: docs.filter(({ name }) => called.has(name)),
  };
  // The documentation is plain JSON; interfaces have no index signature.
  return { prompt, tools: [], eval: { kind: 'world', world: 'bfcl', goal: goal as unknown as Json } };
}

export interface Splits {
  base(limit: number): Promise<Task[]>;
  validation(): Promise<Task[]>;
  test(): Promise<Task[]>;
}

/**
 * The paper's base data are the 544 training turns. It reports validation and test on the same 201 turns; here the turns
 * of every fifth held-out task are for validation and the others for the test, so that nothing is chosen by the test. The
 * exam asks all 201.
 */
export function splitsOf(folder: string, history: History): Splits {
  const tasks = async (origin: Origin, wanted: (turn: Turn) => boolean, limit?: number) => {
    const data = await loadMultiTurn(folder);
    const turns = [...data.turns.values()].filter(wanted).slice(0, limit);
    return turns.map((turn) => rootTask(turnDraft(turn, data, history), origin, { features, structure }));
  };
  const held = (turn: Turn) => turn.split === 'test';
  return {
    base: (limit) => tasks('base', ({ split }) => split === 'train', limit),
    validation: () => tasks('validation', (turn) => held(turn) && turn.taskIndex % 5 === 0),
    test: () => tasks('test', (turn) => held(turn) && turn.taskIndex % 5 !== 0),
  };
}

const turnDraft = (turn: Turn, data: MultiTurn, history: History): TaskDraft =>
  draftOf(turnPrompt(turn, data, history), { calls: turn.calls, docs: docsOf(turn, data) });

/** One reply, judged by exact match: the primary metric. */
export function sessionOf(task: Pick<Task, 'eval'>): TextWorld | undefined {
  const goal = goalOf(task);
  if (!goal) return undefined;
  return {
    say: () => ({ content: '', done: true }),
    judge: (answer) => Number(verdictOn(answer, goal).ordered),
    terms: (answer) => {
      const { ordered, unordered, reason } = verdictOn(answer, goal);
      return [
        { name: 'the calls, in order', score: Number(ordered), ...(reason === undefined ? {} : { detail: reason }) },
        { name: 'the calls, in any order (not counted)', score: Number(unordered) },
      ];
    },
  };
}

const verdictOn = (answer: Json, { tools, target }: JudgedGoal) => judgeCalls(callsIn(answer, tools), target, tools);

interface JudgedGoal {
  calls: readonly Call[];
  tools: Toolbox;
  target: Target;
}

/** Every rollout of a task is judged by the same goal. */
const goals = new WeakMap<object, JudgedGoal>();

export function goalOf({ eval: spec }: Pick<Task, 'eval'>): JudgedGoal | undefined {
  if (spec.kind !== 'world' || spec.world !== 'bfcl' || !isObject(spec.goal)) return undefined;
  const known = goals.get(spec.goal);
  if (known) return known;
  const { calls: listed, functions } = spec.goal as JsonObject & { calls: Json[]; functions: Json };
  const calls = listed.map((call) => jsonCall(call)!);
  const tools = toolboxOf(functions as unknown as FunctionDoc[]); // As `draftOf` wrote it.
  const goal = { calls, tools, target: targetOf(calls, tools) };
  goals.set(spec.goal, goal);
  return goal;
}

const calledBy = (draft: Pick<TaskDraft, 'eval'>): readonly Call[] => goalOf(draft)?.calls ?? [];

/** How hard a task looks: what reports are cut by. */
export function features(draft: TaskDraft): Record<string, number> {
  const calls = calledBy(draft);
  return {
    calls: calls.length,
    arguments: calls.reduce((sum, { args }) => sum + (args?.entries.size ?? 0), 0),
    tools: toolsIn(draft.prompt[0]?.content ?? '').length,
    turns: draft.prompt.filter(({ role }) => role === 'user').length,
    words: (draft.prompt.at(-1)?.content ?? '').split(/\s+/).length,
  };
}

/** How many calls and to which tools, a word each. */
export function structure(draft: TaskDraft): string {
  const calls = calledBy(draft);
  return [`calls${calls.length}`, ...new Set(calls.map(({ name }) => name).toSorted())].join(' ');
}

export const stratumOf = ({ features: { calls = 0 } }: Pick<Task, 'features'>): string =>
  calls >= 3 ? '3+ calls' : calls === 1 ? '1 call' : `${calls} calls`;

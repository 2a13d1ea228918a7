/** The toy world: tool-calling tasks whose difficulty is their number of steps. Made for the scripted engine and for tests. */

import type { Benchmark, TaskDraft } from '../../core/benchmark.ts';
import { canonicalJson } from '../../core/content-id.ts';
import { createRng, type Rng } from '../../core/rng.ts';
import { rootTask } from '../../core/root-task.ts';
import type { Message, Origin, Task } from '../../core/types.ts';
import { type Clause, callsOf, parseRequest, SKILLS, TOOLS, writeClause, writeRequest } from './language.ts';

export interface ToyOptions {
  baseTasks?: number;
  validationTasks?: number;
  testTasks?: number;
}

export function toyBenchmark({ baseTasks = 64, validationTasks = 64, testTasks = 64 }: ToyOptions = {}): Benchmark {
  // Held-out tasks reach further than the base data does, and none of them is in it.
  const validation = () => makeTasks('validation', validationTasks, 6);
  const test = () => makeTasks('test', testTasks, 6, validation());
  return {
    name: 'toy',
    base: async () => makeTasks('base', baseTasks, 3, [...validation(), ...test()]),
    validation: async () => validation(),
    test: async () => test(),
    stratum: ({ features: { steps = 0 } }) => STRATA.find(({ upTo }) => steps <= upTo)!.name,
    problemWith: ({ prompt, eval: spec }) => {
      const clauses = parseRequest(requestOf(prompt));
      if (!clauses) return 'the request is not in the language of the toy world';
      if (spec.kind !== 'toolCalls') return `the eval is ${spec.kind}, not toolCalls`;
      if (canonicalJson(spec.target) !== canonicalJson(callsOf(clauses)))
        return 'the target is not what the request asks for';
      return undefined;
    },
    features,
    structure,
  };
}

/** A task that asks for this; its target follows from the words. */
export function toyDraft(request: string): TaskDraft {
  return {
    prompt: [{ role: 'user', content: request }],
    tools: TOOLS,
    eval: { kind: 'toolCalls', target: callsOf(parseRequest(request) ?? []) },
  };
}

export const requestOf = (prompt: readonly Message[]): string =>
  prompt.findLast((m) => m.role === 'user')?.content ?? '';

const clausesOf = ({ prompt }: TaskDraft): Clause[] => parseRequest(requestOf(prompt)) ?? [];

/** Which clauses in which order, each with its level. */
const structure = (draft: TaskDraft): string =>
  clausesOf(draft)
    .map(({ skill, level }) => `${skill}${level}`)
    .join('+');

function features(draft: TaskDraft): Record<string, number> {
  const clauses = clausesOf(draft);
  return { clauses: clauses.length, steps: clauses.reduce((sum, clause) => sum + clause.level, 0) };
}

const STRATA = [
  { upTo: 3, name: '1–3 steps' },
  { upTo: 6, name: '4–6 steps' },
  { upTo: 9, name: '7–9 steps' },
  { upTo: Number.POSITIVE_INFINITY, name: '10+ steps' },
];

/** Distinct tasks from a fixed seed, each of one to three clauses, none of them in `without`. */
function makeTasks(origin: Origin, count: number, maxLevel: number, without: readonly Task[] = []): Task[] {
  const taken = new Set(without.map((task) => task.id));
  const tasks = new Map<string, Task>();
  for (let i = 0; tasks.size < count; i++) {
    const rng = createRng('toy').fork(origin, i);
    const request = writeRequest(pickSkills(rng).map((skill) => writeClause(skill, 1 + rng.int(maxLevel), rng)));
    const draft = toyDraft(request);
    const task = rootTask(draft, origin, { features, structure });
    if (!taken.has(task.id)) tasks.set(task.id, task);
  }
  return [...tasks.values()];
}

function pickSkills(rng: Rng): (typeof SKILLS)[number][] {
  const picked = SKILLS.filter(() => rng.next() < 0.6);
  return picked.length > 0 ? picked : [SKILLS[rng.int(SKILLS.length)]!];
}

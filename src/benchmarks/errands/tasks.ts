/** Requests as tasks: their targets, their measures of difficulty, and the splits. */
import type { TaskDraft } from '../../core/benchmark.ts';
import { hashText } from '../../core/hash.ts';
import { createRng, type Rng } from '../../core/rng.ts';
import { rootTask } from '../../core/root-task.ts';
import type { Message, Origin, Task } from '../../core/types.ts';
import { interpret, type World } from './interpret.ts';
import { DOORS, NAMES, TOOL_SPECS } from './lexicon.ts';
import { randomRequest } from './random.ts';
import { read } from './read.ts';
import { type Request, type Skill, skillsOf } from './request.ts';
import { write } from './write.ts';

/** What the world holds is decided by the words of the request, in a way no policy can guess. */
export function worldOf(text: string): World {
  const [a, b] = hashText(`errands world: ${text}`);
  return { found: NAMES[(a >>> 0) % NAMES.length]!, door: DOORS[(b >>> 0) % DOORS.length]! };
}

/** A request as a task; undefined for one that makes no sense. */
export function draftOf(request: Request): TaskDraft | { problem: string } {
  const text = write(request);
  const plan = interpret(request, worldOf(text));
  if ('problem' in plan) return plan;
  return {
    prompt: [{ role: 'user', content: text }],
    tools: [...TOOL_SPECS],
    eval: { kind: 'toolCalls', target: plan.calls },
  };
}

export const requestOf = (prompt: readonly Message[]): Request | { problem: string } =>
  read(prompt.at(-1)?.content ?? '');

/** How hard a task looks: what reports are cut by. No update reads it. */
export function features({ prompt, eval: spec }: TaskDraft): Record<string, number> {
  const request = requestOf(prompt);
  if ('problem' in request) return {};
  const calls = spec.kind === 'toolCalls' ? spec.target.length : 0;
  const skills = skillsOf(request);
  return {
    clauses: request.clauses.length,
    skills: skills.length,
    calls,
    depth: depthOf(request),
    words: prompt.at(-1)!.content.split(' ').length,
    asks: skills.includes('find') || skills.includes('check') ? 1 : 0,
  };
}

/** How many skills act on one another at the deepest place. */
const depthOf = (request: Request) =>
  Math.max(...request.clauses.map((clause) => skillsOf({ facts: [], clauses: [clause], all: 1 }).length)) +
  request.all -
  1;

/** The number of clauses and which skills, a word each: values, verbs and places rubbed out. */
export function structure({ prompt }: TaskDraft): string {
  const request = requestOf(prompt);
  if ('problem' in request) return 'unreadable';
  return [`clauses${request.clauses.length}`, ...skillsOf(request).toSorted()].join(' ');
}

/** Skills that are never seen together before the held-out tasks ask for both. */
export const HELD_OUT: readonly (readonly [Skill, Skill])[] = [
  ['times', 'each'],
  ['first', 'condition'],
  ['before', 'same'],
  ['correction', 'times'],
];

export function isHeldOut(request: Request): boolean {
  const skills = new Set(skillsOf(request));
  return HELD_OUT.some(([a, b]) => skills.has(a) && skills.has(b));
}

/** Strata of the held-out tasks, hardest last; [fewest, most] of each. */
const STRATA: readonly { name: string; clauses: [number, number]; skills: [number, number]; heldOut?: boolean }[] = [
  { name: 'combination', clauses: [2, 3], skills: [2, 3], heldOut: true },
  { name: 'three', clauses: [3, 3], skills: [2, 3] },
  { name: 'four', clauses: [4, 4], skills: [2, 4] },
  { name: 'five', clauses: [5, 5], skills: [2, 4] },
];

export const baseTasks = (count: number): Task[] =>
  distinct('base', count, (rng) => {
    const clauses = rng.next() < 0.4 ? 1 : 2;
    const request = randomRequest(clauses, rng.int(2), rng);
    return isHeldOut(request) ? undefined : request;
  });

export const heldOutTasks = (origin: 'validation', count: number): Task[] =>
  STRATA.flatMap(({ name, clauses, skills, heldOut = false }) =>
    distinct(`${origin} ${name}`, count / STRATA.length, (rng) => {
      const request = randomRequest(between(clauses, rng), between(skills, rng), rng);
      return isHeldOut(request) === heldOut ? request : undefined;
    }),
  );

export const between = ([least, most]: [number, number], rng: Rng): number => least + rng.int(most - least + 1);

function distinct(split: string, count: number, draw: (rng: Rng) => Request | undefined): Task[] {
  const tasks = new Map<string, Task>();
  for (let i = 0; tasks.size < count; i++) {
    const request = draw(createRng('errands').fork(split, i));
    const draft = request && draftOf(request);
    if (!draft || 'problem' in draft) continue;
    const task = rootTask(draft, split.split(' ')[0] as Origin, { features, structure });
    tasks.set(task.id, task);
  }
  return [...tasks.values()];
}

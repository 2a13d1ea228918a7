/** The tasks to start from, and those held out: requests that are longer, or need two skills never seen together. */
import type { TaskDraft } from '../../core/benchmark.ts';
import { createRng, type Rng } from '../../core/rng.ts';
import { rootTask } from '../../core/root-task.ts';
import type { Origin, Task } from '../../core/types.ts';
import { randomRequest } from './random.ts';
import { type Request, type Skill, skillsOf } from './request.ts';
import { draftOf, features, requestOf, structure } from './tasks.ts';

/** Skills that neither base tasks nor the agent's demonstrations show together; held-out tasks ask for both. */
export const HELD_OUT_PAIRS: readonly (readonly [Skill, Skill])[] = [
  ['times', 'each'],
  ['first', 'condition'],
  ['before', 'same'],
  ['correction', 'times'],
];

export function hasHeldOutPair(request: Request): boolean {
  const skills = new Set(skillsOf(request));
  return HELD_OUT_PAIRS.some(([a, b]) => skills.has(a) && skills.has(b));
}

interface Stratum {
  /** Names sort from easy to hard. */
  name: string;
  newPair: boolean;
  /** Fewest and most. */
  clauses: [number, number];
  skills: [number, number];
}

const STRATA: readonly Stratum[] = [
  { name: '2–3 clauses, new pair', newPair: true, clauses: [2, 3], skills: [2, 3] },
  { name: '3 clauses', newPair: false, clauses: [3, 3], skills: [2, 3] },
  { name: '4 clauses', newPair: false, clauses: [4, 4], skills: [2, 4] },
  { name: '5 clauses', newPair: false, clauses: [5, 5], skills: [2, 4] },
];

/** The stratum of a task in any split; what is in no held-out stratum goes by its clauses alone. */
export function stratumOf({ prompt }: Pick<TaskDraft, 'prompt'>): string {
  const request = requestOf(prompt);
  if ('problem' in request) return 'unreadable';
  const count = request.clauses.length;
  const newPair = hasHeldOutPair(request);
  const within = ({ clauses: [fewest, most] }: Stratum) => fewest <= count && count <= most;
  const found = STRATA.find((stratum) => stratum.newPair === newPair && within(stratum));
  return found?.name ?? (count === 1 ? '1 clause' : `${count} clauses`);
}

export function baseTasks(count: number): Task[] {
  const seen = new Set(heldOut().texts);
  return distinct('base', 'base', count, seen, (rng) => {
    const request = randomRequest(rng.next() < 0.4 ? 1 : 2, rng.int(2), rng);
    return hasHeldOutPair(request) ? undefined : request;
  });
}

export const validationTasks = (): Task[] => [...heldOut().validation];

export const testTasks = (): Task[] => [...heldOut().test];

/** Whether a text says, but for capitals and punctuation, what a held-out task says. */
export const isHeldOutText = (text: string): boolean => heldOut().texts.has(plain(text));

const PER_STRATUM = 64;

interface HeldOut {
  validation: Task[];
  test: Task[];
  texts: ReadonlySet<string>;
}

let drawn: HeldOut | undefined;

/** Drawn once, when first asked for: every demonstration is compared with them. */
function heldOut(): HeldOut {
  if (drawn) return drawn;
  const texts = new Set<string>();
  drawn = { validation: drawHeldOut('validation', texts), test: drawHeldOut('test', texts), texts };
  return drawn;
}

/** One of each stratum in turn, so that the first few are as hard as all. */
function drawHeldOut(origin: Origin, seen: Set<string>): Task[] {
  const strata = STRATA.map(({ name, newPair, clauses, skills }) =>
    distinct(origin, `${origin} ${name}`, PER_STRATUM, seen, (rng) => {
      const count = between(clauses, rng);
      // A question adds a clause: about every third request has one if half of them start with one clause less.
      const request = randomRequest(count - rng.int(2), between(skills, rng), rng);
      return request.clauses.length === count && hasHeldOutPair(request) === newPair ? request : undefined;
    }),
  );
  return Array.from({ length: PER_STRATUM }, (_, i) => strata.map((tasks) => tasks[i]!)).flat();
}

const between = ([least, most]: [number, number], rng: Rng): number => least + rng.int(most - least + 1);

/** Tasks that say what nothing in `seen` says; they are added to it. */
function distinct(
  origin: Origin,
  stream: string,
  count: number,
  seen: Set<string>,
  draw: (rng: Rng) => Request | undefined,
): Task[] {
  const tasks: Task[] = [];
  for (let i = 0; tasks.length < count; i++) {
    const request = draw(createRng('errands').fork(stream, i));
    const draft = request && draftOf(request);
    if (!draft || 'problem' in draft) continue;
    const text = plain(draft.prompt[0]!.content);
    if (seen.has(text)) continue;
    seen.add(text);
    tasks.push(rootTask(draft, origin, { features, structure }));
  }
  return tasks;
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.join(' ') ?? '';

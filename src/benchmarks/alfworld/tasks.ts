/** Games as tasks to train on, played turn by turn, and the splits of them. */
import type { TaskDraft, TextWorld } from '../../core/benchmark.ts';
import { rootTask } from '../../core/root-task.ts';
import type { Json, Origin, Task } from '../../core/types.ts';
import type { Dialect } from './action.ts';
import { actionOf, inDialect } from './answer.ts';
import { type Game, readGames } from './data.ts';
import { GOAL_KINDS, taskSentence } from './goal.ts';
import { distance } from './plan.ts';
import { isOver, step } from './play.ts';
import { conversation } from './prompt.ts';
import { initialState } from './state.ts';
import { introduction } from './text.ts';
import { soundWorld, type World, type WorldRecord } from './world.ts';

export const WORLD_NAME = 'alfworld';

/** The task of winning a game. Its goal is the whole world: a task must be playable without the data set. */
export function draftOf({ record }: World, dialect: Dialect = 'new'): TaskDraft {
  const { walkthrough: _, split: __, ...rest } = record;
  const world = soundWorld(rest);
  return {
    prompt: conversation([introduction(world, initialState(world))], [], { dialect }),
    tools: [],
    eval: { kind: 'world', world: WORLD_NAME, goal: rest as unknown as Json }, // A record is JSON; an interface has no index signature.
  };
}

/** The world of a task. */
export function recordOf({ eval: spec }: Pick<Task, 'eval'>): WorldRecord {
  if (spec.kind !== 'world' || spec.world !== WORLD_NAME) throw new Error(`The task is no game of ${WORLD_NAME}.`);
  const { record } = soundWorld(spec.goal as unknown as WorldRecord); // Checked by soundWorld.
  return record;
}

/** A rollout's own copy of the game; won or lost is all that is judged. */
export function sessionOf(task: Task, dialect: Dialect): TextWorld {
  const world = soundWorld(recordOf(task));
  const state = initialState(world);
  return {
    say(reply) {
      const content = step(world, state, inDialect(actionOf(reply), dialect), dialect);
      return { content, done: isOver(state) };
    },
    judge: () => Number(state.won),
    terms: () => [{ name: 'the goal is reached', score: Number(state.won), detail: taskSentence(world.goal) }],
  };
}

/** How hard a game looks. `plan` is what someone who sees everything needs; the rest is what there is to search. */
export function features(draft: TaskDraft): Record<string, number> {
  const record = recordOf(draft);
  const known = measured.get(record) ?? measure(soundWorld(record));
  measured.set(record, known);
  return { ...known };
}

const measured = new WeakMap<WorldRecord, Record<string, number>>();

function measure(world: World): Record<string, number> {
  const { receptacles, objects, goalObjects } = world;
  return {
    plan: distance(world, initialState(world)) ?? 0,
    receptacles: receptacles.length,
    doors: receptacles.filter(({ openable }) => openable).length,
    objects: objects.length,
    candidates: goalObjects.length,
  };
}

/** The kind of goal, the length of the plan, and about how many places there are. */
export function structure(draft: TaskDraft): string {
  const { plan, receptacles } = features(draft) as { plan: number; receptacles: number };
  const places = PLACES.find(({ below }) => receptacles < below)!.name;
  return `${recordOf(draft).goal.kind} plan${plan} ${places}`;
}

const PLACES = [
  { below: 10, name: 'small' },
  { below: 20, name: 'medium' },
  { below: 30, name: 'large' },
  { below: Number.POSITIVE_INFINITY, name: 'huge' },
];

/** By the length of the plan. */
export function stratumOf({ features: { plan = 0 } }: Pick<Task, 'features'>): string {
  if (plan <= 4) return '1–4 steps';
  return plan <= 6 ? '5–6 steps' : '7+ steps';
}

const PER_KIND = 8;

export interface Splits {
  base: Task[];
  validation: Task[];
  test: Task[];
}

/** Training games; some of the seen validation games to choose by; and the rest of them with all unseen ones to judge by. */
export async function readSplits(data: string, baseTasks: number, dialect: Dialect): Promise<Splits> {
  const [train, seen, unseen] = await Promise.all([
    readGames(data, 'train'),
    readGames(data, 'valid_seen'),
    readGames(data, 'valid_unseen'),
  ]);
  const task = (origin: Origin) => (game: Game) =>
    rootTask(draftOf(game.world, dialect), origin, { features, structure });
  const chosen = new Set(GOAL_KINDS.flatMap((kind) => spread(seen.filter(isOf(kind)), PER_KIND)));
  const perKind = Math.ceil(baseTasks / GOAL_KINDS.length);
  const base = interleaved(GOAL_KINDS.map((kind) => spread(train.filter(isOf(kind)), perKind)));
  return {
    base: base.slice(0, baseTasks).map(task('base')),
    validation: [...chosen].map(task('validation')),
    test: [...seen.filter((game) => !chosen.has(game)), ...unseen].map(task('test')),
  };
}

const isOf =
  (kind: string) =>
  ({ world }: Game): boolean =>
    world.goal.kind === kind;

/** So many of a list, at even distances: neighbours are trials of the same room. */
function spread<T>(items: readonly T[], count: number): T[] {
  const taken = Math.min(count, items.length);
  return Array.from({ length: taken }, (_, i) => items[Math.floor((i * items.length) / taken)]!);
}

/** One of each list in turn. */
function interleaved<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat();
}

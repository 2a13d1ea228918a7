/**
 * Both players as scripts. The agent plays like the seeker, and wastes a turn where it gets one wrong: its skill is one logit
 * per kind of move, and a room is lost when fifty turns do not suffice. The environment picks a kind of goal and how far down the
 * list its object is hidden, and starts out with a taste for the long ones.
 */
import type { Rng } from '../../core/rng.ts';
import type { Script } from '../../core/script.ts';
import type { Json, Message, Player } from '../../core/types.ts';
import { classOf } from './catalogue.ts';
import { SEED } from './environment.ts';
import { GOAL_KINDS, type Goal, type GoalKind, treats } from './goal.ts';
import { tagged } from './prompt.ts';
import type { Scene } from './scene.ts';
import { type Move, nextMove, SKILLS } from './seeker.ts';

/** Two turns in five are right at the start. */
const INITIAL_SKILL = -0.4;
/** How much further down the list is favoured at the start. */
const INITIAL_TASTE = 0.3;
/** One generation in fifty is garbage at the start, as with a real model. */
const WELL_FORMED = 4;
const DEPTHS = 5;
const ASKED = [0, 25, 50, 75, 100];

const agent: Script = {
  rows: Object.fromEntries(SKILLS.map((skill) => [skill, [0, INITIAL_SKILL]])),
  decisions: (messages) => [moveIn(messages).skill],
  text: (messages, [right]) => tagged(right === 1 ? moveIn(messages).action : 'inventory'),
};

/** Remembered per conversation, because what to decide and what to say are asked one after the other. */
const moves = new WeakMap<readonly Message[], { turns: number; move: Move }>();
function moveIn(messages: readonly Message[]): Move {
  const known = moves.get(messages);
  if (known?.turns === messages.length) return known.move;
  const move = nextMove(messages);
  moves.set(messages, { turns: messages.length, move });
  return move;
}

const environment: Script = {
  rows: {
    wellFormed: [0, WELL_FORMED],
    ...Object.fromEntries(
      ASKED.flatMap((asked) => [
        [`goal@${asked}`, GOAL_KINDS.map(() => 0)],
        [`depth@${asked}`, Array.from({ length: DEPTHS }, (_, depth) => INITIAL_TASTE * depth)],
      ]),
    ),
  },
  decisions(messages) {
    const asked = askedRate(messages);
    return ['wellFormed', `goal@${asked}`, `depth@${asked}`];
  },
  text(messages, [wellFormed, kind, depth], rng) {
    const text = JSON.stringify(vary(messages.at(-1)?.content ?? '', GOAL_KINDS[kind!]!, depth! / (DEPTHS - 1), rng));
    return wellFormed === 1 ? text : text.slice(0, rng.int(text.length));
  },
};

/** The seed's room with a goal of this kind if one is possible there, its object so far down the list. */
function vary(context: string, kind: GoalKind, depth: number, rng: Rng): Json {
  const { room } = JSON.parse(lineAfter(context, SEED)) as Scene;
  const goals = goalsIn(context, room, kind);
  const options = goals.length > 0 ? goals : goalsIn(context, room, 'place');
  if (options.length === 0) return { room };
  const goal = options[rng.int(options.length)]!;
  const takes = kindsIn(context, 'Kinds of receptacles: ');
  const target = goal.kind === 'look' ? undefined : goal.receptacle;
  const names = Object.keys(room);
  const open = names.filter((name) => classOf(name) !== target && takes.get(classOf(name))?.includes(goal.object));
  const place = open[Math.round(depth * (open.length - 1))];
  for (const name of names) room[name] = room[name]!.filter((object) => classOf(object) !== goal.object);
  const copies = goal.kind === 'two' ? [1, 2] : [1];
  if (place !== undefined) room[place]!.push(...copies.map((number) => `${goal.object} ${number}`));
  return { goal, room };
}

/** Goals of a kind that this room allows. */
function goalsIn(context: string, room: Scene['room'], kind: GoalKind): Goal[] {
  const objects = kindsIn(context, 'Kinds of objects: ');
  const takes = kindsIn(context, 'Kinds of receptacles: ');
  const places = [...new Set(Object.keys(room).map(classOf))];
  const goals: Goal[] = [];
  for (const [object, abilities] of objects) {
    const homes = places.filter((place) => takes.get(place)?.includes(object));
    if (kind === 'look') {
      const lamps = new Set(
        Object.values(room)
          .flat()
          .map(classOf)
          .filter((name) => objects.get(name)?.includes('turn on')),
      );
      if (homes.length > 0) for (const lamp of lamps) goals.push({ kind, object, lamp });
      continue;
    }
    const treated = kind !== 'place' && kind !== 'two';
    if (treated && !(abilities.includes(kind) && places.some((place) => treats(kind, place)))) continue;
    // Somewhere to lie at first, and somewhere else to be put.
    if (homes.length > 1) for (const receptacle of homes) goals.push({ kind, object, receptacle });
  }
  return goals;
}

/** `mug (clean, heat); shelf with a door (mug)` as lists by kind. */
function kindsIn(context: string, head: string): Map<string, string[]> {
  const entries = lineAfter(context, head).replace(/\.$/, '').split('; ');
  return new Map(
    entries.map((entry) => {
      const [kind = ''] = entry.split(' ', 1);
      const start = entry.indexOf('(');
      return [kind, start < 0 ? [] : entry.slice(start + 1, -1).split(', ')];
    }),
  );
}

function lineAfter(text: string, head: string): string {
  const start = text.indexOf(head) + head.length;
  const end = text.indexOf('\n', start);
  return text.slice(start, end < 0 ? undefined : end);
}

/** The target of the context, to the nearest rate there is a row for. */
function askedRate(messages: readonly Message[]): number {
  const percent = Number(/in about (\d+)%/.exec(messages.at(-1)?.content ?? '')?.[1] ?? 50);
  return ASKED.reduce((best, rate) => (Math.abs(rate - percent) < Math.abs(best - percent) ? rate : best));
}

export const ALFWORLD_SCRIPTS: Record<Player, Script> = { agent, environment };

/**
 * A player that knows the rules and reads nothing but the text: it searches places in the order in which they were listed and
 * does what the task asks with what it finds. The scripted agent plays so when it gets a turn right.
 */
import type { Message } from '../../core/types.ts';
import { actionOf } from './answer.ts';
import { classOf } from './catalogue.ts';
import { type Goal, treats } from './goal.ts';
import { NOTHING_HAPPENS } from './text.ts';

export const SKILLS = ['search', 'take', 'treat', 'deliver', 'light'] as const;
export type Skill = (typeof SKILLS)[number];

export interface Move {
  skill: Skill;
  action: string;
}

/** What follows from a conversation so far. */
interface Beliefs {
  goal: Goal | undefined;
  places: string[];
  /** What lies where, as far as it has been seen. */
  contents: Map<string, string[]>;
  closed: Set<string>;
  here: string;
  /** Places that cannot be gone to because they are here as well. */
  beside: Set<string>;
  held: string | undefined;
  treated: Set<string>;
  /** Where the first of two was put. */
  delivered: string | undefined;
}

/** The next move of a conversation that began with the introduction of a room. */
export function nextMove(messages: readonly Message[]): Move {
  const beliefs = believe(messages);
  const { goal, held } = beliefs;
  if (!goal) return LOST;
  if (held === undefined) return fetch(beliefs, goal);
  if (classOf(held) !== goal.object) return LOST;
  if (goal.kind === 'look') return light(beliefs, goal.lamp);
  const { kind, receptacle } = goal;
  if ((kind === 'clean' || kind === 'heat' || kind === 'cool') && !beliefs.treated.has(held)) {
    const appliance = beliefs.places.find((place) => treats(kind, classOf(place)));
    return appliance === undefined ? LOST : at(beliefs, appliance, 'treat', `${kind} ${held} with ${appliance}`);
  }
  const target = beliefs.delivered ?? beliefs.places.find((place) => classOf(place) === receptacle);
  return target === undefined ? LOST : inside(beliefs, target, 'deliver', `move ${held} to ${target}`);
}

const LOST: Move = { skill: 'search', action: 'look' };

function fetch(beliefs: Beliefs, goal: Goal): Move {
  for (const [place, objects] of beliefs.contents) {
    const object = objects.find((name) => classOf(name) === goal.object);
    if (object === undefined || (goal.kind === 'two' && place === beliefs.delivered)) continue;
    return inside(beliefs, place, 'take', `take ${object} from ${place}`);
  }
  return search(beliefs);
}

function light(beliefs: Beliefs, lamp: string): Move {
  for (const [place, objects] of beliefs.contents) {
    const found = objects.find((name) => classOf(name) === lamp);
    if (found !== undefined) return at(beliefs, place, 'light', `use ${found}`);
  }
  return search(beliefs);
}

function search(beliefs: Beliefs): Move {
  const place = beliefs.places.find((name) => !beliefs.contents.has(name));
  return place === undefined ? LOST : inside(beliefs, place, 'search', `examine ${place}`);
}

/** To do something at a place, be there first. */
function at({ here, beside }: Beliefs, place: string, skill: Skill, action: string): Move {
  return { skill, action: here === place || beside.has(place) ? action : `go to ${place}` };
}

/** To reach into a place, be there and have it open. */
const inside = (beliefs: Beliefs, place: string, skill: Skill, action: string): Move =>
  at(beliefs, place, skill, beliefs.closed.has(place) ? `open ${place}` : action);

function believe(messages: readonly Message[]): Beliefs {
  const intro = messages.find(({ role }) => role === 'user')?.content ?? '';
  const beliefs: Beliefs = {
    goal: readTask(intro),
    places: listIn(intro),
    contents: new Map(),
    closed: new Set(),
    here: '',
    beside: new Set(),
    held: undefined,
    treated: new Set(),
    delivered: undefined,
  };
  for (const [index, { role, content }] of messages.entries()) {
    const seen = messages[index + 1];
    if (role === 'assistant' && seen?.role === 'user') learn(beliefs, actionOf(content).split(' '), seen.content);
  }
  return beliefs;
}

/** All commands name things by two words: `go to shelf 1`, `open shelf 1`, `take mug 1 from shelf 1`. */
function learn(beliefs: Beliefs, words: readonly string[], seen: string): void {
  const [verb] = words;
  const [object, place] = [words.slice(1, 3).join(' '), words.slice(-2).join(' ')];
  if (seen === NOTHING_HAPPENS) {
    if (verb === 'go' && beliefs.places.includes(place)) beliefs.beside.add(place);
    return;
  }
  switch (verb) {
    case 'go':
      beliefs.here = place;
      beliefs.beside.clear();
      notice(beliefs, place, seen);
      return;
    case 'open':
    case 'examine':
      notice(beliefs, place, seen);
      return;
    case 'take':
      beliefs.held = object;
      beliefs.contents.set(
        place,
        (beliefs.contents.get(place) ?? []).filter((name) => name !== object),
      );
      return;
    case 'move':
      beliefs.held = undefined;
      beliefs.delivered = place;
      beliefs.contents.set(place, [...(beliefs.contents.get(place) ?? []), object]);
      return;
    case 'clean':
    case 'heat':
    case 'cool':
      beliefs.treated.add(object);
      return;
    default:
      return;
  }
}

function notice(beliefs: Beliefs, place: string, seen: string): void {
  if (seen.includes(`The ${place} is closed.`)) {
    beliefs.closed.add(place);
    return;
  }
  beliefs.closed.delete(place);
  if (!seen.includes('you see ')) return;
  const objects = listIn(seen);
  beliefs.contents.set(place, objects);
  // One of two may lie in a target from the start.
  const { goal } = beliefs;
  if (goal?.kind !== 'two' || beliefs.delivered !== undefined || classOf(place) !== goal.receptacle) return;
  if (objects.some((name) => classOf(name) === goal.object)) beliefs.delivered = place;
}

/** The names in `you see a mug 1, and a pen 2.` */
function listIn(text: string): string[] {
  const start = text.indexOf('you see ');
  const end = text.indexOf('.', start);
  if (start < 0 || end < 0) return [];
  const names = text.slice(start + 'you see '.length, end).split(', ');
  return names.map((name) => name.replace(/^(and )?a /, '')).filter((name) => name !== 'nothing');
}

/** The task sentences of the games, read back. */
export function readTask(intro: string): Goal | undefined {
  const start = intro.lastIndexOf(TASK);
  if (start < 0) return undefined;
  const task = intro
    .slice(start + TASK.length)
    .split('\n', 1)[0]!
    .slice(0, 200);
  const look = /^(?:look at|examine the) (\w+) (?:under|with) the (\w+)\.$/.exec(task);
  if (look) return { kind: 'look', object: look[1]!, lamp: look[2]! };
  const two = /^(?:put|find) two (\w+) (?:and put them )?in (\w+)\.$/.exec(task);
  if (two) return { kind: 'two', object: two[1]!, receptacle: two[2]! };
  const treat = /^(clean|heat|cool) some (\w+) and put it in (\w+)\.$/.exec(task);
  if (treat) return { kind: treat[1] as 'clean' | 'heat' | 'cool', object: treat[2]!, receptacle: treat[3]! };
  const place = /^put (?:a|some) (?:(clean|hot|cool) )?(\w+) (?:in|on) (\w+)\.$/.exec(task);
  if (!place) return undefined;
  const kind = place[1] === 'hot' ? 'heat' : ((place[1] as 'clean' | 'cool' | undefined) ?? 'place');
  return { kind, object: place[2]!, receptacle: place[3]! };
}

const TASK = 'Your task is to: ';

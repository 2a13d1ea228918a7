/** From a request to its English. */
import { FACTS, type Type } from './lexicon.ts';
import type { Action, Clause, Filler, Place, Request } from './request.ts';

export function write({ facts, clauses, all }: Request): string {
  const said = facts.map((fact) => `${FACTS[fact]}. `).join('');
  return said + clauses.map(writeClause).join('') + (all === 1 ? '' : ', all of it twice');
}

export const PLACES: ReadonlyMap<Place, string> = new Map([
  ['then', 'then'],
  ['first', 'but first'],
  ['before', 'but before that'],
]);

function writeClause({ place, condition, action, correction, otherwise }: Clause, index: number): string {
  return [
    index === 0 ? '' : `, ${PLACES.get(place)} `,
    condition ? `if ${FACTS[condition]} ` : '',
    writeAction(action),
    correction ? `, no, make it ${ARTICLE.has(correction.type) ? 'the ' : ''}${correction.word}` : '',
    otherwise ? `, otherwise ${writeAction(otherwise)}` : '',
  ].join('');
}

const TIMES = { 1: '', 2: ' twice', 3: ' three times', 4: ' four times' } as const;

export const writeAction = (action: Action): string => PHRASES[action.verb](action.fillers) + TIMES[action.times];

const PHRASES: Record<Action['verb'], (fillers: Filler[]) => string> = {
  text: ([to, item]) => `text ${who(to!)} the ${word(item!)}`,
  remind: ([to, day]) => `remind ${who(to!)} on ${word(day!)}`,
  book: ([place, people]) => `book ${place!.kind === 'same' ? 'it' : word(place!)} for ${many(people!)}`,
  buy: ([count, goods]) => `buy ${many(count!)} ${word(goods!)}`,
  light: ([level, room]) => `${word(level!)} ${lamp(room!)}`,
  play: ([music, room]) => `play ${word(music!)} ${where(room!)}`,
  cook: ([dish]) => `cook ${word(dish!)}`,
  water: ([plant]) => `water ${the(plant!)}`,
  wash: ([garment]) => `wash ${the(garment!)}`,
  feed: ([pet]) => `feed ${the(pet!)}`,
  find: ([kind, city]) => `find a ${word(kind!)} in ${word(city!)}`,
  check: () => 'check the door',
};

/** Types whose values take an article. */
export const ARTICLE: ReadonlySet<Type> = new Set(['item', 'room', 'plant', 'garment', 'pet']);

function word(filler: Filler): string {
  if (filler.kind !== 'value') throw new TypeError(`this slot takes one value, not ${filler.kind}`);
  return filler.word;
}

const who = (filler: Filler) =>
  filler.kind === 'same' ? 'them' : filler.kind === 'each' ? `each of ${list(filler.words)}` : filler.word;

const where = (filler: Filler) => (filler.kind === 'same' ? 'there' : `in ${the(filler)}`);

const lamp = (filler: Filler) => (filler.kind === 'same' ? 'the light there' : the(filler));

const the = (filler: Filler) =>
  filler.kind === 'each' ? `each of ${list(filler.words.map((each) => `the ${each}`))}` : `the ${word(filler)}`;

const many = (filler: Filler) => (filler.kind === 'same' ? 'as many' : word(filler));

const list = (words: string[]) => `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** A query in words: generated tasks ask in one fixed form, so that the words say what the fields say and nothing else. */
import { HOUSE_RULES, type LocalConstraint, type Query, ROOM_TYPES, TRANSPORTATION } from './query.ts';

export function writeRequest(query: Omit<Query, 'query'>): string {
  const { org, dest, days, date, people_number: people, budget, visiting_city_number: cities } = query;
  const where = days === 3 ? `${dest}` : `${cities} cities in ${dest}`;
  const who = people === 1 ? 'one person' : `${people} people`;
  const wishes = wishesOf(query.local_constraint);
  return [
    `Plan a ${days}-day trip for ${who} from ${org} to ${where}, from ${date[0]} to ${date.at(-1)}, with a budget of $${budget}.`,
    ...(wishes.length > 0 ? [`We ask for: ${wishes.join('; ')}.`] : []),
  ].join(' ');
}

function wishesOf({ 'house rule': rule, cuisine, 'room type': room, transportation }: LocalConstraint): string[] {
  return [
    ...(rule ? [`${RULE}${rule}`] : []),
    ...(cuisine && cuisine.length > 0 ? [`${FOOD}${cuisine.join(', ')}`] : []),
    ...(room ? [ROOMS[room] ?? room] : []),
    ...(transportation ? [transportation] : []),
  ];
}

const RULE = 'places to stay that allow ';
const FOOD = 'meals of these cuisines: ';

const ROOMS: Readonly<Record<string, string>> = {
  'shared room': 'shared rooms',
  'not shared room': 'rooms that are not shared',
  'private room': 'private rooms',
  'entire room': 'entire homes or apartments',
};

/** Reads a request that was written here; undefined for any other words. */
export function readRequest(text: string): Omit<Query, 'query'> | undefined {
  if (text.length > 1000) return undefined;
  const match = FORM.exec(text);
  if (!match) return undefined;
  const [, days, people, org, cities, dest, first, last, budget, wishes = ''] = match;
  const asked = wishes === '' ? [] : wishes.split('; ');
  const one = <T extends string>(options: readonly T[], words: (option: T) => string): T | null =>
    options.find((option) => asked.includes(words(option))) ?? null;
  const food = asked.find((wish) => wish.startsWith(FOOD));
  const local_constraint = {
    'house rule': one(HOUSE_RULES, (rule) => `${RULE}${rule}`),
    cuisine: food ? food.slice(FOOD.length).split(', ') : null,
    'room type': one(ROOM_TYPES, (room) => ROOMS[room]!),
    transportation: one(TRANSPORTATION, (wish) => wish),
  };
  return {
    org: org!,
    dest: dest!,
    days: Number(days),
    visiting_city_number: cities ? Number(cities) : 1,
    date: datesFrom(first!, Number(days)).at(-1) === last ? datesFrom(first!, Number(days)) : [first!, last!],
    people_number: people === 'one person' ? 1 : Number.parseInt(people!, 10),
    budget: Number(budget),
    local_constraint,
    level: levelOf(local_constraint),
  };
}

const FORM =
  /^Plan a (\d)-day trip for (one person|\d+ people) from ([^,]+?) to (?:(\d) cities in )?([^,]+), from ([\d-]{10}) to ([\d-]{10}), with a budget of \$(\d+)\.(?: We ask for: (.+)\.)?$/;

/** A trip's days from its first, as the data set writes them; empty where that is no day. */
export function datesFrom(first: string, days: number): string[] {
  const start = /^\d{4}-\d\d-\d\d$/.test(first) ? Date.parse(`${first}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(start)) return [];
  return Array.from({ length: days }, (_, i) => new Date(start + i * 86_400_000).toISOString().slice(0, 10));
}

/** The data set's word for how much is asked. */
export function levelOf(local: LocalConstraint): string {
  const count = Object.values(local).filter((wish) => wish !== null).length;
  return count === 0 ? 'easy' : count === 1 ? 'medium' : 'hard';
}

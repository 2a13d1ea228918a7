/** The words of the errands world, and its tools. Every value word has one type, so that a value alone names its slot. */
import type { JsonObject, ToolSpec } from '../../core/types.ts';

export const VALUES = {
  person: ['Ana', 'Ben', 'Cleo', 'Dan', 'Eva', 'Finn'],
  item: ['report', 'photo', 'invoice', 'map'],
  city: ['Lima', 'Oslo', 'Cairo', 'Kyoto'],
  room: ['kitchen', 'hall', 'attic', 'office', 'porch'],
  goods: ['apples', 'eggs', 'candles', 'stamps'],
  music: ['jazz', 'blues', 'rock', 'folk'],
  day: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
  number: ['two', 'three', 'four', 'five', 'six'],
  level: ['dim', 'brighten'],
  lodging: ['hotel', 'hostel'],
  dish: ['soup', 'rice', 'stew', 'pasta'],
  plant: ['roses', 'ferns', 'lilies', 'herbs'],
  garment: ['shirt', 'coat', 'scarf', 'dress'],
  pet: ['cat', 'dog', 'parrot', 'rabbit'],
} as const;

export type Type = keyof typeof VALUES;

/** What `find` comes back with, and what `check` sees at the door. */
export const NAMES: readonly string[] = ['Astra', 'Bella', 'Luna', 'Nova'];
export const DOORS = ['open', 'shut'] as const;

/** Sky and door: what a condition can ask for. */
export const FACTS = {
  rain: 'it rains',
  dry: 'it is dry',
  open: 'the door is open',
  shut: 'the door is shut',
} as const;
export type Fact = keyof typeof FACTS;
export const OPPOSITE: Record<Fact, Fact> = { rain: 'dry', dry: 'rain', open: 'shut', shut: 'open' };

export type Verb =
  | 'text'
  | 'remind'
  | 'book'
  | 'buy'
  | 'light'
  | 'play'
  | 'cook'
  | 'water'
  | 'wash'
  | 'feed'
  | 'find'
  | 'check';

/** Arguments of each tool in the order in which a request names them, which is also that of the shorthand. */
export const TOOLS: Record<Verb, { about: string; args: readonly (readonly [name: string, type: Type])[] }> = {
  text: {
    about: 'Sends a document to a person.',
    args: [
      ['to', 'person'],
      ['item', 'item'],
    ],
  },
  remind: {
    about: 'Reminds a person on a day.',
    args: [
      ['who', 'person'],
      ['day', 'day'],
    ],
  },
  book: {
    about: 'Books a city, or a lodging that was found, for a number of people.',
    args: [
      ['place', 'city'],
      ['people', 'number'],
    ],
  },
  buy: {
    about: 'Buys a number of things.',
    args: [
      ['count', 'number'],
      ['goods', 'goods'],
    ],
  },
  light: {
    about: 'Changes the light in a room.',
    args: [
      ['level', 'level'],
      ['room', 'room'],
    ],
  },
  play: {
    about: 'Plays music in a room.',
    args: [
      ['music', 'music'],
      ['room', 'room'],
    ],
  },
  cook: { about: 'Cooks a dish.', args: [['dish', 'dish']] },
  water: { about: 'Waters plants.', args: [['plant', 'plant']] },
  wash: { about: 'Washes a garment.', args: [['garment', 'garment']] },
  feed: { about: 'Feeds a pet.', args: [['pet', 'pet']] },
  find: {
    about: 'Finds a lodging in a city and returns its name.',
    args: [
      ['kind', 'lodging'],
      ['city', 'city'],
    ],
  },
  check: { about: 'Looks whether the door is open or shut.', args: [] },
};

export const VERBS = Object.keys(TOOLS) as Verb[]; // The keys of a literal.

/** The tools as any model is told about them. */
export const TOOL_SPECS: readonly ToolSpec[] = VERBS.map((name) => ({
  name,
  description: TOOLS[name].about,
  parameters: {
    type: 'object',
    properties: Object.fromEntries(TOOLS[name].args.map(([arg, type]) => [arg, schemaOf(name, arg, type)])),
    required: TOOLS[name].args.map(([arg]) => arg),
    additionalProperties: false,
  },
}));

function schemaOf(verb: Verb, arg: string, type: Type): JsonObject {
  if (type === 'number') return { type: 'integer', minimum: 2, maximum: 6 };
  // What was found can be booked: its name is known only then.
  if (verb === 'book' && arg === 'place') return { type: 'string' };
  return { type: 'string', enum: [...VALUES[type]] };
}

export const countOf = (word: string): number => VALUES.number.indexOf(word as never) + 2;

const TYPES = new Map(
  (Object.entries(VALUES) as [Type, readonly string[]][]).flatMap(([type, words]) =>
    words.map((word) => [word, type] as const),
  ),
);

export const typeOf = (word: string): Type | undefined => TYPES.get(word);

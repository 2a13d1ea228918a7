/** Names of people, places and things that do not exist, put together from syllables and words. */
import type { Rng } from '../../core/rng.ts';

export type NameKind =
  | 'person'
  | 'town'
  | 'company'
  | 'work'
  | 'hall'
  | 'machine'
  | 'festival'
  | 'ship'
  | 'paper'
  | 'river';

const words = (list: string): string[] => list.split(' ');

const GIVEN = [
  words('Or Tam Il Bri Mar Sef Dov Yen Kes Al Per Nol Zu Hes Vor Lis Qua Fen Gry On'),
  words('vel sa ken dra uk fra al na tor uma rix wen bek lith ane mo ria du dis yr'),
];
const FAMILY = [
  words('Tash Bren Ulm Hask Vess Dorn Pell Krav Moss Quill Rud Sarn Thel Wex Yarl Zand Ibb Carr Loth Fenn'),
  words('inor ersby ovane ickel amer anoth usk ellin orik imond'),
];
const PLACE = [
  words('Ash Brack Cald Dun Eld Fal Gren Hol Ister Jarn Kell Lum Morr Nev Oster Prax Quorn Ros Skel Tarn'),
  words('holt mere wick grad stead haven mouth ford minster quay vale brook'),
];
const RIVER = [
  words('Av Bel Cor Dro Es Fal Gli Hu Iv Ja Lo Mi Ne Ol Sy Tu Ur Ve Wi Ye'),
  words('anna essa ille orra udra enta ivar ombe asper elio'),
];
const ADJECTIVES = words(
  'Salt Amber Hollow Crooked Silent Scarlet Winter Paper Copper Drowned Velvet Bitter Wandering Broken Gilded Pale Distant Iron Borrowed Seventh',
);
const NOUNS = words(
  'Lantern Orchard Compass Ferry Staircase Kingdom Violin Harvest Mirror Anchor Garden Clock Meadow Letter Harbour Bridge Fable Window Thimble Sparrow',
);
const MACHINES = words('loom kiln press pump plough lathe lamp winch');
const BIRDS = words('Petrel Heron Plover Curlew Dunlin Shrike Osprey Avocet Teal Gannet');
const FESTIVALS = words('Lantern Kite Barley Candle Drum Mask Oyster Thistle');
const PAPERS = words('Courier Herald Observer Messenger Gazette Chronicle');
const COMPANIES = words('Works Brothers Foundry Company');

export const pick = <T>(items: readonly T[], rng: Rng): T => items[rng.int(items.length)]!;

const joined = ([first, last]: string[][], rng: Rng): string => pick(first!, rng) + pick(last!, rng);

const MAKERS: Record<NameKind, (rng: Rng) => string> = {
  person: (rng) => `${joined(GIVEN, rng)} ${joined(FAMILY, rng)}`,
  town: (rng) => joined(PLACE, rng),
  company: (rng) => `${joined(FAMILY, rng)} ${pick(COMPANIES, rng)}`,
  work: (rng) => `The ${pick(ADJECTIVES, rng)} ${pick(NOUNS, rng)}`,
  hall: (rng) => `${joined(PLACE, rng)} Hall`,
  machine: (rng) => `${joined(FAMILY, rng)} ${pick(MACHINES, rng)}`,
  festival: (rng) => `${joined(RIVER, rng)} ${pick(FESTIVALS, rng)} Festival`,
  ship: (rng) => `${pick(ADJECTIVES, rng)} ${pick(BIRDS, rng)}`,
  paper: (rng) => `${joined(RIVER, rng)} ${pick(PAPERS, rng)}`,
  river: (rng) => joined(RIVER, rng),
};

export const makeName = (kind: NameKind, rng: Rng): string => MAKERS[kind](rng);

/**
 * Whether the value of a parameter can be known from the dialogue. Answers are compared letter by letter, so a value that
 * nobody said, or said in other letters, is a question of luck.
 */
import type { Json } from '../../core/types.ts';
import { pythonLiteral } from '../python.ts';
import { holds, loose, plain, type Said } from './said.ts';

/** From known to unknown: in its own letters, in other letters, a date whose year is left to guess, not at all. */
export const GROUNDINGS = ['said', 'spelledOtherwise', 'yearNotSaid', 'notSaid'] as const;
export type Grounding = (typeof GROUNDINGS)[number];

/** `type` is the parameter's, as tools declare it; the value is text as in the data. */
export function groundingOf(value: string, type: string, said: Said): Grounding {
  if (type === 'bool') return agrees(said.text, value) ? 'said' : 'notSaid';
  if (type.startsWith('list')) return groundingOfParts(pythonLiteral(value) ?? null, said);
  const words = plain(value);
  if (type === 'int' || type === 'float') return groundingOfNumber(words, said);
  if (holds(said.text, words)) return 'said';
  const date = DATE.exec(words);
  if (date) return groundingOfDate(date.groups!, said);
  if (/^[\d+\-*/().^% ]+$/.test(words) && holds(tight(said.text), tight(words))) return 'said';
  return holds(loose(said.text), loose(words)) ? 'spelledOtherwise' : 'notSaid';
}

/** 74.006 is the number 74.0060, but not its text. */
function groundingOfNumber(text: string, { numbers }: Said): Grounding {
  if (numbers.has(text)) return 'said';
  return text !== '' && [...numbers].some((number) => Number(number) === Number(text)) ? 'spelledOtherwise' : 'notSaid';
}

const DATE = /^(?:(?<year>\d{4})-)?(?<day>\d\d-\d\d)(?: (?<time>\d\d:\d\d)(?::(?<seconds>\d\d))?)?$/;

function groundingOfDate(
  { year, day, time, seconds = '00' }: Record<string, string | undefined>,
  said: Said,
): Grounding {
  if (!said.days.has(day!)) return 'notSaid';
  if (time !== undefined && (seconds !== '00' || !said.times.has(time))) return 'notSaid';
  return year === undefined || said.years.has(year) ? 'said' : 'yearNotSaid';
}

/** The least known part of a list speaks for all of it. */
function groundingOfParts(value: Json, said: Said): Grounding {
  if (typeof value === 'string') return groundingOf(value, 'str', said);
  if (typeof value === 'number') return groundingOf(String(value), 'float', said);
  if (typeof value !== 'object' || value === null) return 'notSaid';
  const parts = Object.values(value).map((part) => groundingOfParts(part, said));
  return GROUNDINGS[Math.max(...parts.map((part) => GROUNDINGS.indexOf(part)))] ?? 'notSaid';
}

/** Yes and no have no words of their own to be quoted. */
const YES = /\b(?:true|yes|enabled?|(?:turn|switch)(?:ed)?(?: it)? on)\b/i;
const NO = /\b(?:false|no|disabled?|(?:turn|switch)(?:ed)?(?: it)? off)\b/i;

const agrees = (text: string, value: string): boolean =>
  (value === 'True' && YES.test(text)) || (value === 'False' && NO.test(text));

/** Formulas without the spaces around their signs. */
const tight = (text: string): string => text.replace(/ ?([-+*/()^%]) ?/g, '$1');

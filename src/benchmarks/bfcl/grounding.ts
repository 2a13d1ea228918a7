/**
 * Whether the arguments of a generated call can be known from what the agent is told. A value is grounded when it is
 * - a boolean, null, or the parameter's default;
 * - a string that stands in the text as it is, at word boundaries, spaces and quotes aside; one of a parameter's listed
 *   choices may also differ in capitals and underscores; a date such as 2024-12-15 may be said in words (December 15, 2024);
 * - a number that the text has in digits (1,200 is 1200), or in words up to twenty.
 * Lists and objects are grounded when everything in them is.
 */
import type { Json, JsonObject } from '../../core/types.ts';
import { defaultOf, type FunctionDoc, isObject, type ParameterDoc } from './function-doc.ts';
import { choicesOf } from './schema.ts';

export interface Ground {
  text: string;
  /** Without capitals, underscores and hyphens. */
  loose: string;
  numbers: ReadonlySet<number>;
}

export function groundOf(text: string): Ground {
  const plain = normalised(text);
  return { text: plain, loose: loosened(plain), numbers: numbersIn(plain) };
}

/** The first argument that the text does not give; undefined when it gives all. */
export function ungrounded(args: JsonObject, { parameters }: FunctionDoc, ground: Ground): string | undefined {
  for (const [key, value] of Object.entries(args)) {
    const doc = parameters.properties[key]!;
    if (JSON.stringify(value) === JSON.stringify(defaultOf(doc))) continue;
    const missing = missingIn(value, doc, ground);
    if (missing !== undefined) return `${key} ${JSON.stringify(missing)}`;
  }
  return undefined;
}

function missingIn(value: Json, doc: ParameterDoc, ground: Ground): Json | undefined {
  if (typeof value === 'boolean' || value === null) return undefined;
  if (typeof value === 'number') return ground.numbers.has(value) ? undefined : value;
  if (typeof value === 'string') return isGrounded(value, doc, ground) ? undefined : value;
  const items = isObject(value) ? Object.values(value) : value;
  for (const item of items) {
    const missing = missingIn(item, doc, ground);
    if (missing !== undefined) return missing;
  }
  return undefined;
}

function isGrounded(value: string, doc: ParameterDoc, ground: Ground): boolean {
  const text = normalised(value);
  if (text === '') return false;
  if (standsIn(ground.text, text)) return true;
  if (choicesOf(doc)?.includes(value) && standsIn(ground.loose, loosened(text))) return true;
  return isDateIn(text, ground);
}

/** Whether the words occur, and not as part of longer words. */
function standsIn(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + words.length] ?? ' '];
    if (!(isWord(before) && isWord(words[0]!)) && !(isWord(after) && isWord(words.at(-1)!))) return true;
  }
  return false;
}

const isWord = (char: string) => /[\p{L}\p{N}_]/u.test(char);

const normalised = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[\u2018\u2019\u201c\u201d"]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();

const loosened = (text: string) => text.toLowerCase().replace(/[_-]/g, ' ');

const WORDS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );

function numbersIn(text: string): Set<number> {
  const numbers = new Set<number>();
  // A list such as [1,200] reads like a large number, so both readings count.
  for (const pattern of [/-?\d+(?:\.\d+)?/g, /-?\d{1,3}(?:,\d{3})+(?:\.\d+)?/g]) {
    for (const [found] of text.matchAll(pattern)) {
      const value = Number(found.replaceAll(',', ''));
      // A hyphen before a number is as often a dash.
      numbers.add(value).add(Math.abs(value));
    }
  }
  for (const [found] of text.toLowerCase().matchAll(/[a-z]+/g))
    if (WORDS.includes(found)) numbers.add(WORDS.indexOf(found));
  return numbers;
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');

/** 2024-12-15 where the text names the month, the day and the year. */
function isDateIn(text: string, { loose, numbers }: Ground): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  const name = MONTHS[Number(month) - 1];
  return name !== undefined && standsIn(loose, name) && dayIn(loose, Number(day)) && numbers.has(Number(year));
}

/** 15, or 15th. */
const dayIn = (loose: string, day: number) =>
  ['', 'st', 'nd', 'rd', 'th'].some((ending) => standsIn(loose, `${day}${ending}`));

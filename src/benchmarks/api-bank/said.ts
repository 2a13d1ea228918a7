/** What a dialogue says, made searchable: its words as written, its numbers, its days and its times of day. */

export interface Said {
  /** With one space between words and plain quotes and dashes. */
  text: string;
  /** In digits, as written; those in words up to twenty too. */
  numbers: ReadonlySet<string>;
  /** `03-26` */
  days: ReadonlySet<string>;
  years: ReadonlySet<string>;
  /** `15:00` */
  times: ReadonlySet<string>;
}

export function listen(texts: readonly string[]): Said {
  const text = plain(texts.join('\n'));
  const lower = text.toLowerCase();
  return {
    text,
    numbers: new Set(numbersIn(lower)),
    days: new Set(daysIn(lower)),
    years: new Set([...lower.matchAll(/(?<!\d)(?:19|20)\d\d(?!\d)/g)].map(([year]) => year)),
    times: new Set(timesIn(lower)),
  };
}

/** The same words however they are typeset. */
export const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[‘’‛]/g, "'")
    .replace(/[“”‟]/g, '"')
    .replace(/[‐‑‒–—−]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();

/** Letters and digits alone, in lower case. */
export const loose = (text: string): string =>
  text
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.join(' ') ?? '';

/** Whether a phrase stands in a text, not as a part of a longer word or number. */
export function holds(text: string, phrase: string): boolean {
  if (phrase === '') return false;
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    const before = at > 0 && isWord(text[at - 1]!) && isWord(phrase[0]!);
    const end = at + phrase.length;
    const after = end < text.length && isWord(text[end]!) && isWord(phrase.at(-1)!);
    if (!before && !after) return true;
  }
  return false;
}

const isWord = (char: string): boolean => /[\p{L}\p{N}_]/u.test(char);

const WORDS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );

function* numbersIn(text: string): Iterable<string> {
  const digits = text.replace(/(?<=\d),(?=\d{3}(?!\d))/g, '');
  // A dash is a sign only where nothing stands before it: in 2023-03-26 it is none.
  for (const [number] of digits.matchAll(/(?<![\p{L}\p{N}_.])(?:-(?=\d))?\d+(?:\.\d+)?/gu)) yield number;
  for (const [word] of text.matchAll(/[a-z]+/g)) if (WORDS.includes(word)) yield String(WORDS.indexOf(word));
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH = `(${MONTHS.join('|')})[a-z]*\\.?`;
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])';
const MONTH_DAY = new RegExp(`(?<![a-z])${MONTH} (?:the )?${DAY}`, 'g');
const DAY_MONTH = new RegExp(`(?<!\\d)${DAY} (?:of )?${MONTH}(?![a-z])`, 'g');

function* daysIn(text: string): Iterable<string> {
  for (const [, month, day] of text.matchAll(MONTH_DAY)) yield dayOf(MONTHS.indexOf(month!) + 1, day!);
  for (const [, day, month] of text.matchAll(DAY_MONTH)) yield dayOf(MONTHS.indexOf(month!) + 1, day!);
  for (const [, month, day] of text.matchAll(/(?<!\d)\d{4}[-./](\d{1,2})[-./](\d{1,2})(?!\d)/g))
    yield dayOf(month!, day!);
  for (const [, month, day] of text.matchAll(/(?<!\d)(\d{1,2})\/(\d{1,2})\/\d{4}(?!\d)/g)) yield dayOf(month!, day!);
}

const dayOf = (month: number | string, day: string): string =>
  `${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;

function* timesIn(text: string): Iterable<string> {
  for (const [, hour, minute = '00', half] of text.matchAll(
    /(?<![\d:])(\d{1,2})(?::(\d\d))?(?::\d\d)? ?([ap])\.?m(?![a-z])/g,
  ))
    yield `${String((Number(hour) % 12) + (half === 'p' ? 12 : 0)).padStart(2, '0')}:${minute}`;
  for (const [, hour, minute] of text.matchAll(/(?<![\d:])(\d{1,2}):(\d\d)(?::\d\d)?(?!\d| ?[ap]\.?m(?![a-z]))/g))
    yield `${hour!.padStart(2, '0')}:${minute}`;
  if (/(?<![a-z])noon(?![a-z])/.test(text)) yield '12:00';
  if (/(?<![a-z])midnight(?![a-z])/.test(text)) yield '00:00';
}

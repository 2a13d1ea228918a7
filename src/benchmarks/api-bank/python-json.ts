/**
 * JSON as Python's `json.loads` reads it, which is what the official scorer calls: NaN and the infinities are numbers,
 * nesting has an end, and so have the digits of an integer. It never throws: models write much that is no JSON.
 */
import type { Json, JsonObject } from '../../core/types.ts';

/** A thousand frames less those of the caller: nested deeper, Python raises RecursionError. */
export const MAX_LEVELS = 990;
/** Python refuses to read longer integers. */
const MAX_DIGITS = 4300;

/** The value, or undefined where Python raises. Duplicate keys: the last one wins. */
export function pythonJson(text: string): Json | undefined {
  let at = 0;
  /** One value, or undefined; `levels` is how much deeper it may nest. */
  const value = (levels: number): Json | undefined => {
    const first = text[at];
    if (first === '{') return object(levels);
    if (first === '[') return array(levels);
    if (first === '"') return string();
    return number() ?? constant();
  };

  const object = (levels: number): JsonObject | undefined => {
    if (levels === 0) return undefined;
    at++;
    const fields: [string, Json][] = [];
    skipSpace();
    if (take('}')) return {};
    for (;;) {
      const key = text[at] === '"' ? string() : undefined;
      if (key === undefined) return undefined;
      skipSpace();
      if (!take(':')) return undefined;
      skipSpace();
      const field = value(levels - 1);
      if (field === undefined) return undefined;
      fields.push([key, field]);
      skipSpace();
      // fromEntries defines own fields, so `__proto__` is a key like any other.
      if (take('}')) return Object.fromEntries(fields);
      if (!take(',')) return undefined;
      skipSpace();
    }
  };

  const array = (levels: number): Json[] | undefined => {
    if (levels === 0) return undefined;
    at++;
    const items: Json[] = [];
    skipSpace();
    if (take(']')) return items;
    for (;;) {
      const item = value(levels - 1);
      if (item === undefined) return undefined;
      items.push(item);
      skipSpace();
      if (take(']')) return items;
      if (!take(',')) return undefined;
      skipSpace();
    }
  };

  const string = (): string | undefined => {
    // Joined at the end: millions of escapes would make a tall tree of sums.
    const parts: string[] = [];
    for (let from = ++at; ; at++) {
      const code = text.charCodeAt(at);
      // Beyond the end the code is NaN.
      if (!(code >= 0x20)) return undefined;
      if (code !== QUOTE && code !== BACKSLASH) continue;
      if (at > from) parts.push(text.slice(from, at));
      if (code === QUOTE) {
        at++;
        return parts.join('');
      }
      const escaped = text[++at] ?? '';
      if (escaped === 'u') {
        const hex = text.slice(at + 1, at + 5);
        if (!/^[0-9a-fA-F]{4}$/.test(hex)) return undefined;
        parts.push(String.fromCharCode(Number.parseInt(hex, 16)));
        at += 4;
      } else if (ESCAPES.has(escaped)) {
        parts.push(ESCAPES.get(escaped)!);
      } else {
        return undefined;
      }
      from = at + 1;
    }
  };

  const number = (): number | undefined => {
    NUMBER.lastIndex = at;
    const [digits, more] = NUMBER.exec(text) ?? [];
    if (digits === undefined || (more === '' && digits.length > MAX_DIGITS + (digits[0] === '-' ? 1 : 0)))
      return undefined;
    at += digits.length;
    return Number(digits);
  };

  const constant = (): Json | undefined => {
    const found = CONSTANTS.find(([word]) => text.startsWith(word, at));
    at += found?.[0].length ?? 0;
    return found?.[1];
  };

  const take = (char: string): boolean => {
    if (text[at] !== char) return false;
    at++;
    return true;
  };

  const skipSpace = () => {
    while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++;
  };

  skipSpace();
  const read = value(MAX_LEVELS);
  skipSpace();
  return at === text.length ? read : undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

const CONSTANTS: readonly [string, Json][] = [
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
];

const NUMBER = /-?(?:0|[1-9][0-9]*)((?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)/y;

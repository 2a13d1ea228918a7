/**
 * JSON.parse that remembers what it rounds off: that 5.0 was written as a float, and the digits of a long integer. The
 * official rules tell such numbers apart; the plain values that the rest of the code passes around do not.
 */
import type { Json } from '../../core/types.ts';
import { dictOf, type Value } from './values.ts';

/** Numbers by the array or object that holds them. */
const written = new WeakMap<object, Map<string | number, bigint | number>>();

/** What an integer cannot hide in: texts without these are read by JSON.parse alone. */
const SUSPECT = /[0-9](?:\.0|[eE])|[0-9]{16}/;

/** As JSON.parse, errors included. */
export function readJson(text: string): Json {
  const value = JSON.parse(text) as Json;
  return SUSPECT.test(text) && typeof value === 'object' && value !== null ? remembering(text) : value;
}

interface Frame {
  container: Json[] | { [key: string]: Json };
  /** In an object, the key whose value comes next. */
  key: string | undefined;
}

/** Reads a text that is known to be JSON, without recursion: nesting has no limit. */
function remembering(text: string): Json {
  const root: Json[] = [];
  const stack: Frame[] = [{ container: root, key: undefined }];

  const place = (value: Json, exact?: bigint | number) => {
    const frame = stack.at(-1)!;
    const { container } = frame;
    const key = Array.isArray(container) ? container.length : frame.key!;
    Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
    frame.key = undefined;
    if (exact !== undefined) numbersIn(container).set(key, exact);
    else written.get(container)?.delete(key); // A repeated key: the last one wins.
  };

  for (let at = 0; at < text.length; ) {
    const char = text[at]!;
    if (char === '"') {
      const end = endOfString(text, at);
      const string = JSON.parse(text.slice(at, end)) as string;
      const frame = stack.at(-1)!;
      if (Array.isArray(frame.container) || frame.key !== undefined) place(string);
      else frame.key = string;
      at = end;
    } else if (char === '{' || char === '[') {
      const container = char === '{' ? {} : [];
      place(container);
      stack.push({ container, key: undefined });
      at++;
    } else if (char === '}' || char === ']') {
      stack.pop();
      at++;
    } else if (BETWEEN.has(char)) at++;
    else {
      let end = at + 1;
      while (end < text.length && !STOP.has(text[end]!)) end++;
      const source = text.slice(at, end);
      place(JSON.parse(source) as Json, rounded(source));
      at = end;
    }
  }
  return root[0]!;
}

const BETWEEN = new Set([' ', '\t', '\n', '\r', ',', ':']);
const STOP = new Set([...BETWEEN, ']', '}']);

function numbersIn(container: object): Map<string | number, bigint | number> {
  const numbers = written.get(container) ?? new Map<string | number, bigint | number>();
  written.set(container, numbers);
  return numbers;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
}

/** What a number was, where a plain number does not say it. */
function rounded(source: string): bigint | number | undefined {
  const value = Number(source);
  if (!Number.isInteger(value)) return undefined;
  if (/[.eE]/.test(source)) return value;
  return Number.isSafeInteger(value) || source.length > MAX_DIGITS ? undefined : BigInt(source);
}

/** Longer integers are rounded: Python refuses them, and they would take long to convert. */
const MAX_DIGITS = 4300;
/** Nothing in the data is a hundredth as deep; what is deeper equals nothing. */
const MAX_DEPTH = 1000;

/** The Python value of something read by `readJson`; read by other means, whole numbers count as ints. */
export function exactValue(json: Json, depth = 0): Value {
  if (typeof json === 'number') return Number.isInteger(json) ? wholeNumber(json) : json;
  if (json === null || typeof json !== 'object') return json;
  if (depth > MAX_DEPTH) return { kind: 'opaque', type: 'unreadable', text: '' };
  const numbers = written.get(json);
  const item = (value: Json, key: string | number) => numbers?.get(key) ?? exactValue(value, depth + 1);
  if (Array.isArray(json)) return json.map(item);
  return dictOf(Object.entries(json).map(([key, value]) => [key, item(value, key)] as const));
}

/** The digits that were probably written: the shortest that mean this number. */
const wholeNumber = (value: number) => BigInt(Math.abs(value) < 1e21 ? String(value) : value);

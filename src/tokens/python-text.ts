/** Values of a template as Python writes them: str(), repr() and json.dumps(). Templates are written for Python. */

import type { TemplateValue } from './python-values.ts';

export interface JsonStyle {
  indent?: number | null;
  ensureAscii?: boolean;
  separators?: readonly [string, string] | null;
  sortKeys?: boolean;
}

export function pythonStr(value: TemplateValue): string {
  return value.type === 'StringValue' ? (value.value as string) : pythonRepr(value);
}

function pythonRepr({ type, value }: TemplateValue): string {
  switch (type) {
    case 'StringValue':
      return quoted(value as string);
    case 'IntegerValue':
    case 'FloatValue':
      return number(type, value as number);
    case 'BooleanValue':
      return value ? 'True' : 'False';
    case 'NullValue':
      return 'None';
    case 'UndefinedValue':
      return '';
    case 'TupleValue': {
      const items = (value as TemplateValue[]).map(pythonRepr);
      return `(${items.join(', ')}${items.length === 1 ? ',' : ''})`;
    }
    case 'ArrayValue':
      return `[${(value as TemplateValue[]).map(pythonRepr).join(', ')}]`;
    default:
      if (!(value instanceof Map)) throw new TypeError(`a template writes out a ${type}`);
      return `{${entriesOf(value)
        .map(([key, entry]) => `${quoted(key)}: ${pythonRepr(entry)}`)
        .join(', ')}}`;
  }
}

export function pythonJson(value: TemplateValue, style: JsonStyle = {}): string {
  const { indent = null, ensureAscii = false, sortKeys = false } = style;
  const [between, colon] = style.separators ?? [indent === null ? ', ' : ',', ': '];
  const text = (raw: string) => {
    const plain = JSON.stringify(raw);
    return ensureAscii ? plain.replace(/[\x7f-\uffff]/g, unicodeEscape) : plain;
  };
  const list = (open: string, close: string, items: string[], depth: number) => {
    if (items.length === 0) return open + close;
    if (indent === null) return open + items.join(between) + close;
    const line = `\n${' '.repeat(indent * (depth + 1))}`;
    return `${open}${line}${items.join(between + line)}\n${' '.repeat(indent * depth)}${close}`;
  };
  const write = ({ type, value: inner }: TemplateValue, depth: number): string => {
    switch (type) {
      case 'StringValue':
        return text(inner as string);
      case 'IntegerValue':
      case 'FloatValue':
        return number(type, inner as number);
      case 'BooleanValue':
        return inner ? 'true' : 'false';
      case 'NullValue':
        return 'null';
      case 'ArrayValue':
      case 'TupleValue': {
        const items = (inner as TemplateValue[]).map((item) => write(item, depth + 1));
        return list('[', ']', items, depth);
      }
      default: {
        if (!(inner instanceof Map)) throw new TypeError(`a template writes a ${type} as JSON`);
        const entries = entriesOf(inner);
        if (sortKeys) entries.sort(([a], [b]) => byCodePoint(a, b));
        const items = entries.map(([key, entry]) => text(key) + colon + write(entry, depth + 1));
        return list('{', '}', items, depth);
      }
    }
  };
  return write(value, 0);
}

const entriesOf = (map: Map<unknown, unknown>) => [...map] as [string, TemplateValue][];

/** The digits JSON would carry to Python; from 1e21 on an integer comes with an exponent, which Python reads as a float. */
const number = (type: 'IntegerValue' | 'FloatValue', value: number) =>
  type === 'IntegerValue' && Math.abs(value) < 1e21 ? String(value) : float(value);

/** The same digits as JavaScript's; the exponent begins earlier and has two digits. */
function float(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [digits, exponent] = value.toExponential().split('e') as [string, string];
  const power = Number(exponent);
  if (power < -4 || power >= 16) {
    return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
  }
  const plain = power < 0 ? value.toFixed(digits.replace(/[-.]/g, '').length - 1 - power) : String(value);
  return plain.includes('.') ? plain : `${plain}.0`;
}

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = '';
  for (const char of text) {
    if (char === quote || char === '\\') out += `\\${char}`;
    else if (char in SHORT) out += SHORT[char as keyof typeof SHORT];
    else if (char !== ' ' && /[\p{C}\p{Z}]/u.test(char)) out += escaped(char.codePointAt(0)!);
    else out += char;
  }
  return quote + out + quote;
}

const SHORT = { '\n': '\\n', '\r': '\\r', '\t': '\\t' } as const;

function escaped(code: number): string {
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

const unicodeEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

function byCodePoint(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = left[i]!.codePointAt(0)! - right[i]!.codePointAt(0)!;
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** What Python's str.strip() takes for space; JavaScript's trim() takes a byte-order mark too, and leaves four controls. */
const SPACE = new Set(
  [
    ...'\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a',
    ...'\u2028\u2029\u202f\u205f\u3000',
  ].map((char) => char),
);

export function pythonStrip(text: string, sides: 'both' | 'left' | 'right', characters?: string | null): string {
  const gone = characters === undefined || characters === null ? SPACE : new Set(characters);
  const points = [...text];
  let start = 0;
  let end = points.length;
  if (sides !== 'right') while (start < end && gone.has(points[start]!)) start++;
  if (sides !== 'left') while (end > start && gone.has(points[end - 1]!)) end--;
  return points.slice(start, end).join('');
}

/**
 * Python's values, for rules that tell 5 from 5.0 and a tuple from a list: ints are bigints, floats are numbers, lists are
 * arrays, and what JavaScript has no word for carries its kind.
 */
import { NotPython } from '../python.ts';

export type Value = null | boolean | bigint | number | string | readonly Value[] | Tuple | Dict | Opaque;

export interface Tuple {
  kind: 'tuple';
  items: readonly Value[];
}

export interface Dict {
  kind: 'dict';
  /** By what Python hashes, because 1, 1.0 and True are one key. */
  entries: Map<string, { key: Value; value: Value }>;
}

/** A value that no answer holds: it has a type and an identity, and equals only itself. */
export interface Opaque {
  kind: 'opaque';
  type: 'bytes' | 'complex' | 'unreadable';
  text: string;
}

export type TypeName = 'NoneType' | 'bool' | 'int' | 'float' | 'str' | 'list' | 'tuple' | 'dict' | Opaque['type'];

export function typeOf(value: Value): TypeName {
  if (value === null) return 'NoneType';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'float';
    case 'string':
      return 'str';
  }
  if (isList(value)) return 'list';
  return value.kind === 'opaque' ? value.type : value.kind;
}

/** `Array.isArray` does not narrow to read-only arrays. */
export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

export const isDict = (value: Value): value is Dict => typeOf(value) === 'dict';

export function dictOf(pairs: Iterable<readonly [Value, Value]>): Dict {
  const entries: Dict['entries'] = new Map();
  for (const [key, value] of pairs) {
    const hash = hashOf(key);
    // The first spelling of a key stays, the last value wins.
    entries.set(hash, { key: entries.get(hash)?.key ?? key, value });
  }
  return { kind: 'dict', entries };
}

export const entryOf = (dict: Dict, key: Value): Value | undefined => dict.entries.get(hashOf(key))?.value;

function hashOf(key: Value): string {
  if (typeof key === 'string') return `s${key}`;
  if (key === null) return 'None';
  const size = numberOf(key);
  if (size !== undefined) return `n${Number.isInteger(size) ? BigInt(size) : size}`;
  if (isList(key) || typeof key !== 'object') throw new NotPython('a list cannot be a key');
  if (key.kind === 'tuple') return `t${JSON.stringify(key.items.map(hashOf))}`;
  if (key.kind === 'dict') throw new NotPython('a dict cannot be a key');
  return `o${key.type}:${key.text}`;
}

/** The number that a value is for arithmetic and equality: True is 1. */
export function numberOf(value: Value): bigint | number | undefined {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return typeof value === 'bigint' || typeof value === 'number' ? value : undefined;
}

/** Python's ==. */
export function equal(a: Value, b: Value): boolean {
  const [left, right] = [numberOf(a), numberOf(b)];
  // biome-ignore lint/suspicious/noDoubleEquals: only == compares an int with a float, and it does so exactly.
  if (left !== undefined || right !== undefined) return left !== undefined && right !== undefined && left == right;
  if (a === null || b === null || typeof a === 'string' || typeof b === 'string') return a === b;
  if (isList(a) || isList(b)) return isList(a) && isList(b) && equalItems(a, b);
  if (typeof a !== 'object' || typeof b !== 'object') return false;
  if (a.kind === 'tuple') return b.kind === 'tuple' && equalItems(a.items, b.items);
  if (a.kind === 'opaque') return b.kind === 'opaque' && a.type === b.type && a.text === b.text;
  if (b.kind !== 'dict' || a.entries.size !== b.entries.size) return false;
  for (const [hash, { value }] of a.entries) {
    const other = b.entries.get(hash);
    if (other === undefined || !equal(value, other.value)) return false;
  }
  return true;
}

const equalItems = (a: readonly Value[], b: readonly Value[]) =>
  a.length === b.length && a.every((item, i) => equal(item, b[i]!));

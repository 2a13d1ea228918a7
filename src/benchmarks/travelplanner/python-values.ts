/**
 * Python's operators over JSON values, as far as the official evaluator applies them to plans: membership, subscripts,
 * truth, equality. A plan is whatever a model wrote, so what Python would raise on is raised here too, by the same name.
 */
import type { Json, JsonObject } from '../../core/types.ts';

/** An exception of the official evaluator. Its name is part of the verdict. */
export class PythonError extends Error {
  override readonly name: 'KeyError' | 'TypeError' | 'AttributeError' | 'IndexError' | 'ValueError';

  constructor(name: PythonError['name'], message: string) {
    super(message);
    this.name = name;
  }
}

export const isDict = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** bool(value) */
export function truthy(value: Json): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isDict(value)) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** len(value) */
export function lengthOf(value: Json): number {
  if (typeof value === 'string') return [...value].length;
  if (Array.isArray(value)) return value.length;
  if (isDict(value)) return Object.keys(value).length;
  throw new PythonError('TypeError', `${typeName(value)} has no len()`);
}

/** value[index], by position */
export function itemAt(value: Json, index: number): Json {
  if (Array.isArray(value) || typeof value === 'string') {
    const item = typeof value === 'string' ? [...value][index] : value[index];
    if (item === undefined) throw new PythonError('IndexError', 'index out of range');
    return item;
  }
  // Keys of a JSON object are texts: a position is never among them.
  if (isDict(value)) throw new PythonError('KeyError', String(index));
  throw new PythonError('TypeError', `${typeName(value)} is not subscriptable`);
}

/** value[key], by name */
export function itemOf(value: Json, key: string): Json {
  if (!isDict(value)) throw new PythonError('TypeError', `${typeName(value)} has no keys`);
  if (!Object.hasOwn(value, key)) throw new PythonError('KeyError', `'${key}'`);
  return value[key]!;
}

/** item in container */
export function contains(container: Json, item: string): boolean {
  if (typeof container === 'string') return container.includes(item);
  if (Array.isArray(container)) return container.includes(item);
  if (isDict(container)) return Object.hasOwn(container, item);
  throw new PythonError('TypeError', `${typeName(container)} is not iterable`);
}

/** a == b, where true is 1 and false is 0 */
export function equal(a: Json, b: Json): boolean {
  if (typeof a === 'boolean') return equal(Number(a), b);
  if (typeof b === 'boolean') return equal(a, Number(b));
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => equal(item, b[i]!));
  }
  if (!isDict(a) || !isDict(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key]!, b[key]!));
}

/** What a string method is called on: anything else lacks the method. */
export function receiver(value: Json): string {
  if (typeof value !== 'string') throw new PythonError('AttributeError', `${typeName(value)} is no text`);
  return value;
}

/** What a regular expression is applied to. */
export function subject(value: Json | null): string {
  if (typeof value !== 'string') throw new PythonError('TypeError', `expected a text, not ${typeName(value)}`);
  return value;
}

function typeName(value: Json): string {
  if (value === null) return 'None';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a dict' : `a ${typeof value}`;
}

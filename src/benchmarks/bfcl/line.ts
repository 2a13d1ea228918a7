/** The fields of a saved line, read with the care that a stranger's file needs. */
import { LineError } from '../../core/exam.ts';
import type { Json, JsonObject } from '../../core/types.ts';
import { readJson } from './exact-json.ts';
import { docsProblem, type FunctionDoc } from './function-doc.ts';

export function idOf(line: JsonObject): string {
  if (typeof line.id !== 'string' || line.id === '') throw new LineError('the line has no "id"');
  return line.id;
}

export function outputOf(line: JsonObject): Json {
  if (!Object.hasOwn(line, 'output')) throw new LineError(`${idOf(line)} has no "output"`);
  return line.output!;
}

/** The first of these fields; a text is read as JSON, which keeps 5.0 a float wherever the line has been. */
export function fieldOf(line: JsonObject, ...names: string[]): Json | undefined {
  const name = names.find((key) => Object.hasOwn(line, key));
  const value = name === undefined ? undefined : line[name];
  if (typeof value !== 'string') return value ?? undefined;
  try {
    return readJson(value);
  } catch {
    throw new LineError(`${idOf(line)}: "${name}" is not JSON`);
  }
}

export function functionsOf(line: JsonObject): FunctionDoc[] | undefined {
  const functions = fieldOf(line, 'functions', 'function');
  if (functions === undefined) return undefined;
  const problem = docsProblem(functions);
  if (problem !== undefined) throw new LineError(`${idOf(line)}: ${problem}`);
  return functions as unknown as FunctionDoc[]; // Looked at by docsProblem.
}

export function categoryOf(line: JsonObject): string | undefined {
  const category = line.category ?? line.test_category;
  if (category !== undefined && typeof category !== 'string')
    throw new LineError(`${idOf(line)}: "category" is no text`);
  return category;
}

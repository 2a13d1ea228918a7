/**
 * The folder of an evaluation: `evaluation.json` says what is asked of whom, beside the answers. Going on with other
 * settings would mix the answers of two examinees, so it is refused.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson } from '../core/content-id.ts';
import type { Json, JsonObject } from '../core/types.ts';
import { writeJson } from '../report/write-whole.ts';
import { lockRun } from '../store/index.ts';

/** Something the user must change: a name that is taken, or settings that do not fit it. */
export class EvaluationError extends Error {
  override readonly name = 'EvaluationError';
}

const SETTINGS = 'evaluation.json';
const LOCK = 'evaluation.lock';
export const PREDICTIONS = 'predictions.jsonl';

/** Makes or finds the folder, and holds it until disposed of. `settings` is everything that the answers depend on. */
export function claimEvaluation(folder: string, settings: JsonObject): Disposable {
  const entries = entriesOf(folder);
  if (entries.length > 0 && !entries.includes(SETTINGS)) {
    throw new EvaluationError(`${folder} exists and is no evaluation. Choose another name with --name.`);
  }
  mkdirSync(folder, { recursive: true });
  const lock = lockRun(folder, LOCK);
  try {
    if (entries.includes(SETTINGS)) compare(folder, settings);
    else writeJson(join(folder, SETTINGS), settings);
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
  return lock;
}

/** An evaluation that failed before its first answer leaves nothing to go on with. */
export function discardUnanswered(folder: string): void {
  if ((statSync(join(folder, PREDICTIONS), { throwIfNoEntry: false })?.size ?? 0) > 0) return;
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Some systems do not remove what is still locked; then it stays, and can be gone on with.
  }
}

function compare(folder: string, settings: JsonObject): void {
  const before = readSettings(folder);
  const [was, is] = [flat(before), flat(settings)];
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter((path) => was.get(path) !== is.get(path));
  if (changed.length === 0) return;
  const told = changed.map(
    (path) => `${path} was ${was.get(path) ?? 'not set'} and is now ${is.get(path) ?? 'not set'}`,
  );
  throw new EvaluationError(
    `${folder} was begun with other settings: ${told.join('; ')}. Use the same ones to go on, or another --name.`,
  );
}

function readSettings(folder: string): JsonObject {
  try {
    return JSON.parse(readFileSync(join(folder, SETTINGS), 'utf8')) as JsonObject;
  } catch {
    throw new EvaluationError(`${join(folder, SETTINGS)} can't be read. Choose another name with --name.`);
  }
}

/** `engine.model` → its value as JSON. */
function flat(value: Json, path = ''): Map<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return new Map([[path, canonicalJson(value)]]);
  return new Map(
    Object.entries(value).flatMap(([key, inner]) => [...flat(inner, path === '' ? key : `${path}.${key}`)]),
  );
}

function entriesOf(folder: string): string[] {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) throw new EvaluationError(`${folder} is a file. Choose another name with --name.`);
  // One that was killed before it had settings has only been locked.
  return readdirSync(folder).filter((name) => !name.startsWith(LOCK));
}

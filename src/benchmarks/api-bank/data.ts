/** API-Bank's rows in the form that ToolRL gave them: three files, one for each level. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../core/types.ts';
import { DataError, readData } from '../data.ts';
import { isObject } from './is-object.ts';
import type { GoldCall } from './score.ts';

export type Level = 1 | 2 | 3;
export const LEVELS: readonly Level[] = [1, 2, 3];

/** The call to make, as the data has it: every value is text, also where the tool wants a number or a list. */
export type Call = { name: string; parameters: Record<string, string> };

export interface Row {
  /** `level-2/5`: the file's level and the position in it, from 0. */
  id: string;
  level: Level;
  system: string;
  user: string;
  gold: Call;
  /** The dialogue or plan that the row was cut from; a later row shows the gold calls of the earlier ones. */
  dialogue: string;
}

export const fileOf = (level: Level): string => `toolrl/level-${level}-api_processed.json`;

/** All rows, in the order of the levels. */
export async function loadRows(folder: string): Promise<Row[]> {
  const texts = await Promise.all(LEVELS.map((level) => readData(folder, fileOf(level), 'api-bank')));
  return LEVELS.flatMap((level, i) => rowsIn(texts[i]!, level, folder));
}

/** The same at once, for where nobody can wait: what the simulator writes is read in between. */
export const loadRowsNow = (folder: string): Row[] =>
  LEVELS.flatMap((level) => rowsIn(readFileSync(join(folder, fileOf(level)), 'utf8'), level, folder));

function rowsIn(text: string, level: Level, folder: string): Row[] {
  const broken = (what: string) =>
    new DataError(`${join(folder, fileOf(level))} ${what}. Run: genenv data verify api-bank`);
  const values = parse(text);
  if (!Array.isArray(values)) throw broken('is not a list of rows');
  return values.map((value, index) => {
    const row = readRow(value, level, index);
    if (!row) throw broken(`has no row at ${index}`);
    return row;
  });
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function readRow(value: Json, level: Level, index: number): Row | undefined {
  if (!isObject(value)) return undefined;
  const { system, user, answer = null, other = null } = value;
  const gold = goldOf(answer);
  if (typeof system !== 'string' || typeof user !== 'string' || !isObject(other) || !isTextCall(gold)) return undefined;
  return {
    id: `level-${level}/${index}`,
    level,
    system,
    user,
    gold,
    dialogue: `${level} ${other.file ?? other.sample_id}`,
  };
}

/** The call of an answer in the data's form: an object, or a list whose first element is one. */
export function goldOf(answer: Json): GoldCall | undefined {
  const first = Array.isArray(answer) ? (answer[0] ?? null) : answer;
  if (!isObject(first) || !Object.hasOwn(first, 'name') || !Object.hasOwn(first, 'parameters')) return undefined;
  return { name: first.name!, parameters: first.parameters! };
}

const isTextCall = (call: GoldCall | undefined): call is Call =>
  call !== undefined &&
  typeof call.name === 'string' &&
  isObject(call.parameters) &&
  Object.values(call.parameters).every((value) => typeof value === 'string');

/** Rows by id, read once and when first asked for. The ids of the official scripts, `Level2_5`, name them too. */
export function rowsByNeed(folder: string): () => Promise<ReadonlyMap<string, Row>> {
  let loading: Promise<ReadonlyMap<string, Row>> | undefined;
  return () => {
    loading ??= loadRows(folder).then((rows) => new Map(rows.map((row) => [row.id, row])));
    return loading;
  };
}

/** Our name for a row, whichever way it is written. */
export function rowId(id: string): string {
  const official = /^Level([123])_(\d{1,4})$/.exec(id);
  return official ? `level-${official[1]}/${Number(official[2])}` : id;
}

/** The level that an id names; undefined for ids of other kinds. */
export function levelOf(id: string): Level | undefined {
  const level = Number(/^level-([123])\//.exec(rowId(id))?.[1]);
  return LEVELS.find((one) => one === level);
}

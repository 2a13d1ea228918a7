/**
 * The data set: queries, their reference information, and the sandbox. Read when first needed, from prepared files where
 * they are there (`train_queries.jsonl` and the like), else from what `genenv data pull` fetches.
 */
import { join } from 'node:path';
import type { Json, JsonObject } from '../../core/types.ts';
import { DataError } from '../data.ts';
import type { Database } from './database.ts';
import { hasFile, readLines } from './files.ts';
import { publicTraining, publicValidation } from './public.ts';
import { type Query, readQuery } from './query.ts';
import { openDatabase } from './tables.ts';

export type Split = 'train' | 'validation';

/** A query of the data set by its number, and the training split's own plan for it. */
export interface Numbered {
  idx: number;
  query: Query;
  annotated: Json | undefined;
}

/** A query with what the traveller's planner is told. */
export interface Row extends Numbered {
  /** Section title → rows or a sentence, in order: attractions, restaurants and accommodations by city, then the legs. */
  reference: JsonObject;
}

export interface TravelData {
  database: Database;
  /** The queries that have reference information: all 45 for training, 105 of 180 for validation. */
  rows(split: Split): Row[];
  row(split: Split, idx: number): Row | undefined;
  /** A query by its number, with or without reference information. */
  query(split: Split, idx: number): Query | undefined;
  queries(split: Split): Query[];
}

export function openData(folder: string): TravelData {
  const database = openDatabase(folder, () => [...references('train').values(), ...references('validation').values()]);
  const references = perSplit((split) => readReferences(folder, split, database));
  const numbered = perSplit((split) => readQueries(folder, split, database));
  const queries = perSplit((split) => new Map(numbered(split).map(({ idx, query }) => [idx, query])));
  const rows = perSplit((split) =>
    numbered(split).flatMap((own): Row[] => {
      const reference = references(split).get(own.idx);
      return reference ? [{ ...own, reference }] : [];
    }),
  );
  const byIndex = perSplit((split) => new Map(rows(split).map((row) => [row.idx, row])));
  return {
    database,
    rows,
    row: (split, idx) => byIndex(split).get(idx),
    query: (split, idx) => queries(split).get(idx),
    queries: (split) => [...queries(split).values()],
  };
}

function readQueries(folder: string, split: Split, database: Database): Numbered[] {
  const file = `${split}_queries.jsonl`;
  if (!hasFile(folder, file)) {
    return split === 'train' ? publicTraining(folder, database) : publicValidation(folder, database);
  }
  return readLines(folder, file).map((line, i) => {
    const query = readQuery(line);
    if ('problem' in query) throw new DataError(`${join(folder, file)}:${i + 1}: ${query.problem}`);
    return { idx: Number(line.idx ?? i + 1), query, annotated: line.annotated_plan };
  });
}

const SUBSET = 'validation_ref_info_subset.jsonl';

/** Reference information by the number of its query, which is its line where it has no number. */
function readReferences(folder: string, split: Split, database: Database): Map<number, JsonObject> {
  if (split === 'validation' && !hasFile(folder, SUBSET)) {
    return new Map(publicValidation(folder, database).map(({ idx, reference }) => [idx, reference]));
  }
  return new Map(
    readLines(folder, split === 'train' ? 'database/train_ref_info.jsonl' : SUBSET).map(({ idx, ...reference }, i) => [
      typeof idx === 'number' ? idx : i + 1,
      reference,
    ]),
  );
}

function perSplit<T>(make: (split: Split) => T): (split: Split) => T {
  const made = new Map<Split, T>();
  return (split) => {
    if (!made.has(split)) made.set(split, make(split));
    return made.get(split)!;
  };
}

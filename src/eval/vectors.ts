/** A file of test vectors, whose verdicts the official checkers gave, against ours. */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { canonicalJson } from '../core/content-id.ts';
import type { Json, JsonObject } from '../core/types.ts';
import { type ExaminedName, jsonReader, type VectorVerdict, vectorJudge } from '../exams.ts';
import { readLines } from './read-lines.ts';

export interface VectorReport {
  /** Vectors in the file; each of them agrees, disagrees or is skipped. */
  total: number;
  agree: number;
  /** About protocols that are not ours. */
  skipped: number;
  disagreements: { id: Json; expected: Json; got: Json }[];
}

/** `data` is the benchmark's folder, for vectors that name their question instead of bringing it. */
export async function judgeVectors(benchmark: ExaminedName, file: string, data: string): Promise<VectorReport> {
  const judge = await vectorJudge(benchmark);
  const report: VectorReport = { total: 0, agree: 0, skipped: 0, disagreements: [] };
  for await (const vector of vectorsIn(file, await jsonReader(benchmark))) {
    report.total++;
    const verdict = await judge(vector, { data }).catch(failure);
    if (verdict === 'skipped') report.skipped++;
    else if (canonicalJson(verdict.expected) === canonicalJson(verdict.got)) report.agree++;
    else report.disagreements.push({ id: vector.id ?? report.total, ...verdict });
  }
  return report;
}

/** One vector that breaks the judge must not hide what the others say. */
const failure = (error: unknown): VectorVerdict => ({
  expected: 'a verdict',
  got: { error: error instanceof Error ? error.message : String(error) },
});

/** One a line, or all in one object or list. */
async function* vectorsIn(file: string, readJson: (text: string) => Json): AsyncGenerator<JsonObject> {
  if (extname(file) !== '.json') {
    for await (const line of readLines(createReadStream(file))) {
      if ('problem' in line) throw new TypeError(`${file}:${line.number} is ${line.problem}`);
      yield readJson(line.text) as JsonObject; // What is no vector makes the judge fail, and that is reported.
    }
    return;
  }
  const whole = readJson(await readFile(file, 'utf8'));
  const vectors = Array.isArray(whole) ? whole : ((whole as JsonObject).vectors ?? []);
  yield* vectors as JsonObject[];
}

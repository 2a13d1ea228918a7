/** `genenv score`: saved outputs of any model, judged by a benchmark's official protocol. Needs no engine. */
import { createReadStream, statSync } from 'node:fs';
import type { Exam, ExamVerdict } from '../core/exam.ts';
import type { Json } from '../core/types.ts';
import { openJudge } from '../eval/judge.ts';
import { readLines } from '../eval/read-lines.ts';
import { resultOf } from '../eval/result.ts';
import { type Scored, scoreGold, scoreLines } from '../eval/score.ts';
import { jsonReader } from '../exams.ts';
import { benchmarkSettings, chosenExam, examined } from './chosen-exam.ts';
import { UsageError } from './errors.ts';
import { counted } from './format.ts';
import type { CommonOptions } from './options.ts';
import { resultTable } from './result-table.ts';
import { sayJson } from './say.ts';
import { brief, visible } from './visible.ts';

export interface ScoreOptions extends CommonOptions {
  predictions?: string;
  gold?: boolean;
  suite?: string;
  judge?: string;
  set?: string[];
}

/** Wrong answers are what is measured: only a file of which nothing can be judged is a failure. */
export async function score(benchmark: string, options: ScoreOptions): Promise<void> {
  const name = examined(benchmark);
  await using judge = openJudge(options.judge, new AbortController().signal);
  const exam = await chosenExam(benchmarkSettings(name, options.set), options.suite, judge.ask);
  const verdicts: ExamVerdict[] = [];
  let errors = 0;
  let firstError = '';
  for await (const scored of source(exam, options, await jsonReader(name))) {
    sayJson(scored);
    if ('error' in scored) {
      if (errors++ === 0) firstError = `line ${scored.line}: ${scored.error}`;
    } else verdicts.push(scored);
  }
  const result = await resultOf(exam, verdicts);
  sayJson({ type: 'summary', benchmark: name, ...result, errors });
  if (!options.json && !options.quiet) {
    const lines = ['', `  ${name} · ${exam.name}: ${visible(exam.about)}`, '', ...resultTable(result), ''];
    if (errors > 0) lines.push(`  ${counted(errors, 'line')} could not be judged; ${brief(firstError)}`, '');
    process.stderr.write(`${lines.join('\n')}\n`);
  }
  if (verdicts.length === 0) process.exitCode = 1;
}

function source(
  exam: Exam,
  { predictions, gold }: ScoreOptions,
  readJson: (text: string) => Json,
): AsyncGenerator<Scored> {
  if (gold && predictions === undefined) return scoreGold(exam);
  if (gold || predictions === undefined) {
    throw new UsageError('Say what to judge: --predictions FILE.jsonl (- for standard input), or --gold.');
  }
  return scoreLines(exam, readLines(predictions === '-' ? process.stdin : open(predictions)), readJson);
}

function open(file: string): AsyncIterable<Buffer> {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`There is no file ${visible(file)}.`);
  if (found.isDirectory()) throw new UsageError(`${visible(file)} is a folder. Name the JSONL file inside it.`);
  return createReadStream(file, { highWaterMark: 1 << 20 });
}

/**
 * An exam taken by a model: every question asked once, every answer on disk before the next, every failure a question to
 * be asked again. Nothing depends on the order in which answers come.
 */
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DataError } from '../benchmarks/data.ts';
import { EngineStopped, type Sampler } from '../core/engine.ts';
import type { Ask, Exam, ExamVerdict } from '../core/exam.ts';
import { createRng, seedOf } from '../core/rng.ts';
import { mapPool } from '../policies/map-pool.ts';
import { PREDICTIONS } from './folder.ts';
import { openPredictions, readPredictions } from './predictions.ts';
import { replyText } from './reply-text.ts';

export interface Evaluation {
  exam: Exam;
  sampler: Sampler;
  /** Where `predictions.jsonl` is; `failures.jsonl` beside it says what went wrong this time. */
  folder: string;
  /** The first so many questions only. */
  limit?: number | undefined;
  concurrency: number;
  temperature: number;
  maxTokens: number;
  seed: number;
  /** Ask nothing more, but wait for the answers that are under way. */
  stop: AbortSignal;
  /** Give up those as well. */
  signal: AbortSignal;
  onProgress(progress: Progress): void;
}

export interface Progress {
  questions: number;
  answered: number;
  correct: number;
  failed: number;
}

/** A question without a verdict; it is asked again the next time. */
export interface Failure {
  id: string;
  reason: string;
}

export interface Evaluated {
  /** In the order of the questions. */
  verdicts: ExamVerdict[];
  failures: Failure[];
  /** Questions that were answered before, in an earlier call. */
  kept: number;
  /** Replies that were cut off at the limit of tokens. */
  truncated: number;
  questions: number;
  /** All of them answered. */
  complete: boolean;
}

/** Failures in a row, beyond those that were under way together, after which an engine is taken to be gone. */
const PATIENCE = 16;

export async function evaluate(evaluation: Evaluation): Promise<Evaluated> {
  const { exam, folder, stop, signal, concurrency } = evaluation;
  const ids = (await exam.ids()).slice(0, evaluation.limit);
  const verdicts = new Map<string, ExamVerdict>();
  const failures: Failure[] = [];
  const asked = { truncated: 0 };
  const failed = join(folder, 'failures.jsonl');
  rmSync(failed, { force: true });
  let [correct, inARow] = [0, 0];
  const progress = () =>
    evaluation.onProgress({
      questions: ids.length,
      answered: verdicts.size,
      correct,
      failed: failures.length,
    });
  const attempt = async (id: string, work: () => Promise<ExamVerdict>) => {
    try {
      const verdict = await work();
      verdicts.set(id, verdict);
      if (verdict.correct) correct++;
      inARow = 0;
    } catch (error) {
      signal.throwIfAborted();
      // Not the question's failure: every other would end the same way.
      if (error instanceof DataError || error instanceof EngineStopped) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      failures.push({ id, reason });
      appendFileSync(failed, `${JSON.stringify({ id, reason })}\n`);
      if (++inARow >= PATIENCE + concurrency) {
        throw new EngineStopped(`${inARow} questions in a row failed, the last with: ${reason}`);
      }
    }
    progress();
  };

  const file = join(folder, PREDICTIONS);
  const left = new Set(ids);
  for await (const prediction of readPredictions(file)) {
    if (left.delete(prediction.id)) await attempt(prediction.id, async () => exam.judge({ ...prediction }));
  }
  const kept = ids.length - left.size;
  progress();
  using predictions = await openPredictions(file);
  const ask = (id: string) =>
    attempt(id, async () => {
      const prediction = { id, output: await exam.answer(id, askFor(id, evaluation, asked)) };
      predictions.append(prediction);
      return exam.judge({ ...prediction });
    });
  await mapPool([...left], concurrency, async (id) => (stop.aborted ? undefined : ask(id)), signal);
  return {
    verdicts: ids.flatMap((id) => verdicts.get(id) ?? []),
    failures,
    kept,
    truncated: asked.truncated,
    questions: ids.length,
    complete: verdicts.size === ids.length,
  };
}

/** The seed of a reply follows from the question and the turn, so that what runs beside it changes nothing. */
function askFor(id: string, evaluation: Evaluation, asked: { truncated: number }): Ask {
  const { sampler, temperature, seed, signal } = evaluation;
  const rng = createRng(seed).fork('eval', id);
  let turn = 0;
  return async (messages, { tools = [], maxTokens = Number.POSITIVE_INFINITY } = {}) => {
    const { samples } = await sampler.sample({
      messages,
      tools,
      n: 1,
      maxTokens: Math.min(maxTokens, evaluation.maxTokens),
      temperature,
      seed: seedOf(rng.fork(turn++)),
      signal,
    });
    const [sample] = samples;
    if (!sample) throw new Error('the engine returned no sample');
    if (sample.stop === 'length') asked.truncated++;
    return replyText(sample);
  };
}

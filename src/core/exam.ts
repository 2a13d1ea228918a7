/**
 * A benchmark's own examination, apart from training: what is asked, how an answer comes about, and the official verdict
 * on it. One benchmark may have several, which differ in protocol.
 */
import type { Json, JsonObject, Message, ToolSpec } from './types.ts';

export interface Exam {
  /** What `--suite` calls it. */
  readonly name: string;
  /** One sentence: what is asked and how it is judged. */
  readonly about: string;
  /** The questions in the order of the data. */
  ids(): Promise<string[]>;
  /** Plays one question to its end by this protocol's rules, and returns what is judged: the `output` of a saved line. */
  answer(id: string, ask: Ask): Promise<Json>;
  /**
   * The verdict on one saved line, {"id", "output"} and perhaps its own target in the benchmark's form; without a target
   * the data set's is used. An output that makes no sense is wrong; a line that cannot be judged throws a LineError.
   */
  judge(line: JsonObject): Promise<ExamVerdict> | ExamVerdict;
  /** The ground truth as saved lines: each of them must be judged right. */
  gold(): Promise<JsonObject[]>;
  /** What the verdicts amount to, the headline first. */
  summarise(verdicts: readonly ExamVerdict[]): ExamMetric[];
  /** What the paper reports for this benchmark, in per cent, by model; never ours. */
  readonly paper?: Readonly<Record<string, number>>;
}

/** One reply of the model under examination. */
export type Ask = (messages: readonly Message[], options?: AskOptions) => Promise<string>;

export interface AskOptions {
  tools?: readonly ToolSpec[];
  /** The protocol's own limit on a reply; the smaller of this and the caller's applies. */
  maxTokens?: number;
}

export interface ExamVerdict {
  id: string;
  correct: boolean;
  /** In [0, 1]; 0 or 1 for exact protocols. */
  score: number;
  /** Why it is wrong, in a few words. */
  reason?: string;
  /** What else was measured, by name: secondary metrics and the split or level of the question. */
  details?: JsonObject;
}

export interface ExamMetric {
  name: string;
  /** How many questions it is over. */
  n: number;
  /** In [0, 1]. */
  score: number;
  /** Whether it is a mean over independent verdicts of 0 or 1, for which a binomial interval holds. */
  binomial: boolean;
}

/** A saved line that cannot be judged: no id, no such question, a target that is not in the benchmark's form. */
export class LineError extends Error {
  override readonly name = 'LineError';
}

/** What verdicts amount to: every metric with its number of questions and its interval, and how much of the exam it is over. */
import type { Exam, ExamMetric, ExamVerdict } from '../core/exam.ts';
import { wilson } from './wilson.ts';

export interface MetricResult extends ExamMetric {
  /** The 95 % interval; null where no binomial interval holds. */
  interval: [low: number, high: number] | null;
}

export interface ExamResult {
  suite: string;
  /** Verdicts, right ones among them. */
  total: number;
  correct: number;
  /** The headline: the first metric. */
  score: number;
  metrics: MetricResult[];
  /** Questions of the exam; null where its data is not here, or where none of the verdicts is on one of them. */
  questions: number | null;
  /** Questions without a verdict: they are in no metric. */
  unanswered: number | null;
  /** What the paper reports, in per cent, by model. */
  paper: Readonly<Record<string, number>>;
}

export async function resultOf(exam: Exam, verdicts: readonly ExamVerdict[]): Promise<ExamResult> {
  const metrics = verdicts.length === 0 ? [] : exam.summarise(verdicts);
  return {
    suite: exam.name,
    total: verdicts.length,
    correct: verdicts.filter(({ correct }) => correct).length,
    score: metrics[0]?.score ?? 0,
    metrics: metrics.map((metric) => ({
      ...metric,
      interval: metric.binomial ? wilson(metric.score, metric.n) : null,
    })),
    ...(await coverage(exam, verdicts)),
    paper: exam.paper ?? {},
  };
}

async function coverage(exam: Exam, verdicts: readonly ExamVerdict[]) {
  const none = { questions: null, unanswered: null };
  const ids = await exam.ids().catch(() => undefined);
  if (!ids) return none;
  const answered = new Set(verdicts.map(({ id }) => id));
  const unanswered = ids.filter((id) => !answered.has(id)).length;
  return unanswered === ids.length ? none : { questions: ids.length, unanswered };
}

/** What verdicts amount to, and what the paper reports. */
import type { ExamMetric, ExamVerdict } from '../../core/exam.ts';
import { MAX_TURNS } from './prompt.ts';

/** Per cent of 125, judged by a model with web search: only a run with a judge is comparable. */
export const PAPER: Readonly<Record<string, number>> = {
  'Qwen2.5-7B-Instruct': 68,
  'GenEnv (Qwen2.5-7B-Instruct)': 76,
};

/** The judge first where there is one; else exact match. F1 is a mean of shares, the others are of zeros and ones. */
export function summarise(verdicts: readonly ExamVerdict[]): ExamMetric[] {
  const metrics = [
    metric('judge', verdicts, 'judge'),
    metric('EM', verdicts, 'em'),
    { ...metric('F1', verdicts, 'f1'), binomial: false },
    metric('cover-EM', verdicts, 'coverEm'),
    metric('relaxed', verdicts, 'relaxed'),
    { ...metric(`searches, of ${MAX_TURNS}`, verdicts, 'observations', MAX_TURNS), binomial: false },
  ];
  // Nothing was judged, or nothing says how often it searched: then there is no such row.
  return metrics.filter(({ name, n }) => n > 0 || name === 'EM');
}

function metric(name: string, verdicts: readonly ExamVerdict[], key: string, scale = 1): ExamMetric {
  const values = verdicts.flatMap(({ details }) => {
    const value = details?.[key];
    return typeof value === 'number' ? [value / scale] : [];
  });
  const score = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  return { name, n: values.length, score, binomial: true };
}

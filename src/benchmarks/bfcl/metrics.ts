/** What verdicts amount to, and what the paper reports. */
import type { ExamMetric, ExamVerdict } from '../../core/exam.ts';

/** Per cent on the 201 test turns (Table 1). */
export const PAPER: Readonly<Record<string, number>> = { 'Qwen2.5-7B-Instruct': 7.0, 'GenEnv (7B)': 41.8 };

export function turnMetrics(verdicts: readonly ExamVerdict[]): ExamMetric[] {
  return [
    share('exact match', verdicts, ({ correct }) => correct),
    share('exact match in any order', verdicts, ({ details }) => details?.unordered === true),
    ...byDetail(verdicts, 'calls', (calls) => (Number(calls) === 1 ? '1 call' : `${calls} calls`)),
  ];
}

export function questionMetrics(verdicts: readonly ExamVerdict[]): ExamMetric[] {
  return [share('accuracy', verdicts, ({ correct }) => correct), ...byDetail(verdicts, 'category', String)];
}

function byDetail(verdicts: readonly ExamVerdict[], key: string, name: (value: string) => string): ExamMetric[] {
  const values = new Set(verdicts.map(({ details }) => String(details?.[key] ?? '')));
  const named = [...values].filter(Boolean).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  if (named.length < 2) return [];
  return named.map((value) => {
    const group = verdicts.filter(({ details }) => String(details?.[key] ?? '') === value);
    return share(name(value), group, ({ correct }) => correct);
  });
}

function share(name: string, verdicts: readonly ExamVerdict[], right: (verdict: ExamVerdict) => boolean): ExamMetric {
  const n = verdicts.length;
  return { name, n, score: n === 0 ? 0 : verdicts.filter(right).length / n, binomial: true };
}

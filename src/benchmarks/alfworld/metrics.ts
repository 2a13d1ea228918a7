/** What the verdicts of an exam amount to, and what the paper reports. */
import type { ExamMetric, ExamVerdict } from '../../core/exam.ts';
import type { Json } from '../../core/types.ts';
import { GOAL_KINDS, TASK_TYPES } from './goal.ts';

/** In per cent, over single steps. The paper's step file, prompts and scorer are not published. */
export const PAPER_SCORES: Readonly<Record<string, number>> = {
  'Qwen2.5-7B-Instruct': 14.2,
  'GenEnv (Qwen2.5-7B)': 54.5,
  'Llama-3.1-405B': 65.3,
};

export function stepMetrics(verdicts: readonly ExamVerdict[]): ExamMetric[] {
  return [
    share('step accuracy', verdicts, ({ correct }) => correct),
    ...splits(verdicts),
    share('determined steps', having(verdicts, 'choice', 'determined'), ({ correct }) => correct),
    share('admissible', measured(verdicts, 'admissible'), ({ details }) => details!.admissible === true),
    share('progress', measured(verdicts, 'progress'), ({ details }) => details!.progress === true),
  ].filter(({ n }, index) => index === 0 || n > 0);
}

export function simulateMetrics(verdicts: readonly ExamVerdict[]): ExamMetric[] {
  return [
    share('success', verdicts, ({ correct }) => correct),
    ...splits(verdicts),
    ...GOAL_KINDS.map((kind) =>
      share(TASK_TYPES[kind], having(verdicts, 'taskType', TASK_TYPES[kind]), ({ correct }) => correct),
    ),
  ].filter(({ n }, index) => index === 0 || n > 0);
}

const splits = (verdicts: readonly ExamVerdict[]): ExamMetric[] => [
  share('seen', having(verdicts, 'split', 'valid_seen'), ({ correct }) => correct),
  share('unseen', having(verdicts, 'split', 'valid_unseen'), ({ correct }) => correct),
];

const having = (verdicts: readonly ExamVerdict[], detail: string, value: Json) =>
  verdicts.filter(({ details }) => details?.[detail] === value);

const measured = (verdicts: readonly ExamVerdict[], detail: string) =>
  verdicts.filter(({ details }) => typeof details?.[detail] === 'boolean');

function share(name: string, verdicts: readonly ExamVerdict[], holds: (verdict: ExamVerdict) => boolean): ExamMetric {
  const n = verdicts.length;
  return { name, n, score: n === 0 ? 0 : verdicts.filter(holds).length / n, binomial: true };
}

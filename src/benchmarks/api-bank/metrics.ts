/** What verdicts amount to: the micro average, which is the paper's number, the levels, and the rows that training never saw. */
import type { ExamMetric, ExamVerdict } from '../../core/exam.ts';
import type { JsonObject } from '../../core/types.ts';
import { LEVELS, type Level } from './data.ts';
import type { Split } from './splits.ts';

/** What every verdict carries beside the official one. */
export interface Details extends JsonObject {
  /** Values of the extracted block, whatever they are. */
  calls: number;
  soft: boolean;
  strict: boolean;
  /** Right by the soft rules if numbers and lists may have their own types. */
  typeBlind: boolean;
  /** Null where a line names no row of the data. */
  level: Level | null;
  split: Split | null;
}

export type Protocol = 'soft' | 'strict';

/** Table 1, in per cent. */
export const PAPER: Readonly<Record<string, number>> = {
  'Qwen2.5-7B-Instruct': 61.6,
  GenEnv: 79.1,
};

/** The headline, the levels, the held-out rows, and the same rows under the other protocol and with types forgiven. */
export function summarise(verdicts: readonly ExamVerdict[], protocol: Protocol): ExamMetric[] {
  const all = verdicts.map(({ correct, details }) => ({ correct, details: (details ?? {}) as Partial<Details> }));
  const of = (chosen: typeof all) => chosen.map(({ correct }) => correct);
  const other = protocol === 'soft' ? 'strict' : 'soft';
  const parts = [
    ...LEVELS.map((level) => share(`level ${level}`, of(all.filter(({ details }) => details.level === level)))),
    share('held-out', of(all.filter(({ details }) => details.split === 'test'))),
  ];
  return [
    share('overall', of(all)),
    ...parts.filter(({ n }) => n > 0),
    share(
      other,
      all.map(({ details }) => details[other] === true),
    ),
    share(
      'types forgiven',
      all.map(({ details }) => details.typeBlind === true),
    ),
  ];
}

const share = (name: string, right: readonly boolean[]): ExamMetric => ({
  name,
  n: right.length,
  score: right.length === 0 ? 0 : right.filter(Boolean).length / right.length,
  binomial: true,
});

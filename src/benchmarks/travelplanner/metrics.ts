/** What verdicts amount to: the four pass rates whose mean is GenEnv's score, delivery and final pass rate. */
import type { ExamMetric } from '../../core/exam.ts';
import { COMMONSENSE_TOTAL, type Tally } from './score.ts';

export interface Rates {
  delivery: number;
  commonsenseMicro: number;
  commonsenseMacro: number;
  hardMicro: number;
  hardMacro: number;
  final: number;
  /** Mean of the four: what the paper reports. A well-formed plan that breaks every rule of substance has 0.10 to 0.15. */
  score: number;
}

/** Plans that were not delivered, or whose hard constraints were never looked at, stay in every denominator. */
export function ratesOf(tallies: readonly Tally[]): Rates {
  const n = tallies.length;
  const sum = (value: (tally: Tally) => number | boolean) => tallies.reduce((total, t) => total + Number(value(t)), 0);
  const share = (count: number, of: number) => (of === 0 ? 0 : count / of);
  const commonsenseMicro = share(
    sum((t) => t.commonsensePassed),
    COMMONSENSE_TOTAL * n,
  );
  const commonsenseMacro = share(
    sum((t) => t.commonsenseAll),
    n,
  );
  const hardMicro = share(
    sum((t) => t.hardPassed),
    sum((t) => t.hardTotal),
  );
  const hardMacro = share(
    sum((t) => t.hardAll),
    n,
  );
  return {
    delivery: share(
      sum((t) => t.delivered),
      n,
    ),
    commonsenseMicro,
    commonsenseMacro,
    hardMicro,
    hardMacro,
    final: share(
      sum((t) => t.final),
      n,
    ),
    score: (commonsenseMicro + commonsenseMacro + hardMicro + hardMacro) / 4,
  };
}

/** The headline first, then its four parts, then the rest. */
export function metricsOf(tallies: readonly Tally[]): ExamMetric[] {
  const rates = ratesOf(tallies);
  const n = tallies.length;
  const hard = tallies.reduce((total, tally) => total + tally.hardTotal, 0);
  const metric = (name: string, score: number, count: number, binomial: boolean) => ({
    name,
    n: count,
    score,
    binomial,
  });
  return [
    metric('score (mean of the four)', rates.score, n, false),
    metric('commonsense micro', rates.commonsenseMicro, COMMONSENSE_TOTAL * n, false),
    metric('commonsense macro', rates.commonsenseMacro, n, true),
    metric('hard micro', rates.hardMicro, hard, false),
    metric('hard macro', rates.hardMacro, n, true),
    metric('delivery', rates.delivery, n, true),
    metric('final pass', rates.final, n, true),
  ];
}

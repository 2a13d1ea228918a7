/** What happened, in sentences made from the numbers. */
import type { Arm, Comparison } from './comparison.ts';
import { meanCurve, metric } from './curves.ts';
import type { Estimate } from './interval.ts';
import { counted, listed, percent, rate } from './number.ts';
import { bestArm, calibration, pairedDifference } from './results.ts';

/** Paragraphs: how the arms ended, and whether the tasks kept their difficulty. */
export function summary({ arms, band }: Comparison): string[] {
  const [first, ...others] = arms;
  if (!first) return ['There are no runs to report.'];
  return [others.length > 0 ? standings(arms) : progress(first), inBandSentence(arms, band)];
}

function standings(arms: readonly Arm[]): string {
  const best = bestArm(arms);
  if (!best) return 'No arm was validated, so none can be called the best.';
  const others = arms.filter((arm) => arm !== best.arm);
  const tied = others.filter((arm) => bestArm([arm])?.validation.mean === best.validation.mean);
  const opening =
    tied.length > 0
      ? `${listed([best.arm, ...tied].map((arm) => arm.name))} share the best validation success, ${estimated(best.validation)}.`
      : `${best.arm.name} has the best validation success: ${estimated(best.validation)}.`;
  return [opening, ...differences(best.arm, others)].join(' ');
}

/** Every other arm against the best, paired by seed; those told apart from it before those that are not. */
function differences(best: Arm, others: readonly Arm[]): string[] {
  const known = others.flatMap((arm) => {
    const difference = pairedDifference(arm, best, 'validation');
    return difference ? [{ name: arm.name, lead: below(difference), interval: difference.interval }] : [];
  });
  type Known = (typeof known)[number];
  const sentence = (
    holds: (known: Known) => boolean,
    entry: (known: Known) => string,
    words: (list: string) => string,
  ) => {
    const entries = known.filter(holds).map(entry);
    return entries.length > 0 ? [words(listed(entries))] : [];
  };
  const inBrackets = ({ name, lead }: Known) => `${name} (${lead})`;
  return [
    ...sentence(
      ({ interval }) => interval !== null && interval[1] < 0,
      ({ name, lead }) => `${name} by ${lead}`,
      (list) => `Paired by seed, it is ahead of ${list}, with intervals that leave zero out.`,
    ),
    ...sentence(
      ({ interval }) => interval !== null && interval[0] <= 0 && interval[1] >= 0,
      inBrackets,
      (list) => `Paired by seed, its lead over ${list} cannot be told from zero.`,
    ),
    // The best arm by its own seeds may be worse on those it shares with another.
    ...sentence(
      ({ interval }) => interval !== null && interval[0] > 0,
      inBrackets,
      (list) => `On the seeds they share, however, its lead over ${list} is negative.`,
    ),
    ...sentence(
      ({ interval }) => interval === null,
      inBrackets,
      (list) => `On the one seed they share, its lead over ${list} is no evidence.`,
    ),
  ];
}

/** How far below the best, so with the sign turned. */
const below = ({ mean, interval }: Estimate) =>
  interval ? `${rate(-mean)} [${rate(-interval[1])}, ${rate(-interval[0])}]` : rate(-mean);

const estimated = ({ mean, interval, n }: Estimate) =>
  interval
    ? `${rate(mean)} after training (95 % interval ${rate(interval[0])} to ${rate(interval[1])}, ${counted(n, 'seed')})`
    : `${rate(mean)} after training (one seed)`;

function inBandSentence(arms: readonly Arm[], { alpha, kMin }: Comparison['band']): string {
  const known = arms.flatMap((arm) => {
    const found = calibration(arm, { alpha, kMin });
    return found ? [{ name: arm.name, ...found }] : [];
  });
  if (known.length === 0) return 'No tasks were generated, so there is no success on generated tasks to report.';
  const parts = known.map(({ name, inside, epochs, first, last }) => {
    const whose = arms.length > 1 ? `for ${name} ` : '';
    return `${whose}in ${percent(inside / epochs)} of ${counted(epochs, 'epoch')} (${rate(first)} at first, ${rate(last)} at last)`;
  });
  const limits = `${(alpha - kMin).toFixed(2)} to ${(alpha + kMin).toFixed(2)}`;
  return `Success on generated tasks was inside the band ${limits} ${listed(parts)}.`;
}

function progress(arm: Arm): string {
  const curve = meanCurve(arm, metric('val/successRate')).filter((point) => point !== null);
  const [first, last] = [curve[0], curve.at(-1)];
  if (!first || !last) return 'The agent was not validated.';
  const top = curve.reduce((best, point) => (point.mean > best.mean ? point : best));
  const seeds = arm.runs.length > 1 ? `, means over ${counted(arm.runs.length, 'seed')}` : '';
  const peak = top === last ? ', the best of all epochs' : `; its best was ${rate(top.mean)}, after epoch ${top.epoch}`;
  const epochs = counted(last.epoch - first.epoch, 'epoch');
  return `Validation success went from ${rate(first.mean)} to ${rate(last.mean)} in ${epochs}${seeds}${peak}.`;
}

/** What happened, in sentences made from the numbers. */
import { armRows, unequalBudgets } from './arm-rows.ts';
import type { Arm, Comparison } from './comparison.ts';
import { meanCurve, metric } from './curves.ts';
import { type Estimate, estimateShare } from './interval.ts';
import { counted, listed, orNone, percent, rate } from './number.ts';
import { bestArm, calibration, judgedOn, pairedDifference, type Split, scores } from './results.ts';
import { bandText, commonBand } from './run-band.ts';

/** Paragraphs: how the arms ended, whether the tasks kept their difficulty, and whether the budget was one. */
export function summary(comparison: Comparison): string[] {
  const { arms } = comparison;
  const [first, ...others] = arms;
  if (!first) return ['There are no runs to report.'];
  return [
    others.length > 0 ? standings(arms) : progress(first),
    inBandSentence(comparison),
    ...budgetSentence(comparison),
  ];
}

/** Which arms could not be given what the first one had; nothing where all were. */
export function budgetSentence(comparison: Comparison): string[] {
  const unequal = unequalBudgets(armRows(comparison));
  if (unequal.length === 0) return [];
  const ratios = listed(unequal.map(({ arm, ratio }) => `${arm} made ${ratio.toFixed(2)} times`));
  const tasks = [...new Set(unequal.map(({ ratio }) => (ratio < 1 ? 'fewer' : 'more')))].sort().join(' or ');
  return [`Budgets differ: ${ratios} as many rollouts as ${comparison.arms[0]?.name}, with ${tasks} tasks to attempt.`];
}

function standings(arms: readonly Arm[]): string {
  const split = judgedOn(arms);
  const best = bestArm(arms, split);
  if (!best) return 'No arm was validated, so none can be called the best.';
  const others = arms.filter((arm) => arm !== best.arm);
  const tied = others.filter((arm) => bestArm([arm], split)?.success.mean === best.success.mean);
  const opening =
    tied.length > 0
      ? `${listed([best.arm, ...tied].map((arm) => arm.name))} share the best ${split} success, ${estimated(best.success)}.`
      : `${best.arm.name} has the best ${split} success: ${estimated(best.success)}.`;
  return [opening, ...differences(best.arm, others, split)].join(' ');
}

/** Every other arm against the best, paired by seed; those told apart from it before those that are not. */
function differences(best: Arm, others: readonly Arm[], split: Split): string[] {
  const known = others.flatMap((arm) => {
    const difference = pairedDifference(arm, best, split);
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

/** Of one arm all epochs count, as at the end of `train`; of several, the late ones, as in the table of arms. */
function inBandSentence(comparison: Comparison): string {
  const { arms, band } = comparison;
  const rows = armRows(comparison);
  const known = arms.flatMap((arm, i) => {
    const found = calibration(arm, band);
    return found ? [{ name: arm.name, late: rows[i]!.lateBandShare, ...found }] : [];
  });
  if (known.length === 0) return 'No tasks were generated, so there is no success on generated tasks to report.';
  const common = commonBand(comparison);
  const limits = common.steps?.length
    ? `(${bandText(common)})`
    : `${(band.alpha - band.kMin).toFixed(2)} to ${(band.alpha + band.kMin).toFixed(2)}`;
  const [only] = known;
  if (arms.length === 1 && only) {
    const { inside, epochs, first, last } = only;
    return `Success on generated tasks was inside the band ${limits} in ${percent(inside / epochs)} of ${counted(epochs, 'epoch')} (${rate(first)} at first, ${rate(last)} at last).`;
  }
  const parts = known.map(
    ({ name, late, first, last }) =>
      `${orNone(late, percent)} for ${name} (${rate(first)} at first, ${rate(last)} at last)`,
  );
  return `Success on generated tasks was inside the band ${limits} in this share of the epochs after the first third of training: ${listed(parts)}.`;
}

function progress(arm: Arm): string {
  const curve = meanCurve(arm, metric('val/successRate')).filter((point) => point !== null);
  const [first, last] = [curve[0], curve.at(-1)];
  if (!first || !last) return 'The agent was not validated.';
  const top = curve.reduce((best, point) => (point.mean > best.mean ? point : best));
  const seeds = arm.runs.length > 1 ? `, means over ${counted(arm.runs.length, 'seed')}` : '';
  const peak = top === last ? ', the best of all epochs' : `; its best was ${rate(top.mean)}, after epoch ${top.epoch}`;
  const epochs = counted(last.epoch - first.epoch, 'epoch');
  const test = estimateShare(scores(arm, 'test'));
  return [
    `Validation success went from ${rate(first.mean)} to ${rate(last.mean)} in ${epochs}${seeds}${peak}.`,
    ...(test ? [`Test success is ${estimated(test)}.`] : []),
  ].join(' ');
}

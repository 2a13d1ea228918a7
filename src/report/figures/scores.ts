/** Fig. 6a: how the arms end, as dots with intervals, and how far each is from the first, seed by seed. */
import type { Arm, Comparison } from '../comparison.ts';
import { estimateShare, SHARE } from '../interval.ts';
import { counted, pValue, rate, signed, tick, withInterval } from '../number.ts';
import { judgedOn, pairedDifference, SPLITS, type Split, scores } from '../results.ts';
import { type DotRow, dotChart } from '../svg/dot-chart.ts';
import type { Figure, LegendEntry } from '../svg/figure.ts';
import type { Panel } from '../svg/frame.ts';
import { singleKey, whiskerKey } from '../svg/legend.ts';
import { ends, lookOf } from './arms.ts';

export function finalScores({ arms }: Comparison): Figure {
  return {
    id: 'scores',
    title: 'Success after training, by arm',
    hint:
      'An interval of a paired difference that leaves zero out is evidence of a difference; intervals of two arms may overlap ' +
      'and the arms still differ. After Fig.\u00a06a of the paper.',
    legend: intervalLegend(arms),
    panels: [...SPLITS.flatMap((split) => splitPanel(arms, split)), differencePanel(arms)],
  };
}

/** As a panel begins with them. */
export const TITLES: Readonly<Record<Split, string>> = { validation: 'Validation', test: 'Test' };

export const intervalLegend = (arms: readonly Arm[]): LegendEntry[] =>
  arms.some((arm) => arm.runs.length > 1) ? [whiskerKey('95 % interval of the mean'), singleKey('single seeds')] : [];

/** Not every benchmark has a test split; validation that is missing is worth saying. */
function splitPanel(arms: readonly Arm[], split: Split): Panel | [] {
  const rows = arms.map((arm, i): DotRow => {
    const singles = scores(arm, split);
    const mean = estimateShare(singles);
    if (!mean) return { name: arm.name, dots: [] };
    const hover = `${arm.name}: ${withInterval(mean, rate)}, ${counted(mean.n, 'seed')}`;
    return { name: arm.name, dots: [{ value: mean.mean, ...ends(mean), look: lookOf(arms, i), singles, hover }] };
  });
  if (split === 'test' && rows.every((row) => row.dots.length === 0)) return [];
  return dotChart({
    title: `${TITLES[split]} after training`,
    label: `share of ${split} tasks solved`,
    within: SHARE,
    tick,
    format: rate,
    rows,
    absent: 'No run was validated.',
  });
}

function differencePanel(arms: readonly Arm[]): Panel {
  const first = arms[0]!;
  const split = judgedOn(arms);
  const rows = arms.slice(1).map((arm, i): DotRow => {
    const difference = pairedDifference(arm, first, split);
    if (!difference) return { name: arm.name, dots: [] };
    const p = difference.p === null ? '' : `, p ${pValue(difference.p)}`;
    const hover = `${arm.name} minus ${first.name}: ${withInterval(difference, signed)}, ${counted(difference.n, 'pair')}${p}`;
    return {
      name: arm.name,
      dots: [
        { value: difference.mean, ...ends(difference), look: lookOf(arms, i + 1), singles: difference.values, hover },
      ],
    };
  });
  return dotChart({
    title: `${TITLES[split]} minus that of ${first.name}`,
    label: 'difference of the shares, paired by seed',
    tick,
    format: signed,
    rows,
    reference: 0,
    absent: 'No seed was judged in two arms.',
  });
}

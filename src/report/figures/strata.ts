/** Results per kind of task: where an arm is better, and where it only looks so on average. */
import type { Arm, Comparison } from '../comparison.ts';
import { estimateShare } from '../interval.ts';
import { counted, rate, tick, withInterval } from '../number.ts';
import { SPLITS, type Split } from '../results.ts';
import { type DotRow, dotChart } from '../svg/dot-chart.ts';
import type { Figure } from '../svg/figure.ts';
import type { Panel } from '../svg/frame.ts';
import { lineKey } from '../svg/legend.ts';
import { ends, lookOf } from './arms.ts';
import { intervalLegend, TITLES } from './scores.ts';

export function strata({ arms }: Comparison): Figure {
  return {
    id: 'strata',
    title: 'Results per stratum',
    hint: 'Kinds of task from easiest to hardest, after the last epoch; small strata have wide intervals.',
    legend: [
      ...(arms.length > 1
        ? arms.flatMap((arm, i) => (arm.runs.length > 0 ? lineKey(arm.name, lookOf(arms, i)) : []))
        : []),
      ...intervalLegend(arms),
    ],
    panels: SPLITS.flatMap((split) => panel(arms, split)),
  };
}

function panel(arms: readonly Arm[], split: Split): Panel | [] {
  const sizes = new Map<string, number>();
  for (const stratum of arms.flatMap((arm) => arm.runs.flatMap((run) => run[split]?.strata ?? []))) {
    sizes.set(stratum.name, Math.max(stratum.tasks, sizes.get(stratum.name) ?? 0));
  }
  if (split === 'test' && sizes.size === 0) return [];
  const rows = [...sizes].map(
    ([name, tasks]): DotRow => ({
      name: `${name} (${tasks})`,
      dots: arms.flatMap((arm, i) => {
        const singles = arm.runs.flatMap(
          (run) => run[split]?.strata.filter((s) => s.name === name).map((s) => s.successRate) ?? [],
        );
        const mean = estimateShare(singles);
        if (!mean) return [];
        const hover = `${name}, ${arm.name}: ${withInterval(mean, rate)}, ${counted(mean.n, 'seed')}`;
        return [{ value: mean.mean, ...ends(mean), look: lookOf(arms, i), singles, hover }];
      }),
    }),
  );
  return dotChart({
    title: TITLES[split],
    label: 'share of tasks solved (number of tasks beside the name)',
    tick,
    format: rate,
    rows,
    range: [0, 1],
    absent: 'No run has results by kind of task.',
  });
}

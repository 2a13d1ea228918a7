/** Fig. 6b: validation against epochs, and against what an epoch costs. */
import type { Comparison } from '../comparison.ts';
import { epoch, type Measure, metric, tasks, tokens } from '../curves.ts';
import { SHARE } from '../interval.ts';
import { compact, rate, tick } from '../number.ts';
import type { Figure } from '../svg/figure.ts';
import { lineChart } from '../svg/line-chart.ts';
import { absent } from './absent.ts';
import { armLines, lineLegend } from './arms.ts';

const KEY = 'val/successRate';

export function dataEfficiency(comparison: Comparison): Figure {
  const against = (title: string, label: string, x: Measure, whole = false) =>
    lineChart({
      title,
      x: { label, format: whole ? tick : compact, whole },
      y: { label: 'share of validation tasks solved', format: tick, within: SHARE },
      lines: armLines(comparison.arms, { y: metric(KEY), x, format: rate, within: SHARE }),
      absent: absent(KEY),
    });
  return {
    id: 'efficiency',
    title: 'Validation against what was spent',
    hint:
      'A curve further to the left gets as far with less; the tokens are those of both players, so a simulator that writes a ' +
      'lot pays for it here. After Fig.\u00a06b of the paper.',
    legend: lineLegend(comparison, [metric(KEY)]),
    panels: [
      against('Against epochs', 'epoch', epoch, true),
      against('Against unique tasks', 'unique tasks attempted in training', tasks),
      against('Against generated tokens', 'tokens written by both players', tokens),
    ],
  };
}

/** Fig. 7: is success on generated tasks drawn into the band, and how many of the tasks teach anything? */
import type { Comparison } from '../comparison.ts';
import { metric } from '../curves.ts';
import { SHARE } from '../interval.ts';
import { rate, tick } from '../number.ts';
import type { Figure } from '../svg/figure.ts';
import { type LineChart, lineChart } from '../svg/line-chart.ts';
import { absent } from './absent.ts';
import { armLines, bandLegend, bandLimits, lineLegend } from './arms.ts';

const KEYS = ['env/successRate', 'env/bandShare', 'env/usefulShare'];

export function generatedSuccess(comparison: Comparison): Figure {
  const { arms } = comparison;
  const panel = (title: string, unit: string, key: string, target?: LineChart['target']) =>
    lineChart({
      title,
      x: { label: 'epoch', format: tick, whole: true },
      y: { label: unit, format: tick, range: [0, 1] },
      lines: armLines(arms, { y: metric(key), player: 'environment', format: rate, within: SHARE }),
      ...(target ? { target } : {}),
      absent: absent(key),
    });
  return {
    id: 'generated-success',
    title: 'Success on generated tasks, and the band',
    hint:
      'The simulator is doing its work where success stays inside the grey band while useful groups stay many; success ' +
      'in the band with few useful groups is a mixture of trivial and impossible tasks. After Fig.\u00a07 of the paper.',
    legend: [...lineLegend(comparison, KEYS.map(metric)), bandLegend(comparison)],
    panels: [
      panel('Success on generated tasks', 'share of attempts that succeed', KEYS[0]!, bandLimits(comparison)),
      panel('Generated tasks inside the band', 'share of generated tasks', KEYS[1]!),
      panel('Useful groups: some attempts succeed, some fail', 'share of generated tasks', KEYS[2]!),
    ],
  };
}

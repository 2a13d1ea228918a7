/** Fig. 5: do tasks and answers grow while success stays in the band? */
import type { Comparison } from '../comparison.ts';
import { metric } from '../curves.ts';
import { AMOUNT, SHARE } from '../interval.ts';
import { compact, rate, tick } from '../number.ts';
import type { Figure } from '../svg/figure.ts';
import { lineChart } from '../svg/line-chart.ts';
import { absent } from './absent.ts';
import { armLines, bandLegend, bandLimits, lineLegend } from './arms.ts';

const TASK = 'env/taskTokens';
const RESPONSE = 'agent/responseTokens';
const SUCCESS = 'env/successRate';

export function curriculum(comparison: Comparison): Figure {
  const { arms } = comparison;
  const x = { label: 'epoch', format: tick, whole: true };
  return {
    id: 'curriculum',
    title: 'Emergent curriculum',
    hint:
      'Nobody tells the simulator to write harder tasks: lengths that grow while success holds its level say that it found ' +
      'them by itself. After Fig.\u00a05 of the paper.',
    legend: [
      ...lineLegend(comparison, [TASK, RESPONSE, SUCCESS].map(metric), ['environment', 'agent']),
      bandLegend(comparison),
    ],
    panels: [
      lineChart({
        title: 'Length of generated tasks',
        x,
        y: { label: 'tokens per task', format: tick, within: AMOUNT },
        lines: armLines(arms, { y: metric(TASK), player: 'environment', format: compact, within: AMOUNT }),
        absent: absent(TASK),
      }),
      lineChart({
        title: 'Length of responses',
        x,
        y: { label: 'tokens per rollout', format: tick, within: AMOUNT },
        lines: armLines(arms, { y: metric(RESPONSE), format: compact, within: AMOUNT }),
        absent: absent(RESPONSE),
      }),
      lineChart({
        title: 'Success on generated tasks',
        x,
        y: { label: 'share of attempts that succeed', format: tick, range: [0, 1] },
        lines: armLines(arms, { y: metric(SUCCESS), player: 'environment', format: rate, within: SHARE }),
        target: bandLimits(comparison),
        absent: absent(SUCCESS),
      }),
    ],
  };
}

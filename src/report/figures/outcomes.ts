/** Fig. 8: of the generated tasks, how many are always solved, never solved, and in between? */
import type { Arm, Comparison } from '../comparison.ts';
import { type Measure, meanCurve, metric } from '../curves.ts';
import { tick } from '../number.ts';
import { areaChart } from '../svg/area-chart.ts';
import type { Figure } from '../svg/figure.ts';
import type { Panel } from '../svg/frame.ts';
import { layerKey } from '../svg/legend.ts';

const solved = metric('env/solvedShare');
const unsolved = metric('env/unsolvedShare');
/** Of epochs that have both shares only, so that the layers fill the whole. */
const both =
  (measure: Measure): Measure =>
  (point) =>
    solved(point) === undefined || unsolved(point) === undefined ? undefined : measure(point);

export function outcomes({ arms }: Comparison): Figure {
  return {
    id: 'outcomes',
    title: 'Solved, partly solved and unsolved tasks',
    hint:
      'Only the tasks in the middle layer teach the agent: every attempt on the others earns the same reward. ' +
      'After Fig.\u00a08 of the paper.',
    legend: [
      layerKey('unsolved: no attempt succeeds', 'unsolved'),
      layerKey('partial: some succeed', 'partial'),
      layerKey('solved: every attempt succeeds', 'solved'),
    ],
    panels: arms.map((arm) => panel(arm)),
  };
}

function panel(arm: Arm): Panel {
  const low = meanCurve(arm, both(solved)).filter((point) => point !== null);
  const high = meanCurve(arm, both(unsolved)).filter((point) => point !== null);
  return areaChart({
    title: arm.name,
    x: { label: 'epoch', values: low.map((point) => point.epoch), format: tick },
    y: { label: 'share of generated tasks', format: (value) => tick(Math.round(100 * value) / 100) },
    layers: [
      { name: 'solved', shares: low.map((point) => point.mean) },
      { name: 'partial', shares: low.map((point, i) => Math.max(0, 1 - point.mean - high[i]!.mean)) },
      { name: 'unsolved', shares: high.map((point) => point.mean) },
    ],
    absent: arm.runs.length > 0 ? 'This arm generates no tasks.' : 'This arm has no runs.',
  });
}

/** The chart to look at first: is the curriculum where it should be? Every point is a door to its epoch. */
import type { JSX } from 'preact';
import { bandIn } from '../../../core/stepped-band.ts';
import { bandText } from '../../../report/run-band.ts';
import type { EpochRow, RunHead } from '../../api.ts';
import { to } from '../address.ts';
import type { ChartSpec, Line } from '../chart/types.ts';
import { ChartPanel } from '../panel.tsx';
import { navigate } from '../route.ts';
import { bandShare, batchDots, keptShare, successRate } from './columns.ts';

export function Hero({
  head,
  rows,
  stride,
}: {
  head: RunHead;
  rows: readonly EpochRow[];
  stride: number;
}): JSX.Element {
  const kept = keptShare(rows);
  const spec: ChartSpec = {
    label: 'Success on generated tasks by epoch, with the band it should lie in',
    x: rows.map(({ epoch }) => epoch),
    xName: 'epoch',
    yName: 'share',
    yRange: [0, 1],
    height: 320,
    sync: 'epochs',
    band: head.band,
    lines: [
      { name: 'success p̂', values: successRate(rows), colour: 'env', width: 3 },
      { name: 'tasks in the band', values: bandShare(rows, head.band), colour: 'good', dash: [6, 4], width: 1.5 },
      { name: 'kept', values: kept, colour: 'extra', dash: [2, 3], width: 1.5 },
      {
        name: 'filtered out',
        values: kept.map((share) => (share === null ? null : 1 - share)),
        colour: 'grey',
        dash: [9, 3, 2, 3],
        width: 1,
      },
      ...targets(head, rows),
    ],
    dots: { name: 'batches (variations of one seed)', colour: 'env', at: batchDots(rows) },
    onPick: (index) => navigate(to('r', head.id, 'epoch', rows[index]!.epoch)),
    pickHint: 'Click or Enter opens the epoch',
  };
  return (
    <ChartPanel
      wide
      title="Success on generated tasks"
      about={`p̂ = successes / attempts over the tasks written in an epoch (Eq. 2). The simulator is rewarded for p̂ near α; the band is α ± k_min: ${bandText(head.band)}. A dot is one or more batches with the same p̂. After Fig. 7 of the paper. Click an epoch to see its batches.`}
      keys={['env/successRate', 'env/bandShare', 'env/keptShare']}
      note={stride > 1 ? `one epoch in ${stride} is drawn` : undefined}
      spec={spec}
      absent={NOTHING_YET[head.status]}
    />
  );
}

/** A target that was changed is named by epoch, in the legend and in the table; the band shows where it lies. */
const targets = ({ band }: RunHead, rows: readonly EpochRow[]): Line[] =>
  band.steps?.length
    ? [
        {
          name: 'target α',
          values: rows.map(({ epoch }) => bandIn(band, epoch).alpha),
          colour: 'grey',
          dash: [1, 3],
          width: 0,
          points: false,
        },
      ]
    : [];

const NOTHING_YET: Record<RunHead['status'], string> = {
  running: 'No generated task has been attempted yet. The chart starts with the first of them.',
  stopped: 'No generated task was attempted before the run was stopped.',
  finished: 'This run generated no tasks.',
};

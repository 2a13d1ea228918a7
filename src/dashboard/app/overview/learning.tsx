/** Does training move steadily? Rewards, validation, lengths, and how far both players drifted (Figs. 4, 5 and 8). */
import type { JSX } from 'preact';
import type { BinnedSeries, EpochRow, RunHead } from '../../api.ts';
import { to, withQuery } from '../address.ts';
import { useAnswer } from '../answer.ts';
import type { ChartSpec, Line } from '../chart/types.ts';
import { ChartPanel } from '../panel.tsx';
import { navigate } from '../route.ts';
import { baseSuccess, metric, partialShare, smooth, solvedShare, successRate, unsolvedShare } from './columns.ts';

interface Props {
  head: RunHead;
  rows: readonly EpochRow[];
  version: number;
}

export function Learning({ head, rows, version }: Props): JSX.Element {
  const path = withQuery(to('api', 'runs', head.id, 'series'), {});
  const steps = useAnswer<BinnedSeries[]>(`${path}?key=agent/stepReward&key=agent/kl`, version);
  const [reward, agentKl] = steps.data ?? [];
  const waiting = steps.data === null ? 'Loading …' : 'The agent has not been trained yet.';
  const toEpoch = (epoch: number | undefined) => {
    if (epoch !== undefined) navigate(to('r', head.id, 'epoch', epoch));
  };
  const perEpoch = (label: string, lines: Line[], more: Partial<ChartSpec> = {}): ChartSpec => ({
    label,
    x: rows.map(({ epoch }) => epoch),
    xName: 'epoch',
    yName: 'share',
    sync: 'epochs',
    lines,
    onPick: (index) => toEpoch(rows[index]?.epoch),
    pickHint: 'Click or Enter opens the epoch',
    ...more,
  });
  return (
    <>
      <ChartPanel
        title="Reward per optimizer step"
        about="Mean R_agent (Eq. 1) of the tasks in each optimizer step of the agent. The light area and the thin line are the raw numbers; the thick line is a moving average over a tenth of them. After Fig. 4."
        keys={['agent/stepReward']}
        note={reward && reward.size > 1 ? `${reward.points} steps, ${reward.size} a point` : undefined}
        spec={stepChart('Reward per optimizer step', reward, 'agent', [0, 1], toEpoch)}
        absent={waiting}
      />
      <ChartPanel
        title="Validation"
        about="Success on tasks nobody trains on, and on the test tasks after the last epoch. Base tasks are those of the benchmark that the agent trains on: their answers are the data’s own."
        keys={['val/successRate', 'test/successRate']}
        spec={perEpoch(
          'Success on held-out tasks by epoch',
          [
            {
              name: 'validation',
              values: metric(rows, 'val/successRate'),
              colour: 'agent',
              joined: true,
              points: true,
            },
            { name: 'test', values: metric(rows, 'test/successRate'), colour: 'good', points: true },
            { name: 'base tasks (ground truth)', values: baseSuccess(rows), colour: 'gold', dash: [6, 4], width: 1.5 },
          ].filter(({ values }) => values.some((value) => value !== null)) as Line[],
          { yRange: [0, 1] },
        )}
        absent="Nothing has been validated yet."
      />
      <ChartPanel
        title="Reward per epoch"
        about="Mean R_agent over everything attempted for training, and mean R_env = exp(−β (p̂ − α)²) of what the simulator wrote (Eq. 1 and 3). The agent’s need not rise: its tasks get harder."
        keys={['agent/reward', 'env/reward']}
        spec={perEpoch(
          'Reward of both players by epoch',
          [
            { name: 'agent', values: metric(rows, 'agent/reward'), colour: 'agent' },
            { name: 'simulator', values: metric(rows, 'env/reward'), colour: 'env', dash: [6, 4] },
          ],
          { yName: 'mean reward', yRange: [0, 1] },
        )}
        absent="No epoch is over yet."
      />
      <ChartPanel
        title="Lengths and success"
        about="Mean tokens of a generated task’s prompt and of an answer (left), beside success on them (right). After Fig. 5."
        keys={['env/taskTokens', 'agent/responseTokens', 'env/successRate']}
        spec={perEpoch(
          'Task length, response length and success by epoch',
          [
            { name: 'task', values: metric(rows, 'env/taskTokens'), colour: 'env', format: tokens },
            { name: 'response', values: metric(rows, 'agent/responseTokens'), colour: 'agent', format: tokens },
            { name: 'success p̂', values: successRate(rows), colour: 'grey', dash: [2, 3], axis: 'right' },
          ],
          { yName: 'tokens', yRange: [0, null], rightName: 'success', rightRange: [0, 1] },
        )}
        absent="No epoch is over yet."
      />
      <ChartPanel
        title="Solved, sometimes, never"
        about="Generated tasks by how their attempts went: all solved, some solved (these teach), none solved. The epoch’s page has the same per batch. After Fig. 8."
        keys={['env/solvedShare', 'env/usefulShare', 'env/unsolvedShare']}
        spec={perEpoch(
          'Shares of generated tasks always, sometimes and never solved, by epoch',
          [
            { name: 'never', values: unsolvedShare(rows), colour: 'unsolved', stacked: true },
            { name: 'sometimes', values: partialShare(rows), colour: 'partial', stacked: true },
            { name: 'always', values: solvedShare(rows), colour: 'solved', stacked: true },
          ],
          { yRange: [0, 1], yName: 'share of tasks' },
        )}
        absent="No generated task has been attempted yet."
      />
      <ChartPanel
        title="Drift of the simulator"
        about="KL to the simulator as it was before training, nats per token, on fresh samples. An update that would go over the cap is halved, and at last skipped."
        keys={['env/kl', 'env/stepScale']}
        spec={perEpoch(
          'KL of the simulator by epoch, with its cap',
          [
            { name: 'KL', values: metric(rows, 'env/kl'), colour: 'env' },
            {
              name: 'share of the step taken',
              values: metric(rows, 'env/stepScale'),
              colour: 'grey',
              dash: [2, 3],
              width: 1,
              axis: 'right',
            },
          ],
          {
            yName: 'nats per token',
            yRange: [0, null],
            rightName: 'step taken',
            rightRange: [0, 1.05],
            levels: [{ y: head.maxKl, name: `cap ${head.maxKl}` }],
          },
        )}
        absent="The simulator has not been trained."
      />
      <ChartPanel
        title="Drift of the agent"
        about="KL to the agent as it was before training, at each optimizer step. It is held back by a term in the loss, not by a cap."
        keys={['agent/kl']}
        spec={stepChart('KL of the agent by optimizer step', agentKl, 'agent', [0, null], toEpoch, 'nats per token')}
        absent={waiting}
      />
    </>
  );
}

const tokens = (value: number) => value.toFixed(1);

function stepChart(
  label: string,
  series: BinnedSeries | undefined,
  colour: Line['colour'],
  yRange: NonNullable<ChartSpec['yRange']>,
  toEpoch: (epoch: number | undefined) => void,
  yName = 'mean reward',
): ChartSpec {
  const { index = [], mean = [], min = [], max = [], epoch = [], size = 1 } = series ?? {};
  return {
    label,
    x: index,
    xName: 'step',
    yName,
    yRange,
    lines: [
      {
        name: 'raw',
        values: mean,
        colour,
        thread: true,
        points: false,
        ...(size > 1 ? { range: { low: min, high: max } } : {}),
      },
      { name: 'smoothed', values: smooth(mean), colour, width: 2.5, points: false },
    ],
    onPick: (i) => toEpoch(epoch[i]),
    pickHint: 'Click or Enter opens the epoch of the step',
  };
}

/** What can go wrong quietly: fewer kinds of task, more rejects, pools that stop growing, policies far from their start. */
import type { Comparison } from '../comparison.ts';
import { measured, metric } from '../curves.ts';
import { AMOUNT, SHARE } from '../interval.ts';
import { compact, tick } from '../number.ts';
import type { Figure } from '../svg/figure.ts';
import { emptyPanel } from '../svg/frame.ts';
import { lineChart } from '../svg/line-chart.ts';
import { armLines, lineLegend, type Player } from './arms.ts';

interface Watched {
  key: string;
  title: string;
  unit: string;
  player: Player;
  within: readonly [number, number];
}

const WATCHED: readonly Watched[] = [
  {
    key: 'env/structures',
    title: 'Kinds of generated task',
    unit: 'distinct structures per epoch',
    player: 'environment',
    within: AMOUNT,
  },
  {
    key: 'env/diversity',
    title: 'Evenness of the kinds',
    unit: 'entropy over its maximum (1: all different)',
    player: 'environment',
    within: SHARE,
  },
  {
    key: 'env/rejectedShare',
    title: 'Rejected generations',
    unit: 'share of generations',
    player: 'environment',
    within: SHARE,
  },
  {
    key: 'env/duplicateShare',
    title: 'Rejected as duplicates',
    unit: 'share of generations',
    player: 'environment',
    within: SHARE,
  },
  {
    key: 'pool/agent',
    title: 'Tasks in the pool of the agent',
    unit: 'tasks so far',
    player: 'agent',
    within: AMOUNT,
  },
  {
    key: 'pool/environment',
    title: 'Generations in the pool of the environment',
    unit: 'kept so far',
    player: 'environment',
    within: AMOUNT,
  },
  {
    key: 'env/kl',
    title: 'Drift of the environment',
    unit: 'KL to the initial simulator, nats per token',
    player: 'environment',
    within: AMOUNT,
  },
  {
    key: 'agent/kl',
    title: 'Drift of the agent',
    unit: 'KL to the initial agent, nats per token',
    player: 'agent',
    within: AMOUNT,
  },
];

/** Panels of metrics that exist: an arm that writes no tasks has little to watch. */
export function drift(comparison: Comparison): Figure {
  const present = WATCHED.filter(({ key }) => measured(comparison.arms, metric(key)));
  return {
    id: 'drift',
    title: 'Diversity, rejects, pools and drift',
    hint:
      'Success in the band means little if the kinds of task shrink to a few, if most generations are thrown away, or if a ' +
      'policy has left its domain.' +
      (comparison.arms.length > 1 ? ' Arms that write their tasks once do so in epoch 0.' : ''),
    legend: lineLegend(
      comparison,
      present.map(({ key }) => metric(key)),
      [...new Set(present.map(({ player }) => player))],
    ),
    panels:
      present.length === 0
        ? [emptyPanel('Diversity, rejects, pools and drift', 'No run measured any of these.')]
        : present.map(({ key, title, unit, player, within }) =>
            lineChart({
              title,
              x: { label: 'epoch', format: tick, whole: true },
              y: { label: unit, format: tick, within },
              lines: armLines(comparison.arms, { y: metric(key), player, format: compact, within }),
              absent: '',
            }),
          ),
  };
}

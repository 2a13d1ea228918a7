/** Fig. 4: does training move steadily, without collapse? */
import type { Arm, Comparison } from '../comparison.ts';
import { metric } from '../curves.ts';
import { SHARE } from '../interval.ts';
import { rate, tick } from '../number.ts';
import { binned, meanSteps, smoothed } from '../steps.ts';
import type { Figure } from '../svg/figure.ts';
import { type Line, lineChart } from '../svg/line-chart.ts';
import { absent } from './absent.ts';
import { armLines, lineLegend, lookOf } from './arms.ts';

export function training(comparison: Comparison): Figure {
  const { arms } = comparison;
  const perEpoch = (title: string, unit: string, key: string) =>
    lineChart({
      title,
      x: { label: 'epoch', format: tick, whole: true },
      y: { label: unit, format: tick, within: SHARE },
      lines: armLines(arms, { y: metric(key), format: rate, within: SHARE }),
      absent: absent(key),
    });
  const steps = lineChart({
    title: 'Reward per optimizer step',
    x: { label: 'optimizer step of the agent', format: tick, whole: true },
    y: { label: 'mean reward (thin: as measured, thick: smoothed)', format: tick, within: SHARE },
    lines: arms.map((arm, i) => stepLine(arms, arm, i)),
    absent: 'No run recorded the rewards of its optimizer steps.',
  });
  return {
    id: 'training',
    title: 'Training dynamics',
    hint:
      'Validation is on tasks the agent never trains on; base tasks are trained on, and their answers are the data’s own; reward on its training tasks need not rise, because the tasks get ' +
      'harder as the agent gets better. After Fig.\u00a04 of the paper.',
    legend: lineLegend(comparison, ['val/successRate', 'base/successRate', 'agent/reward'].map(metric)),
    panels: [
      steps,
      perEpoch('Validation success per epoch', 'share of held-out tasks solved', 'val/successRate'),
      perEpoch('Success on base tasks per epoch', 'share of attempts that are right', 'base/successRate'),
      perEpoch('Reward per epoch', 'mean reward of training attempts', 'agent/reward'),
    ],
  };
}

/** The raw line is the thread behind the smoothed one. */
function stepLine(arms: readonly Arm[], arm: Arm, index: number): Line {
  const series = arm.runs.map((run) => run.epochs.flatMap((point) => point.stepRewards.filter(Number.isFinite)));
  const raw = binned(meanSteps(series));
  const smooth = smoothed(raw.map((bin) => bin.value));
  return {
    name: arm.name,
    look: lookOf(arms, index),
    points: raw.map(({ step }, i) => ({
      x: step,
      y: smooth[i]!,
      hover: `${arm.name}, step ${Math.round(step)}: ${rate(smooth[i]!)} smoothed, ${rate(raw[i]!.value)} raw`,
    })),
    threads: [raw.map(({ step, value }) => ({ x: step, y: value }))],
  };
}

/** What every simulator is told beside its seed: how the agent has been doing, and what to aim at. */
import type { Brief } from './players.ts';
import type { Message } from './types.ts';

export function standing({ lineage, overall, target }: Pick<Brief, 'lineage' | 'overall' | 'target'>): string[] {
  return [
    lineage.length > 0
      ? `Agent's success on variations of this task: ${lineage.map((l) => `epoch ${l.epoch}: ${l.successes} of ${l.attempts}`).join(', ')}.`
      : 'The agent has not attempted variations of this task yet.',
    ...(overall === undefined
      ? []
      : [`Agent's success on all generated tasks in the last epoch: ${percent(overall)}.`]),
    `Target: the agent should solve the new task in about ${percent(target.alpha)} of its attempts (between ${percent(target.alpha - target.kMin)} and ${percent(target.alpha + target.kMin)}).`,
  ];
}

const percent = (rate: number) => `${Math.round(100 * Math.min(1, Math.max(0, rate)))}%`;

/** The rates that scripts can be asked for, in per cent; hindsight trains a row for each. */
export const ASKED_RATES = [0, 25, 50, 75, 100] as const;

/** The rate that a context asks for, to the nearest of these. */
export function askedRate(context: readonly Message[]): number {
  const content = context.at(-1)?.content ?? '';
  // The target is the last line; what stands above it is a seed's.
  const percent = Number(/about (\d+)%/.exec(content.slice(content.lastIndexOf('\n') + 1))?.[1] ?? 50);
  return ASKED_RATES.reduce<number>(
    (best, rate) => (Math.abs(rate - percent) < Math.abs(best - percent) ? rate : best),
    ASKED_RATES[0],
  );
}

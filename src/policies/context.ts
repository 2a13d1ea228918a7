/** What the environment is shown: the seed task, how the agent has been doing, and the band to aim at. */
import type { Brief } from '../core/players.ts';
import type { Message } from '../core/types.ts';

const INSTRUCTIONS = `You design training tasks for an agent. Given a seed task, write ONE new variation of it: same domain and tools, different content. Make it harder or easier so that the agent's success rate comes close to the target. The task must be solvable and its evaluation correct: the target in "eval" is what a perfect agent would answer.
Answer with one JSON object: {"prompt": [messages], "tools": [tool specs], "eval": {...}}, in the form of the seed. No other text.`;

/** The general prompt, for benchmarks that have none of their own. */
export function environmentContext({ seed, lineage, overall, target }: Brief): Message[] {
  const { prompt, tools, eval: spec } = seed;
  const lines = [
    `Seed task:\n${JSON.stringify({ prompt, tools, eval: spec })}`,
    lineage.length > 0
      ? `Agent's success on variations of this task: ${lineage.map((l) => `epoch ${l.epoch}: ${l.successes} of ${l.attempts}`).join(', ')}.`
      : 'The agent has not attempted variations of this task yet.',
    overall === undefined ? '' : `Agent's success on all generated tasks in the last epoch: ${percent(overall)}.`,
    `Target: the agent should solve the new task in about ${percent(target.alpha)} of its attempts (between ${percent(target.alpha - target.kMin)} and ${percent(target.alpha + target.kMin)}).`,
  ];
  return [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: lines.filter(Boolean).join('\n') },
  ];
}

const percent = (rate: number) => `${Math.round(100 * Math.min(1, Math.max(0, rate)))}%`;

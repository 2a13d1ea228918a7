/** What the environment is shown: the seed task, how the agent has been doing, and the band to aim at. */
import type { Brief } from '../core/players.ts';
import { standing } from '../core/standing.ts';
import type { Message } from '../core/types.ts';

const INSTRUCTIONS = `You design training tasks for an agent. Given a seed task, write ONE new variation of it: same domain and tools, different content. Make it harder or easier so that the agent's success rate comes close to the target. The task must be solvable and its evaluation correct: the target in "eval" is what a perfect agent would answer.
Answer with one JSON object: {"prompt": [messages], "tools": [tool specs], "eval": {...}}, in the form of the seed. No other text.`;

/** The general prompt, for benchmarks that have none of their own. */
export function environmentContext(brief: Brief): Message[] {
  const { prompt, tools, eval: spec } = brief.seed;
  const lines = [`Seed task:\n${JSON.stringify({ prompt, tools, eval: spec })}`, ...standing(brief)];
  return [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: lines.join('\n') },
  ];
}

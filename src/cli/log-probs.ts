/** How sure a policy was of what it wrote. */
import type { Turn } from '../core/types.ts';
import { counted, decimal } from './format.ts';

export const tokenCount = (turns: readonly Turn[]): number => turns.reduce((sum, { tokens }) => sum + tokens.length, 0);

/** Per token; null where nothing was written. */
export function meanLogprob(turns: readonly Turn[]): number | null {
  const tokens = tokenCount(turns);
  const total = turns.reduce((sum, { logprobs }) => sum + logprobs.reduce((a, b) => a + b, 0), 0);
  return tokens === 0 ? null : total / tokens;
}

export const tokenLine = (turns: readonly Turn[]): string =>
  `${counted(tokenCount(turns), 'token')}, mean log-prob ${decimal(meanLogprob(turns), 3)}`;

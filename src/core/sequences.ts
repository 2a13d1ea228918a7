/** What a policy wrote, as the sequences an engine trains on: both updates lay their credit over these. */
import type { Datum } from './engine.ts';
import type { Turn } from './types.ts';

/**
 * One sequence while each turn's prompt extends what came before, a new one where it does not (a template that rewrites
 * history, say). Only what the policy wrote has weight.
 */
export function sequences(turns: readonly Turn[]): Datum[] {
  const chains: Turn[][] = [];
  for (const turn of turns) {
    const chain = chains.at(-1);
    if (chain && extendsTurn(chain.at(-1)!, turn)) chain.push(turn);
    else chains.push([turn]);
  }
  return chains.map((chain) => {
    const last = chain.at(-1)!;
    const length = last.prompt.length + last.tokens.length;
    const datum = {
      tokens: new Int32Array(length),
      weights: new Float32Array(length),
      logprobs: new Float32Array(length),
    };
    datum.tokens.set(last.prompt);
    datum.tokens.set(last.tokens, last.prompt.length);
    for (const turn of chain) {
      datum.weights.fill(1, turn.prompt.length, turn.prompt.length + turn.tokens.length);
      datum.logprobs.set(turn.logprobs, turn.prompt.length);
    }
    return datum;
  });
}

function extendsTurn(before: Turn, after: Turn): boolean {
  const { prompt, tokens } = before;
  if (after.prompt.length < prompt.length + tokens.length) return false;
  for (let i = 0; i < prompt.length; i++) if (after.prompt[i] !== prompt[i]) return false;
  for (let i = 0; i < tokens.length; i++) if (after.prompt[prompt.length + i] !== tokens[i]) return false;
  return true;
}

/** The same credit on every position: the mask is in the weights. */
export const withCredit = (datum: Datum, credit: number): Datum => ({
  ...datum,
  advantages: new Float32Array(datum.tokens.length).fill(credit),
});

/** Divides the mask by the number of tokens it holds, over the whole batch: losses become means. */
export function normalise(data: Datum[]): Datum[] {
  let written = 0;
  for (const { weights } of data) for (const w of weights) written += w;
  if (written === 0) return data;
  for (const { weights } of data) for (let t = 0; t < weights.length; t++) weights[t]! /= written;
  return data;
}

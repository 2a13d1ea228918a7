/**
 * The model behind a script: a table of logits with exact gradients. Token ids are small integers: a turn is
 * [D, row₁ … row_D] as its prompt, then the D choices; a conversation is such turns one after another.
 */
import type { Datum, Loss, OptimStep } from '../../core/engine.ts';
import { tokenLoss } from '../../core/loss.ts';

export interface Table {
  readonly names: readonly string[];
  /** offsets[r] … offsets[r + 1] are row r's logits. */
  readonly offsets: Int32Array;
  logits: Float64Array;
}

/** Adam's memory. */
export interface Moments {
  first: Float64Array;
  second: Float64Array;
  steps: number;
}

export function createTable(rows: Readonly<Record<string, readonly number[]>>): Table {
  const names = Object.keys(rows);
  const offsets = new Int32Array(names.length + 1);
  names.forEach((name, r) => {
    offsets[r + 1] = offsets[r]! + rows[name]!.length;
  });
  return { names, offsets, logits: Float64Array.from(names.flatMap((name) => [...rows[name]!])) };
}

export const createMoments = (size: number): Moments => ({
  first: new Float64Array(size),
  second: new Float64Array(size),
  steps: 0,
});

/** Log-softmax of one row. */
export function logProbs({ logits, offsets }: Table, row: number): Float64Array {
  const out = logits.slice(offsets[row]!, offsets[row + 1]!);
  let top = Number.NEGATIVE_INFINITY;
  for (const x of out) top = Math.max(top, x);
  let total = 0;
  for (const x of out) total += Math.exp(x - top);
  const norm = top + Math.log(total);
  for (let i = 0; i < out.length; i++) out[i]! -= norm;
  return out;
}

/** All rows: a table is small, and the sequences that draw from it are many. */
export const everyRow = (table: Table): Float64Array[] => table.names.map((_, row) => logProbs(table, row));

/** Log-probs of a datum's choices; `visit` sees each one that has weight. */
export function forward(
  table: Table,
  datum: Datum,
  rows: readonly Float64Array[] = everyRow(table),
  visit?: (t: number, row: number, lp: Float64Array) => void,
): Float32Array {
  const { tokens, weights } = datum;
  const out = new Float32Array(tokens.length);
  for (let at = 0; at < tokens.length; ) {
    const count = tokens[at]!;
    const choices = at + 1 + count;
    if (count < 0 || choices > tokens.length)
      throw new RangeError(`Token ${at} (${count}) opens a turn that does not fit its sequence.`);
    for (let d = 0; d < count && choices + d < tokens.length; d++) {
      const t = choices + d;
      if (weights[t] === 0) continue;
      const row = rowAt(table, tokens[at + 1 + d]!);
      const lp = rows[row]!;
      const choice = tokens[t]!;
      if (!(choice >= 0 && choice < lp.length))
        throw new RangeError(`Token ${t} is ${choice}, but row "${table.names[row]}" has ${lp.length} options.`);
      out[t] = lp[choice]!;
      visit?.(t, row, lp);
    }
    at = choices + count;
  }
  return out;
}

/** Adds ∂loss/∂logits of the data to `grads`, and returns the loss and the log-probs. */
export function backward(
  table: Table,
  data: readonly Datum[],
  loss: Loss,
  grads: Float64Array,
): { loss: number; logprobs: Float32Array[] } {
  let total = 0;
  const rows = everyRow(table);
  const logprobs = data.map((datum) =>
    forward(table, datum, rows, (t, row, lp) => {
      const choice = datum.tokens[t]!;
      const token = tokenLoss(loss, datum, t, lp[choice]!);
      total += token.loss;
      const offset = table.offsets[row]!;
      for (let i = 0; i < lp.length; i++)
        grads[offset + i]! += token.slope * ((i === choice ? 1 : 0) - Math.exp(lp[i]!));
    }),
  );
  return { loss: total, logprobs };
}

/** One AdamW step; returns the gradient norm before clipping. Rows without a gradient stay where they are. */
export function adamStep(table: Table, grads: Float64Array, moments: Moments, step: OptimStep): number {
  const { learningRate, beta1 = 0, beta2 = 0.95, eps = 1e-8, weightDecay = 0, maxGradNorm } = step;
  const norm = Math.sqrt(grads.reduce((sum, g) => sum + g * g, 0));
  const scale = maxGradNorm !== undefined && norm > maxGradNorm ? maxGradNorm / norm : 1;
  const t = ++moments.steps;
  for (let i = 0; i < grads.length; i++) {
    const g = grads[i]! * scale;
    moments.first[i] = beta1 * moments.first[i]! + (1 - beta1) * g;
    moments.second[i] = beta2 * moments.second[i]! + (1 - beta2) * g * g;
    const m = moments.first[i]! / (1 - beta1 ** t);
    const v = moments.second[i]! / (1 - beta2 ** t);
    table.logits[i]! -= learningRate * (m / (Math.sqrt(v) + eps) + weightDecay * table.logits[i]!);
  }
  return norm;
}

function rowAt({ names }: Table, id: number): number {
  if (!(id >= 0 && id < names.length)) throw new RangeError(`Token ${id} names no row: the table has ${names.length}.`);
  return id;
}

/** Picks one token from a distribution. */

export interface Choice {
  /** 0 is greedy. */
  temperature: number;
  topP?: number | undefined;
  topK?: number | undefined;
  /** 1 where a token may be chosen: a grammar's next step, or a closed set of answers. */
  allowed?: Uint8Array | undefined;
}

/** `p` is the model's own distribution, `tempered` the one at the requested temperature; `u` is uniform in [0, 1). */
export function chooseToken(p: Float32Array, tempered: Float32Array, choice: Choice, u: number): number {
  if (choice.temperature === 0) return argmax(p, choice.allowed);
  if (choice.allowed || choice.topK !== undefined || (choice.topP ?? 1) < 1) {
    return pickByCumulative(restrict(tempered, choice), u, p);
  }
  return pickByCumulative(tempered, u, p);
}

function argmax(p: Float32Array, allowed: Uint8Array | undefined): number {
  let best = -1;
  for (let i = 0; i < p.length; i++) {
    if (allowed && allowed[i] !== 1) continue;
    if (best === -1 || p[i]! > p[best]!) best = i;
  }
  return best;
}

/** Zeroes what the mask, top-k and top-p exclude; in that order, each over what the last one left. */
function restrict(q: Float32Array, { allowed, topK, topP = 1 }: Choice): Float32Array {
  const kept = allowed ? q.map((x, i) => (allowed[i] === 1 ? x : 0)) : Float32Array.from(q);
  if (topK === undefined && topP >= 1) return kept;
  const sorted = Float32Array.from(kept).sort();
  let mass = 0;
  for (let i = sorted.length - 1; i >= 0; i--) mass += sorted[i]!;
  const limit = Math.min(topK ?? sorted.length, sorted.length);
  if (topK !== undefined) {
    mass = 0;
    for (let rank = 0; rank < limit; rank++) mass += sorted[sorted.length - 1 - rank]!;
  }
  let count = 0;
  let sum = 0;
  // The smallest set whose mass reaches topP of what is left.
  while (count < limit && (count === 0 || sum < topP * mass)) sum += sorted[sorted.length - 1 - count++]!;
  const cutoff = sorted[sorted.length - count]!;
  let ties = count - countAbove(kept, cutoff);
  return kept.map((x) => (x > cutoff || (x === cutoff && ties-- > 0) ? x : 0));
}

function countAbove(q: Float32Array, cutoff: number): number {
  let count = 0;
  for (const x of q) if (x > cutoff) count++;
  return count;
}

function pickByCumulative(q: Float32Array, u: number, p: Float32Array): number {
  let total = 0;
  for (let i = 0; i < q.length; i++) total += q[i]!;
  if (Number.isNaN(total)) throw new Error('the model returned no distribution: its weights or activations are NaN');
  if (total <= 0) throw new Error('nothing to sample from: no allowed token has any probability');
  let left = u * total;
  let last = -1;
  for (let i = 0; i < q.length; i++) {
    // A token the model itself gives nothing has no log-probability to learn from.
    if (q[i]! <= 0 || p[i]! <= 0) continue;
    last = i;
    left -= q[i]!;
    if (left < 0) return i;
  }
  // Rounding can leave a sliver of u above the sum.
  return last;
}

/**
 * Randomness as an argument. A generator forks by name, and a fork depends only on its path of names, never on how much
 * was drawn before: rng.fork('epoch', 3).fork('rollout', 17) is the same stream whatever ran beside it.
 */
import { type Hash, hashText } from './hash.ts';

export interface Rng {
  /** Uniform in [0, 1), 53 bits. */
  next(): number;
  /** Uniform integer in [0, n). */
  int(n: number): number;
  fork(...path: (string | number)[]): Rng;
  /** Everything needed to go on from here. */
  state(): RngState;
}

/** The identity of a stream (what forks grow from) and its position. */
export type RngState = { key: Hash; position: Hash };

export const createRng = (seed: number | string): Rng => fromKey(hashText(pathText([seed])));

export const restoreRng = (state: RngState): Rng => streamOf(state.key, [...state.position]);

/** A 32-bit seed for an engine request. */
export const seedOf = (rng: Rng): number => rng.int(0x1_0000_0000);

/** Fisher-Yates, into a new array. */
export function shuffled<T>(items: Iterable<T>, rng: Rng): T[] {
  const out = [...items];
  for (let i = out.length - 1; i > 0; i--) {
    const j = rng.int(i + 1);
    [out[i], out[j]] = [out[j]!, out[i]!];
  }
  return out;
}

/** An index drawn in proportion to the weights. */
export function weightedIndex(weights: ArrayLike<number>, rng: Rng): number {
  let total = 0;
  for (let i = 0; i < weights.length; i++) total += weights[i]!;
  let left = rng.next() * total;
  // Rounding can leave a sliver at the end; it falls to the last weight above zero.
  let chosen = weights.length - 1;
  for (let i = 0; i < weights.length && left >= 0; i++) {
    if (weights[i]! <= 0) continue;
    left -= weights[i]!;
    chosen = i;
  }
  return chosen;
}

const fromKey = (key: Hash): Rng => streamOf(key, [...key]);

/** sfc32 (Doty-Humphrey): small, fast, passes PractRand; its fourth word is a counter, so every period is ≥ 2³². */
function streamOf(key: Hash, p: Hash): Rng {
  const uint32 = (): number => {
    const t = (p[0] + p[1] + p[3]) | 0;
    p[3] = (p[3] + 1) | 0;
    p[0] = p[1] ^ (p[1] >>> 9);
    p[1] = (p[2] + (p[2] << 3)) | 0;
    p[2] = ((p[2] << 21) | (p[2] >>> 11)) + t;
    p[2] |= 0;
    return t >>> 0;
  };
  const next = () => ((uint32() >>> 5) * 0x400_0000 + (uint32() >>> 6)) / 0x20_0000_0000_0000;
  return {
    next,
    int: (n) => Math.floor(next() * n),
    fork: (...path) => fromKey(hashText(pathText(path), key)),
    state: () => ({ key: [...key], position: [...p] }),
  };
}

/** Lengths and types are part of the path, so that no two paths spell alike. */
const pathText = (path: (string | number)[]) =>
  path.map((part) => `${typeof part === 'number' ? 'n' : 's'}${String(part).length}:${part}`).join('');

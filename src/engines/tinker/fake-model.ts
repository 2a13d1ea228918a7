/** The smallest thing that can be trained by the protocol: a table of next-token logits. For tests. */

export const VOCABULARY = 24;

/** What a fake server does differently from others, each as some real server does. */
export interface Quirks {
  reduction: 'sum' | 'requestMean' | 'stepMean' | 'tokenMean';
  snapshots: 'kept' | 'latest' | 'overwrites';
  /** Whether `weights` may come with advantages. */
  mask: boolean;
  ppo: 'clips' | 'ignores' | 'refuses';
  adam: 'all' | 'learningRate';
  promptLogprobs: 'full' | 'shifted' | 'none';
  baseSampling: boolean;
  seeds: boolean;
  wideSeeds: boolean;
  several: boolean;
  dedupes: boolean;
  /** Whether adapters share their weights, as where a server holds one. */
  apart: boolean;
  maxModels: number;
  /** Added to every log-prob of samples. */
  samplerBias: number;
  /** Answers `try_again` so often before a result. */
  tryAgain: number;
  gradNorm: boolean;
  /** Whether our losses are taken whole; otherwise what is not known is refused. */
  extended: boolean;
}

export const PLAIN: Quirks = {
  reduction: 'sum',
  snapshots: 'kept',
  mask: true,
  ppo: 'clips',
  adam: 'all',
  promptLogprobs: 'full',
  baseSampling: true,
  seeds: true,
  wideSeeds: true,
  several: true,
  dedupes: true,
  apart: true,
  maxModels: 16,
  samplerBias: 0,
  tryAgain: 0,
  gradNorm: true,
  extended: false,
};

export interface Weights {
  table: Float64Array;
  m: Float64Array;
  v: Float64Array;
  gradient: Float64Array;
  /** Whose gradients wait for a step. */
  sequences: number;
  step: number;
}

const SIZE = VOCABULARY * VOCABULARY;
const BASE = Float64Array.from({ length: SIZE }, (_, i) => Math.sin(i * 12.9898) * 1.5);

export const freshWeights = (): Weights => ({
  table: new Float64Array(SIZE),
  m: new Float64Array(SIZE),
  v: new Float64Array(SIZE),
  gradient: new Float64Array(SIZE),
  sequences: 0,
  step: 0,
});

export const copyWeights = ({ table, m, v, gradient, sequences, step }: Weights): Weights => ({
  table: table.slice(),
  m: m.slice(),
  v: v.slice(),
  gradient: gradient.slice(),
  sequences,
  step,
});

export function distribution({ table }: Pick<Weights, 'table'>, before: number): number[] {
  const row = before * VOCABULARY;
  const logits = Array.from({ length: VOCABULARY }, (_, i) => BASE[row + i]! + table[row + i]!);
  const top = Math.max(...logits);
  const total = logits.reduce((sum, x) => sum + Math.exp(x - top), 0);
  return logits.map((x) => x - top - Math.log(total));
}

/** Adds coefficient·∂logp/∂weights. */
export function accumulate(weights: Weights, before: number, target: number, coefficient: number): void {
  const logp = distribution(weights, before);
  for (let i = 0; i < VOCABULARY; i++) {
    weights.gradient[before * VOCABULARY + i]! -= coefficient * ((i === target ? 1 : 0) - Math.exp(logp[i]!));
  }
}

export interface Adam {
  learning_rate: number;
  beta1: number;
  beta2: number;
  eps: number;
  grad_clip_norm?: number;
}

/** Returns the norm of the gradient. */
export function adamStep(weights: Weights, adam: Adam): number {
  const { table, m, v, gradient } = weights;
  const norm = Math.sqrt(gradient.reduce((sum, g) => sum + g * g, 0));
  const clip = adam.grad_clip_norm && norm > adam.grad_clip_norm ? adam.grad_clip_norm / norm : 1;
  weights.step++;
  for (let i = 0; i < SIZE; i++) {
    const g = gradient[i]! * clip;
    m[i] = adam.beta1 * m[i]! + (1 - adam.beta1) * g;
    v[i] = adam.beta2 * v[i]! + (1 - adam.beta2) * g * g;
    const mean = m[i]! / (1 - adam.beta1 ** weights.step);
    const square = v[i]! / (1 - adam.beta2 ** weights.step);
    table[i]! -= (adam.learning_rate * mean) / (Math.sqrt(square) + adam.eps);
  }
  gradient.fill(0);
  weights.sequences = 0;
  return norm;
}

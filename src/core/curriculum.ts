/**
 * Eq. 3 and the difficulty filter: what a task is worth to the environment that wrote it. The paper's bell and hard filter,
 * and the forms that survive small samples, are interchangeable functions of the evidence.
 */
import { betaCdf } from './beta.ts';
import { type Evidence, successRate } from './success-rate.ts';

export interface Band {
  /** α, the success rate to aim at. */
  alpha: number;
  /** k_min, the half-width of the band. */
  kMin: number;
}

export interface CurriculumSettings extends Band {
  /** β, the sharpness of the bell. */
  beta: number;
  /** λ, the temperature of the weights. */
  lambda: number;
  reward: 'bell' | 'bandMass' | 'rZero' | 'learnability';
  filter: 'strict' | 'soft' | 'none';
  /** The soft filter never keeps less than this share. */
  minKept: number;
  /** The share of an epoch's tasks that one kind may take before it is worth less. */
  quota: number;
}

/** Rates are ratios of small integers; |0.4 − 0.3| must not leave a band of 0.1 over the last bit. */
const ROUNDING = 1e-9;

/** |p̂ − α| ≤ k_min. */
export const inBand = (rate: number, { alpha, kMin }: Band): boolean => Math.abs(rate - alpha) <= kMin + ROUNDING;

/** Eq. 3: R_env(p̂) = exp(−β(p̂ − α)²). */
export const envReward = (rate: number, { alpha, beta }: { alpha: number; beta: number }): number =>
  Math.exp(-beta * (rate - alpha) ** 2);

/** P(|p − α| ≤ k_min | data) under a uniform prior: with n = 4, p̂ = 0.5 is far from certainty, and this says how far. */
export function bandMass({ successes, attempts }: Evidence, { alpha, kMin }: Band): number {
  const a = successes + 1;
  const b = attempts - successes + 1;
  // In the upper tail both terms are close to 1 and their difference is lost: measure it from the other end.
  return a / (a + b) > alpha
    ? Math.max(0, betaCdf(alpha + kMin, a, b) - betaCdf(alpha - kMin, a, b))
    : Math.max(0, betaCdf(1 - alpha + kMin, b, a) - betaCdf(1 - alpha - kMin, b, a));
}

/** Band mass as a share of the most that so many attempts could show: 1 at p̂ = α, whatever n. */
export const relativeBandMass = (evidence: Evidence, band: Band): number => {
  const best = bandMass({ successes: band.alpha * evidence.attempts, attempts: evidence.attempts }, band);
  return Math.min(1, bandMass(evidence, band) / best);
};

/** The environment's reward in [0, 1], by rule. Each peaks in the middle; only the first is the paper's. */
export const ENV_REWARDS: Record<
  CurriculumSettings['reward'],
  (evidence: Evidence, rate: number, c: CurriculumSettings) => number
> = {
  bell: (_, rate, c) => envReward(rate, c),
  bandMass: (evidence, _, c) => relativeBandMass(evidence, c),
  rZero: (_, rate) => 1 - 2 * Math.abs(rate - 0.5),
  learnability: (_, rate) => 4 * rate * (1 - rate),
};

/** What the curriculum makes of one task. */
export interface Appraisal {
  successRate: number;
  envReward: number;
  kept: boolean;
  /** Weight before normalisation: how far the gate is open. 1 for all survivors of the strict filter. */
  gate: number;
}

/** Reward and filter for a set of tasks; a task without a single valid attempt is never kept. */
export function appraise(evidence: readonly (Evidence | undefined)[], c: CurriculumSettings): Appraisal[] {
  const appraisals = evidence.map((e): Appraisal => {
    const rate = e && successRate(e);
    if (!e || rate === undefined) return { successRate: 0, envReward: 0, kept: false, gate: 0 };
    const reward = ENV_REWARDS[c.reward](e, rate, c);
    return { successRate: rate, envReward: reward, ...FILTERS[c.filter](e, rate, c) };
  });
  if (c.filter === 'soft') keepAtLeast(appraisals, c.minKept);
  return appraisals;
}

/** A soft gate this far open keeps a task; less is not worth a training example. */
export const GATE_OPEN = 0.25;

/** Band mass underflows after thousands of failures; the floor must still be able to keep such a task. */
const CLOSED = 1e-300;

export const FILTERS: Record<
  CurriculumSettings['filter'],
  (evidence: Evidence, rate: number, c: CurriculumSettings) => { kept: boolean; gate: number }
> = {
  strict: (_, rate, c) => {
    const kept = inBand(rate, c);
    return { kept, gate: kept ? 1 : 0 };
  },
  soft: (evidence, _, c) => {
    const gate = Math.max(relativeBandMass(evidence, c), CLOSED);
    return { kept: gate >= GATE_OPEN, gate };
  },
  none: () => ({ kept: true, gate: 1 }),
};

/** The floor: the best `share` of the tasks survive even when none is good, so that the environment always learns. */
function keepAtLeast(appraisals: Appraisal[], share: number): void {
  const rated = appraisals.filter((a) => a.gate > 0);
  const wanted = Math.ceil(share * rated.length);
  rated.sort((a, b) => b.gate - a.gate);
  for (const appraisal of rated.slice(0, wanted)) appraisal.kept = true;
}

/** RWR weights: ∝ gate·exp(λ·R_env) over the survivors, normalised to mean 1; 0 for the rest. */
export function rwrWeights(appraisals: readonly Appraisal[], lambda: number): number[] {
  const survivors = appraisals.filter((a) => a.kept).length;
  // Relative to the best survivor, so that no λ overflows.
  const best = appraisals.reduce((max, a) => (a.kept ? Math.max(max, a.envReward) : max), 0);
  const raw = appraisals.map((a) => (a.kept ? a.gate * Math.exp(lambda * (a.envReward - best)) : 0));
  const total = raw.reduce((sum, w) => sum + w, 0);
  return total > 0 ? raw.map((w) => (w * survivors) / total) : raw;
}

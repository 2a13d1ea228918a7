/** RWR, the environment's update: its own generations as weighted training sequences, under a cap on KL to its first self. */
import type { Datum } from './engine.ts';
import { k3 } from './loss.ts';
import { normalise, sequences, withCredit } from './sequences.ts';
import type { Turn } from './types.ts';

/** One (context → generated task) record with its weight: an RWR weight, or an advantage of either sign. */
export interface WeightedRecord {
  turn: Turn;
  weight: number;
}

/** Weighted SFT: credit is the record's weight, the loss a mean over the batch's written tokens. */
export function rwrData(records: readonly WeightedRecord[]): Datum[] {
  return normalise(records.flatMap(({ turn, weight }) => sequences([turn]).map((datum) => withCredit(datum, weight))));
}

/** Mean k3 per written token between the current policy and its reference. */
export function meanKl(
  data: readonly Datum[],
  current: readonly Float32Array[],
  reference: readonly Float32Array[],
): number {
  let sum = 0;
  let tokens = 0;
  data.forEach(({ weights }, i) => {
    for (let t = 0; t < weights.length; t++) {
      if (weights[t] === 0) continue;
      sum += k3(current[i]![t]!, reference[i]![t]!);
      tokens++;
    }
  });
  return tokens > 0 ? sum / tokens : 0;
}

export interface CappedUpdate {
  /** One whole update with the learning rate scaled. */
  apply(scale: number): Promise<void>;
  /** KL to the initial policy on freshly sampled prompts. */
  measureKl(): Promise<number>;
  /** Back to the weights before `apply`. */
  restore(): Promise<void>;
}

export interface CapReport {
  applied: boolean;
  /** KL of what stands now. */
  kl: number;
  scale: number;
  /** KL of each attempt, in order. */
  attempts: number[];
}

/**
 * The cap on a step: apply, measure, and if the KL is over the cap restore and try half the step, at most `halvings` times;
 * then skip. The last good weights always survive. A KL that is not a number counts as over the cap.
 */
export async function withKlCap(update: CappedUpdate, maxKl: number, halvings = 2): Promise<CapReport> {
  const attempts: number[] = [];
  for (let scale = 1, tries = 0; tries <= halvings; tries++, scale /= 2) {
    await update.apply(scale);
    const kl = await update.measureKl();
    attempts.push(kl);
    if (kl <= maxKl) return { applied: true, kl, scale, attempts };
    await update.restore();
  }
  return { applied: false, kl: await update.measureKl(), scale: 0, attempts };
}

/** GRPO by hand: group-relative advantages, the clipped token objective, the k3 penalty, and the mean over tokens. */
import { describe, expect, it } from 'vitest';
import { advantages, grpoData } from '../../src/core/grpo.ts';
import { clippedObjective, k3, tokenLoss } from '../../src/core/loss.ts';
import type { Trace } from '../../src/core/types.ts';

const close = (got: ArrayLike<number>, want: number[], digits = 12) => {
  expect(got.length).toBe(want.length);
  want.forEach((w, i) => {
    expect(got[i]).toBeCloseTo(w, digits);
  });
};

describe('advantages of one success in four', () => {
  // mean ¼, deviations ¾, −¼, −¼, −¼; variance (9 + 1 + 1 + 1)/16/4 = 0.1875, std 0.4330127, plus ε = 0.0001.
  it('GRPO: ¾ and −¼ over 0.4331127', () => {
    close(
      advantages([1, 0, 0, 0], 'grpo'),
      [1.731650899923592, -0.5772169666411974, -0.5772169666411974, -0.5772169666411974],
    );
  });

  it('Dr. GRPO: the deviations themselves', () => {
    expect(advantages([1, 0, 0, 0], 'drGrpo')).toEqual([0.75, -0.25, -0.25, -0.25]);
  });

  it.each(['grpo', 'drGrpo'] as const)('%s: nothing where all rewards are equal, though 0.1·3/3 ≠ 0.1', (kind) => {
    expect(advantages([0.1, 0.1, 0.1], kind)).toEqual([0, 0, 0]);
  });
});

describe('min(r·A, clip(r, 0.8, 1.2)·A)', () => {
  it.each([
    // Inside the clip: r·A.
    [1.1, 2, 2.2],
    [0.9, -2, -1.8],
    // A gain is cut off: min(3, 2.4); a loss avoided is cut off: min(−1, −1.6).
    [1.5, 2, 2.4],
    [0.5, -2, -1.6],
    // What went the wrong way is felt in full: min(1, 1.6), min(−3, −2.4).
    [0.5, 2, 1],
    [1.5, -2, -3],
  ])('r = %d, A = %d: %d', (ratio, advantage, value) => {
    expect(clippedObjective(ratio, advantage, 0.2, 0.2)).toBeCloseTo(value, 12);
  });

  it('clips each side by its own width: r = 1.5, A = 1 within +0.28 is 1.28', () => {
    expect(clippedObjective(1.5, 1, 0.2, 0.28)).toBeCloseTo(1.28, 12);
    expect(clippedObjective(0.5, -1, 0.3, 0.2)).toBeCloseTo(-0.7, 12);
  });
});

describe('k3 = e^d − 1 − d, d = reference − logp', () => {
  it.each([
    // The reference finds the token twice as likely: 2 − 1 − ln 2; half: ½ − 1 + ln 2.
    [Math.log(0.25), Math.log(0.5), 0.3068528194400547],
    [Math.log(0.5), Math.log(0.25), 0.1931471805599453],
    [-3, -3, 0],
  ])('logp %d, reference %d: %d', (logprob, reference, value) => {
    expect(k3(logprob, reference)).toBeCloseTo(value, 12);
  });
});

// p = 0.55 now, 0.5 when sampled and under the reference; A = 2, weight ¼, KL coefficient 0.1.
// r = 1.1: −2.2.  d = ln(0.5/0.55) = −0.0953102, e^d = 0.9090909: k3 = 0.0044011.
// loss ¼(−2.2 + 0.1·0.0044011) = −0.5498900;  slope ¼(−2.2 + 0.1(1 − 0.9090909)) = −0.5477273.
it('gives the loss and slope of one token', () => {
  const datum = {
    tokens: Int32Array.of(7),
    weights: Float32Array.of(0.25),
    advantages: Float32Array.of(2),
    logprobs: Float32Array.of(Math.log(0.5)),
    reference: Float32Array.of(Math.log(0.5)),
  };
  const clipped = { kind: 'clipped', clipLow: 0.2, clipHigh: 0.2, klCoef: 0.1 } as const;
  const { loss, slope } = tokenLoss(clipped, datum, 0, Math.log(0.55));
  expect(loss).toBeCloseTo(-0.5498899727776192, 6);
  expect(slope).toBeCloseTo(-0.5477272727272727, 6);
});

// Two rollouts after the prompt [1, 2]: three tokens that succeed, one that fails. Dr. GRPO advantages ½ and −½.
// Four tokens were written in the batch, so each weighs ¼, whoever wrote it.
it('spreads a group over its tokens: a mean over all that was written', () => {
  const trace = (index: number, reward: number, tokens: number[]): Trace => ({
    index,
    policy: 'p',
    messages: [],
    turns: [
      {
        prompt: Int32Array.of(1, 2),
        tokens: Int32Array.from(tokens),
        logprobs: Float32Array.from(tokens, () => -0.5),
      },
    ],
    answer: null,
    reward,
    success: reward === 1,
    valid: true,
    stop: 'answer',
  });
  const group = [trace(0, 1, [3, 4, 5]), trace(1, 0, [6])];
  const [first, second] = grpoData([group], 'drGrpo');
  close(first!.tokens, [1, 2, 3, 4, 5]);
  close(first!.weights, [0, 0, 0.25, 0.25, 0.25]);
  close(first!.logprobs!, [0, 0, -0.5, -0.5, -0.5]);
  close(first!.advantages!, [0.5, 0.5, 0.5, 0.5, 0.5]);
  close(second!.weights, [0, 0, 0.25]);
  close(second!.advantages!, [-0.5, -0.5, -0.5]);
});

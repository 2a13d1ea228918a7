/** RWR by hand: weighted regression on the environment's own generations, and the cap on KL with its back-off. */
import { describe, expect, it } from 'vitest';
import { tokenLoss } from '../../src/core/loss.ts';
import { meanKl, rwrData, withKlCap } from '../../src/core/rwr.ts';

const turn = (prompt: number[], tokens: number[]) => ({
  prompt: Int32Array.from(prompt),
  tokens: Int32Array.from(tokens),
  logprobs: Float32Array.from(tokens, () => -1),
});

describe('weighted SFT', () => {
  // Weights 1.5 and 0.5 on two records of one and three tokens. Each token's share of the mean is ¼.
  // At log-probs −2 and −1:  loss = ¼·1.5·2 + 3·¼·0.5·1 = 0.75 + 0.375 = 1.125; slopes −¼·1.5 and −¼·0.5.
  it('is the mean over written tokens of −weight·logp', () => {
    const data = rwrData([
      { turn: turn([1], [2]), weight: 1.5 },
      { turn: turn([1], [3, 4, 5]), weight: 0.5 },
    ]);
    const logprobs = [
      [0, -2],
      [0, -1, -1, -1],
    ];
    const tokens = data.flatMap((datum, i) =>
      logprobs[i]!.map((logprob, t) => tokenLoss({ kind: 'crossEntropy' }, datum, t, logprob)),
    );
    expect(tokens.reduce((sum, { loss }) => sum + loss, 0)).toBeCloseTo(1.125, 12);
    expect(tokens.map(({ slope }) => slope)).toEqual([0, -0.375, 0, -0.125, -0.125, -0.125]);
  });

  // k3 at d = ln 2 is 1 − ln 2, at d = 0 it is 0: mean of the two written tokens; the prompt's disagreement is nobody's.
  it('measures KL as the mean k3 per written token', () => {
    const data = rwrData([{ turn: turn([1], [2, 3]), weight: 1 }]);
    const current = [Float32Array.of(-9, -2, -1)];
    const reference = [Float32Array.of(-1, -2 + Math.LN2, -1)];
    expect(meanKl(data, current, reference)).toBeCloseTo((1 - Math.LN2) / 2, 6);
    expect(meanKl([], [], [])).toBe(0);
  });
});

/** A model of one weight: a whole step moves it by `step`, and its KL to the initial model is the square of the weight. */
function model(weight: number, step: number, klOf = (w: number) => w * w) {
  const log: string[] = [];
  let before = weight;
  const self = {
    log,
    weight: () => weight,
    apply: async (scale: number) => {
      before = weight;
      weight += scale * step;
      log.push(`apply ${scale}`);
    },
    measureKl: async () => klOf(weight),
    restore: async () => {
      weight = before;
      log.push('restore');
    },
  };
  return self;
}

describe('the cap on KL', () => {
  // From 1 by steps of 1, ½, ¼: KL 4, 2.25, 1.5625.
  it.each([
    ['under the cap', 4, ['apply 1'], { applied: true, kl: 4, scale: 1, attempts: [4] }, 2],
    [
      'over it once',
      3,
      ['apply 1', 'restore', 'apply 0.5'],
      { applied: true, kl: 2.25, scale: 0.5, attempts: [4, 2.25] },
      1.5,
    ],
    [
      'over it twice',
      2,
      ['apply 1', 'restore', 'apply 0.5', 'restore', 'apply 0.25'],
      { applied: true, kl: 1.5625, scale: 0.25, attempts: [4, 2.25, 1.5625] },
      1.25,
    ],
    [
      'over it at every scale: skipped, and the last good weights stand',
      1.5,
      ['apply 1', 'restore', 'apply 0.5', 'restore', 'apply 0.25', 'restore'],
      { applied: false, kl: 1, scale: 0, attempts: [4, 2.25, 1.5625] },
      1,
    ],
  ])('%s', async (_, maxKl, log, report, weight) => {
    const update = model(1, 1);
    expect(await withKlCap(update, maxKl)).toEqual(report);
    expect(update.log).toEqual(log);
    expect(update.weight()).toBe(weight);
  });

  it('counts a KL that is not a number as over the cap', async () => {
    const update = model(1, 1, (w) => (w > 1.5 ? Number.NaN : w * w));
    expect(await withKlCap(update, 10)).toEqual({ applied: true, kl: 2.25, scale: 0.5, attempts: [Number.NaN, 2.25] });
    const hopeless = model(1, 1, (w) => (w === 1 ? 1 : Number.NaN));
    expect(await withKlCap(hopeless, 10)).toMatchObject({ applied: false, kl: 1, scale: 0 });
    expect(hopeless.weight()).toBe(1);
  });

  it('tries as many halvings as it is given', async () => {
    const update = model(0, 1);
    expect(await withKlCap(update, 1 / 256, 4)).toMatchObject({ applied: true, scale: 1 / 16 });
    expect(await withKlCap(model(0, 1), 1 / 256, 0)).toMatchObject({ applied: false, attempts: [1] });
  });
});

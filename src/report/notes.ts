/** What a reader must know about the numbers, as far as this report has them. */
import type { Arm } from './comparison.ts';
import { rate } from './number.ts';

export function notes(arms: readonly Arm[]): string[] {
  const seeds = Math.max(0, ...arms.map((arm) => arm.runs.length));
  return [
    ...(seeds > 1 ? ofSeeds(seeds, arms.length > 1) : []),
    ...(seeds === 1
      ? [
          'There is one seed. Runs of the same settings differ by chance, and one run cannot say by how much: no intervals are given.',
        ]
      : []),
    'Epoch 0 is the agent before training. A gap in a line is an epoch in which the number was not measured.',
    'Tokens are those written by both players in training; validation and test are not in the bill.',
  ];
}

/** With more seeds than this, the least possible p is below what is shown. */
const WITH_A_FLOOR = 10;

const ofSeeds = (seeds: number, severalArms: boolean) => [
  `Intervals are 95 % intervals of the mean over seeds, after Student, with ${seeds} seeds at most. They say how far the mean would move with other seeds, not how single runs scatter nor what other tasks would give. Where a curve rests on two seeds no band is drawn: theirs would be 12.7 times as wide as their distance.`,
  ...(severalArms
    ? [
        'Differences are paired: the same seed in both arms starts from the same state, so what the seed brings cancels. That is why a difference can be clear where the intervals of the two arms overlap.',
        `p is from a sign-flip permutation test on the paired differences. ${seeds <= WITH_A_FLOOR ? `With ${seeds} seeds it cannot be less than ${rate(2 / 2 ** seeds)}, however clear the difference. ` : ''}No correction is made for comparing several arms.`,
        'The best mean of an arm is picked after the fact, over epochs, and so flatters every arm a little; scores after training do not.',
      ]
    : []),
];

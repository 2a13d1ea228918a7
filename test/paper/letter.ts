/** The curriculum by the letter of the paper, with the β of its release; tests say where they differ. */
import type { CurriculumSettings } from '../../src/core/curriculum.ts';

export const LETTER: CurriculumSettings = {
  alpha: 0.5,
  beta: 2,
  kMin: 0.1,
  lambda: 1,
  reward: 'bell',
  filter: 'strict',
  minKept: 0,
  quota: 1,
};

/**
 * What `genenv compare` can compare, as data: each arm is a few settings on top of the configuration that all arms share.
 * Everything an arm does not name, the budget above all, is the same for every arm.
 */

import { closest } from '../config/suggest.ts';
import { type ConfigInput, presets } from '../config.ts';
import { VARIANTS, type VariantName } from '../core/variants.ts';
import { CompareError } from './errors.ts';

export interface ArmSpec {
  name: string;
  /** One sentence: what is different in this arm. */
  description: string;
  settings: ConfigInput;
}

/** The method of the preset `paper` without its budget and its step sizes, which were made for a 7B model. */
const paperMethod: ConfigInput = {
  curriculum: presets.paper.curriculum,
  generation: {
    explorationShare: presets.paper.generation.explorationShare,
    evolveSeeds: presets.paper.generation.evolveSeeds,
  },
  environment: { update: presets.paper.environment.update, klCoef: presets.paper.environment.klCoef },
};

/** A KL no update reaches. */
const NO_CAP = 1e9;

/** A variant, as it is everywhere. */
const variant = (name: VariantName): ArmSpec => ({
  name,
  description: VARIANTS[name].description,
  settings: { variant: name },
});

const teacher = (ratio: number): ArmSpec => ({
  name: `teacher-offline-${ratio}x`,
  description: `A teacher writes ${ratio} times the base set once, before training.`,
  settings: { variant: 'teacher-offline', fixed: { teacherRatio: ratio } },
});

/** The full method with something changed. */
const genenv = (name: string, description: string, settings: ConfigInput = {}): ArmSpec => ({
  name,
  description,
  settings: { variant: 'genenv', ...settings },
});

/** The methods of the paper's comparison and its neighbours. */
const METHODS: readonly ArmSpec[] = [
  genenv('genenv', 'The full method, as configured.'),
  genenv('genenv-paper', 'The method to the letter of the paper, with the budget of the others.', paperMethod),
  variant('genenv-random'),
  variant('genenv-static'),
  teacher(1.76),
  teacher(3.27),
  variant('base'),
  genenv('r-zero', 'The simulator is rewarded by 1 − 2|p̂ − ½|.', { curriculum: { reward: 'rZero' } }),
  genenv('learnability', 'The simulator is rewarded by p̂(1 − p̂).', { curriculum: { reward: 'learnability' } }),
];

/** β only enters the bell, so its arms use the bell whatever the configured reward. */
const beta = (value: number) =>
  genenv(`beta-${value}`, `The paper's bell as the simulator's reward, with β = ${value}.`, {
    curriculum: { reward: 'bell', beta: value },
  });
const lambda = (value: number) =>
  genenv(`lambda-${value}`, `The weights of RWR with λ = ${value}.`, { curriculum: { lambda: value } });
const alpha = (value: number) =>
  genenv(`alpha-${value}`, `The simulator aims at a success rate of ${value}.`, { curriculum: { alpha: value } });
const update = (rule: 'rwr' | 'grpo' | 'hindsight') =>
  genenv(`update-${rule}`, `The simulator learns by ${rule}.`, { environment: { update: rule } });

/** The full method with one part taken out or changed. */
const ABLATIONS: readonly ArmSpec[] = [
  genenv('no-filter', 'The simulator learns from all its tasks.', { curriculum: { filter: 'none' } }),
  genenv('no-kl', 'Neither a KL penalty nor a KL cap holds the simulator.', {
    environment: { klCoef: 0, maxKl: NO_CAP },
  }),
  genenv('scope-seed', 'Success is counted over all variations of a seed.', { curriculum: { successScope: 'seed' } }),
  beta(2),
  beta(8),
  lambda(0),
  lambda(4),
  alpha(0.3),
  alpha(0.7),
  genenv('fixed-seeds', 'Only base tasks are varied, never tasks that were written.', {
    generation: { evolveSeeds: false },
  }),
  genenv('frozen-simulator', 'The simulator is never trained; seeds are still chosen by how the agent does.', {
    environment: { update: 'none' },
  }),
  update('rwr'),
  update('grpo'),
  update('hindsight'),
];

export const ARMS: readonly ArmSpec[] = [...METHODS, ...ABLATIONS];

const ALIASES: Readonly<Record<string, string>> = { 'teacher-offline': 'teacher-offline-3.27x' };

export function findArm(name: string): ArmSpec {
  const wanted = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name;
  const found = ARMS.find((arm) => arm.name === wanted);
  if (found) return found;
  const names = ARMS.map((arm) => arm.name);
  const near = closest(name, [...names, ...Object.keys(ALIASES)]);
  const guess = near === undefined ? '' : ` Did you mean "${near}"?`;
  throw new CompareError(`There is no arm "${name}".${guess} The arms are ${names.join(', ')}.`);
}

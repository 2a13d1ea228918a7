/**
 * Comparisons to test on: one as it could come out, with five arms, several seeds and noise that is the same every time, and
 * arms whose numbers a test chooses. Nothing here is part of the package.
 */
import { createRng, type Rng } from '../core/rng.ts';
import type { Arm, ArmRun, Comparison, EpochPoint, SplitResult } from './comparison.ts';

/** What the runs of an arm of the example are like. */
interface Profile {
  name: string;
  description: string;
  settings: Arm['settings'];
  /** Validation success it tends to. */
  validationCeiling: number;
  /** Success on generated tasks at first and at last; null where none are generated. */
  generatedSuccess: [number, number] | null;
  /** Of the most useful groups that its success allows, the share it has. */
  usefulness: number;
  tasksPerEpoch: number;
}

const PROFILES: readonly Profile[] = [
  {
    name: 'genenv',
    description: 'The simulator learns every epoch.',
    settings: {},
    validationCeiling: 0.62,
    generatedSuccess: [0.14, 0.51],
    usefulness: 0.62,
    tasksPerEpoch: 96,
  },
  {
    name: 'genenv-random',
    description: 'Fresh tasks every epoch from a simulator that never learns.',
    settings: { variant: 'genenv-random' },
    validationCeiling: 0.53,
    generatedSuccess: [0.14, 0.82],
    usefulness: 0.3,
    tasksPerEpoch: 96,
  },
  {
    name: 'genenv-static',
    description: 'Five variations of every base task, once.',
    settings: { variant: 'genenv-static', 'generation.variations': 5 },
    validationCeiling: 0.47,
    generatedSuccess: [0.2, 0.9],
    usefulness: 0.2,
    tasksPerEpoch: 12,
  },
  {
    name: 'teacher-offline',
    description: 'A scripted teacher writes 3.27 times the base set, once.',
    settings: { variant: 'teacher-offline', 'generation.factor': 3.27 },
    validationCeiling: 0.56,
    generatedSuccess: [0.28, 0.86],
    usefulness: 0.35,
    tasksPerEpoch: 20,
  },
  {
    name: 'base',
    description: 'No synthetic data.',
    settings: { variant: 'base' },
    validationCeiling: 0.4,
    generatedSuccess: null,
    usefulness: 0,
    tasksPerEpoch: 8,
  },
];

export interface Sizes {
  arms?: number;
  seeds?: number;
  epochs?: number;
}

export function exampleComparison({ arms = 5, seeds = 5, epochs = 12 }: Sizes = {}): Comparison {
  const numbers = Array.from({ length: seeds }, (_, i) => i + 1);
  return {
    title: arms > 1 ? 'Five ways to make training tasks, on letters' : 'brisk-otter',
    command:
      arms > 1
        ? `genenv compare run.yaml --arms ${PROFILES.slice(0, arms)
            .map(({ name }) => name)
            .join(',')} --seeds ${seeds}`
        : 'genenv train --seed 1',
    version: '0.1.0',
    createdAt: '2026-03-01T12:00:00Z',
    machine: { cpu: 'Example CPU @ 2.60GHz', cores: 8, node: '20.19.0' },
    benchmark: 'letters',
    engine: 'local',
    band: { alpha: 0.5, kMin: 0.1 },
    seeds: numbers,
    arms: PROFILES.slice(0, arms).map((profile) => ({
      name: profile.name,
      description: profile.description,
      settings: profile.settings,
      runs: numbers.map((seed) => exampleRun(profile, seed, epochs)),
    })),
  };
}

function exampleRun(profile: Profile, seed: number, epochs: number): ArmRun {
  const rng = createRng('report').fork(profile.name, seed);
  // What a seed brings is the same in every arm, so that pairing has something to remove.
  const luck = 0.06 * normal(createRng('luck').fork(seed));
  const points = Array.from({ length: epochs + 1 }, (_, epoch) => examplePoint(profile, epoch, luck, rng.fork(epoch)));
  const final = points.at(-1)!.metrics['val/successRate']!;
  return {
    seed,
    run: `runs/${profile.name}-${seed}`,
    seconds: 600 + 900 * rng.next(),
    epochs: points,
    validation: split(120, final, rng.fork('validation')),
    test: split(200, final - 0.03, rng.fork('test')),
  };
}

function examplePoint(profile: Profile, epoch: number, luck: number, rng: Rng): EpochPoint {
  const progress = 1 - Math.exp(-epoch / 4);
  const validation = share(
    0.18 + (profile.validationCeiling - 0.18) * progress + luck * progress + 0.012 * normal(rng),
  );
  const ledger = {
    tasks: profile.tasksPerEpoch * epoch,
    rollouts: 768 * epoch,
    invalidRollouts: 3 * epoch,
    agentTokens: Math.round(768 * epoch * (137 + 5 * epoch)),
    environmentTokens: profile.generatedSuccess ? Math.round(profile.tasksPerEpoch * epoch * 95) : 0,
    generations: profile.tasksPerEpoch * epoch,
    rejectedGenerations: 9 * epoch,
    validationRollouts: 120 * (epoch + 1),
  };
  if (epoch === 0) return { epoch, metrics: { 'val/successRate': validation }, ledger, verdicts: {}, stepRewards: [] };
  const reward = share(0.25 + 0.3 * progress + 0.03 * normal(rng));
  return {
    epoch,
    metrics: {
      'val/successRate': validation,
      'agent/reward': reward,
      'agent/responseTokens': 137 + 67 * progress + 4 * normal(rng),
      'base/successRate': share(0.5 + 0.4 * progress),
      'pool/agent': profile.tasksPerEpoch * epoch,
      'pool/environment': 20 * epoch,
      'agent/kl': 0.004 * epoch + 0.002 * rng.next(),
      ...(profile.generatedSuccess ? generated(profile, profile.generatedSuccess, epoch, rng) : {}),
    },
    ledger,
    verdicts: { accepted: 40 + epoch, duplicate: 6, notJson: 2 },
    stepRewards: Array.from({ length: 12 }, (_, i) => share(reward + 0.002 * i + 0.09 * normal(rng))),
  };
}

function generated(profile: Profile, [first, last]: [number, number], epoch: number, rng: Rng) {
  const success = share(first + (last - first) * (1 - Math.exp(-(epoch - 1) / 2)) + 0.04 * normal(rng));
  const useful = share(4 * success * (1 - success) * profile.usefulness + 0.03 * normal(rng));
  return {
    'env/successRate': success,
    'env/bandShare': share(0.45 * useful + 0.03 * normal(rng)),
    'env/usefulShare': useful,
    'env/solvedShare': (1 - useful) * success,
    'env/unsolvedShare': (1 - useful) * (1 - success),
    'env/taskTokens': 60 + 14 * profile.usefulness * Math.sqrt(epoch) + 2 * normal(rng),
    'env/structures': Math.round(40 - 1.2 * epoch * profile.usefulness + 2 * normal(rng)),
    'env/diversity': share(0.9 - 0.015 * epoch * profile.usefulness + 0.01 * normal(rng)),
    'env/rejectedShare': share(0.12 - 0.006 * epoch + 0.01 * normal(rng)),
    'env/duplicateShare': share(0.03 + 0.004 * epoch * profile.usefulness + 0.005 * normal(rng)),
    ...(profile.name === 'genenv' ? { 'env/kl': 0.02 * Math.sqrt(epoch) + 0.004 * rng.next() } : {}),
  };
}

function split(tasks: number, successRate: number, rng: Rng): SplitResult {
  const names = ['2 letters', '3 letters', '4 letters', '5 letters'];
  return {
    tasks,
    successRate,
    strata: names.map((name, i) => ({
      name,
      tasks: tasks / names.length,
      successRate: share(successRate + 0.15 * (1.5 - i) + 0.04 * normal(rng)),
    })),
  };
}

const share = (value: number) => Math.min(1, Math.max(0, value));

/** Close enough: the sum of twelve uniform numbers. */
function normal(rng: Rng): number {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += rng.next();
  return sum;
}

/** A run of which only this matters; the rest is the same in all. */
export interface RunSketch {
  /** Success by epoch, from epoch 0. */
  validation?: number[];
  test?: number | null;
  /** Success on generated tasks by epoch, from epoch 1. */
  generated?: number[];
  rolloutsPerEpoch?: number;
}

/** An arm of such runs, with seeds from 1 on. */
export const sketchArm = (name: string, ...sketches: RunSketch[]): Arm => ({
  name,
  description: '',
  settings: {},
  runs: sketches.map((sketch, i) => sketchRun(sketch, i + 1)),
});

function sketchRun(
  { validation = [0.1, 0.2], test = 0.2, generated = [], rolloutsPerEpoch = 10 }: RunSketch,
  seed: number,
): ArmRun {
  const epochs = Array.from({ length: Math.max(validation.length, generated.length + 1) }, (_, epoch) => ({
    epoch,
    metrics: {
      ...(validation[epoch] === undefined ? {} : { 'val/successRate': validation[epoch] }),
      ...(generated[epoch - 1] === undefined ? {} : { 'env/successRate': generated[epoch - 1]! }),
      ...(epoch > 0 ? { 'agent/responseTokens': 10 * epoch } : {}),
    },
    ledger: {
      tasks: 4 * epoch,
      rollouts: rolloutsPerEpoch * epoch,
      invalidRollouts: 0,
      agentTokens: 100 * epoch,
      environmentTokens: 20 * epoch,
      generations: epoch,
      rejectedGenerations: 0,
      validationRollouts: 0,
    },
    verdicts: {},
    stepRewards: [],
  }));
  const judged = (successRate: number) => ({ tasks: 4, successRate, strata: [] });
  const last = validation.at(-1);
  return {
    seed,
    run: `${seed}`,
    seconds: 120,
    epochs,
    validation: last === undefined ? null : judged(last),
    test: test === null ? null : judged(test),
  };
}

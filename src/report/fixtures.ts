/** A comparison as it could come out: five arms, several seeds, numbers with noise, the same every time. */
import { createRng, type Rng } from '../core/rng.ts';
import type { Arm, ArmRun, Comparison, EpochPoint, SplitResult } from './comparison.ts';

interface Character {
  name: string;
  description: string;
  settings: Arm['settings'];
  /** Validation success it tends to. */
  ceiling: number;
  /** Success on generated tasks at first and at last; null where none are generated. */
  success: [number, number] | null;
  /** Share of generated tasks in between, of what success allows. */
  useful: number;
  /** Unique tasks an epoch. */
  tasks: number;
}

const CHARACTERS: readonly Character[] = [
  {
    name: 'genenv',
    description: 'The simulator learns every epoch.',
    settings: {},
    ceiling: 0.62,
    success: [0.14, 0.51],
    useful: 0.62,
    tasks: 96,
  },
  {
    name: 'genenv-random',
    description: 'Fresh tasks every epoch from a simulator that never learns.',
    settings: { variant: 'genenv-random' },
    ceiling: 0.53,
    success: [0.14, 0.82],
    useful: 0.3,
    tasks: 96,
  },
  {
    name: 'genenv-static',
    description: 'Five variations of every base task, once.',
    settings: { variant: 'genenv-static', 'generation.variations': 5 },
    ceiling: 0.47,
    success: [0.2, 0.9],
    useful: 0.2,
    tasks: 12,
  },
  {
    name: 'teacher-offline',
    description: 'A scripted teacher writes 3.27 times the base set, once.',
    settings: { variant: 'teacher-offline', 'generation.factor': 3.27 },
    ceiling: 0.56,
    success: [0.28, 0.86],
    useful: 0.35,
    tasks: 20,
  },
  {
    name: 'base',
    description: 'No synthetic data.',
    settings: { variant: 'base' },
    ceiling: 0.4,
    success: null,
    useful: 0,
    tasks: 8,
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
        ? `genenv compare run.yaml --arms ${CHARACTERS.slice(0, arms)
            .map((c) => c.name)
            .join(',')} --seeds ${seeds}`
        : 'genenv train --seed 1',
    version: '0.1.0',
    createdAt: '2026-03-01T12:00:00Z',
    machine: { cpu: 'Example CPU @ 2.60GHz', cores: 8, node: '20.19.0' },
    benchmark: 'letters',
    engine: 'local',
    band: { alpha: 0.5, kMin: 0.1 },
    seeds: numbers,
    arms: CHARACTERS.slice(0, arms).map((character) => ({
      name: character.name,
      description: character.description,
      settings: character.settings,
      runs: numbers.map((seed) => exampleRun(character, seed, epochs)),
    })),
  };
}

function exampleRun(character: Character, seed: number, epochs: number): ArmRun {
  const rng = createRng('report').fork(character.name, seed);
  // What a seed brings is the same in every arm, so that pairing has something to remove.
  const luck = 0.06 * normal(createRng('luck').fork(seed));
  const points = Array.from({ length: epochs + 1 }, (_, epoch) =>
    examplePoint(character, epoch, luck, rng.fork(epoch)),
  );
  const final = points.at(-1)!.metrics['val/successRate']!;
  return {
    seed,
    run: `runs/${character.name}-${seed}`,
    seconds: 600 + 900 * rng.next(),
    epochs: points,
    validation: split(120, final, rng.fork('validation')),
    test: split(200, final - 0.03, rng.fork('test')),
  };
}

function examplePoint(character: Character, epoch: number, luck: number, rng: Rng): EpochPoint {
  const progress = 1 - Math.exp(-epoch / 4);
  const validation = share(0.18 + (character.ceiling - 0.18) * progress + luck * progress + 0.012 * normal(rng));
  const ledger = {
    tasks: character.tasks * epoch,
    rollouts: 768 * epoch,
    invalidRollouts: 3 * epoch,
    agentTokens: Math.round(768 * epoch * (137 + 5 * epoch)),
    environmentTokens: character.success ? Math.round(character.tasks * epoch * 95) : 0,
    generations: character.tasks * epoch,
    rejectedGenerations: 9 * epoch,
    validationRollouts: 120 * (epoch + 1),
  };
  if (epoch === 0) return { epoch, metrics: { 'val/successRate': validation }, ledger, stepRewards: [] };
  const reward = share(0.25 + 0.3 * progress + 0.03 * normal(rng));
  return {
    epoch,
    metrics: {
      'val/successRate': validation,
      'agent/reward': reward,
      'agent/responseTokens': 137 + 67 * progress + 4 * normal(rng),
      'agent/kl': 0.004 * epoch + 0.002 * rng.next(),
      ...(character.success ? generated(character, character.success, epoch, rng) : {}),
    },
    ledger,
    stepRewards: Array.from({ length: 12 }, (_, i) => share(reward + 0.002 * i + 0.09 * normal(rng))),
  };
}

function generated(character: Character, [first, last]: [number, number], epoch: number, rng: Rng) {
  const success = share(first + (last - first) * (1 - Math.exp(-(epoch - 1) / 2)) + 0.04 * normal(rng));
  const useful = share(4 * success * (1 - success) * character.useful + 0.03 * normal(rng));
  return {
    'env/successRate': success,
    'env/bandShare': share(0.45 * useful + 0.03 * normal(rng)),
    'env/usefulShare': useful,
    'env/solvedShare': (1 - useful) * success,
    'env/unsolvedShare': (1 - useful) * (1 - success),
    'env/taskTokens': 60 + 14 * character.useful * Math.sqrt(epoch) + 2 * normal(rng),
    'env/structures': Math.round(40 - 1.2 * epoch * character.useful + 2 * normal(rng)),
    'env/diversity': share(0.9 - 0.015 * epoch * character.useful + 0.01 * normal(rng)),
    'env/rejectedShare': share(0.12 - 0.006 * epoch + 0.01 * normal(rng)),
    'env/duplicateShare': share(0.03 + 0.004 * epoch * character.useful + 0.005 * normal(rng)),
    ...(character.name === 'genenv' ? { 'env/kl': 0.02 * Math.sqrt(epoch) + 0.004 * rng.next() } : {}),
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

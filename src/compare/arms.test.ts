import { describe, expect, it } from 'vitest';
import { loadConfig, presetConfig } from '../config.ts';
import { ARMS, findArm } from './arms.ts';
import { type ArmConfig, makePlan, settingsOf } from './plan.ts';

const { arms } = makePlan(
  { name: 'all', command: '', config: {}, arms: ARMS, seeds: [1], parallel: 1, createdAt: '' },
  2,
);
const configOf = (name: string): ArmConfig => arms.find((arm) => arm.name === name)!.config;

describe('the arms', () => {
  it('have different names that can be folders, and one sentence each', () => {
    expect(new Set(ARMS.map(({ name }) => name)).size).toBe(ARMS.length);
    for (const { name, description } of ARMS) {
      expect(() => loadConfig({ overrides: { name: `${name}-s101` } })).not.toThrow();
      expect(description).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('share one budget: epochs, tasks and rollouts of an epoch, evaluation, and the steps of both players', () => {
    const budget = ({ epochs, curriculum, generation, rollout, agent, environment, evaluation, pools }: ArmConfig) => ({
      epochs,
      tasks: [generation.seedsPerEpoch, curriculum.variations, pools],
      rollouts: [curriculum.rollouts, rollout],
      agent,
      environment: [environment.learningRate, environment.batchSize, environment.passes],
      evaluation,
    });
    for (const { config } of arms) expect(budget(config)).toEqual(budget(arms[0]!.config));
    expect(arms[0]!.config.evaluation.test).toBe(true);
  });

  it('change what their names say, and nothing else', () => {
    const changes = (name: string) =>
      settingsOf(arms.find((arm) => arm.name === name)!, arms.find((arm) => arm.name === 'genenv')!);
    expect(changes('genenv')).toEqual({});
    expect(changes('genenv-random')).toEqual({ variant: 'genenv-random' });
    expect(changes('teacher-offline-3.27x')).toEqual({ variant: 'teacher-offline', 'fixed.teacherRatio': 3.27 });
    expect(changes('r-zero')).toEqual({ 'curriculum.reward': 'rZero' });
    expect(changes('no-kl')).toEqual({ 'environment.klCoef': 0, 'environment.maxKl': 1e9 });
    expect(changes('alpha-0.3')).toEqual({ 'curriculum.alpha': 0.3 });
    expect(changes('beta-8')).toMatchObject({ 'curriculum.beta': 8, 'curriculum.reward': 'bell' });
    expect(changes('fixed-seeds')).toEqual({ 'generation.evolveSeeds': false });
    expect(changes('frozen-simulator')).toEqual({ 'environment.update': 'none' });
    expect(changes('update-grpo')).toEqual({ 'environment.update': 'grpo' });
  });

  it('genenv-paper has the method of the paper with the budget and the step sizes of the others', () => {
    const [paper, own] = [presetConfig('paper'), configOf('genenv-paper')];
    expect(own.curriculum).toEqual(paper.curriculum);
    expect(own.generation).toEqual({
      ...paper.generation,
      seedsPerEpoch: presetConfig('robust').generation.seedsPerEpoch,
    });
    expect(own.environment).toMatchObject({ klCoef: paper.environment.klCoef, learningRate: 'auto' });
    expect(own.agent.learningRate).toBe('auto');
  });
});

describe('a name', () => {
  it('may be an alias', () => {
    expect(findArm('teacher-offline').name).toBe('teacher-offline-3.27x');
  });

  it('that is none is an error with the nearest and all of them', () => {
    expect(() => findArm('genenv-rnadom')).toThrow(
      /Did you mean "genenv-random"\? The arms are genenv, genenv-paper, /,
    );
    expect(() => findArm('constructor')).toThrow(/^There is no arm "constructor"\. The arms are /);
  });
});

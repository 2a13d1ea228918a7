import { expect, it } from 'vitest';
import { alphaIn, alphaSteps, type Change } from './tuning.ts';

const alpha = (epoch: number, from: number, to: number): Change => ({
  who: 'Dana',
  timeMs: 0,
  from: { epoch, phase: 'generate' },
  inForce: true,
  kind: 'set',
  setting: 'alpha',
  old: from,
  new: to,
});

it('the steps of α are one an epoch, the last word of each, and none where nothing changes', () => {
  const changes: Change[] = [
    alpha(2, 0.5, 0.3),
    alpha(2, 0.3, 0.4),
    { ...alpha(3, 0.01, 0.1), kind: 'set', setting: 'agent.learningRate' } as Change,
    alpha(5, 0.4, 0.6),
    alpha(5, 0.6, 0.4),
    alpha(8, 0.4, 0.5),
  ];
  expect(alphaSteps(0.5, changes)).toEqual([
    { epoch: 2, alpha: 0.4 },
    { epoch: 8, alpha: 0.5 },
  ]);
  expect([1, 2, 7, 8].map((epoch) => alphaIn(epoch, 0.5, changes))).toEqual([0.5, 0.4, 0.4, 0.5]);
  expect(alphaSteps(0.5, [])).toEqual([]);
});

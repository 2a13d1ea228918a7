import { describe, expect, it } from 'vitest';
import { type Cursor, PHASES, type Phase } from '../core/journal.ts';
import { checkEpochs } from './limits.ts';
import { effectiveFrom, isReached, playing } from './place.ts';

const at = (epoch: number, phase: Phase, done = 1, units = 1): Cursor => ({ epoch, phase, done, units });

describe('where a change takes effect', () => {
  it('is never inside a phase that has begun', () => {
    const actions = [
      { kind: 'set', setting: 'alpha', value: 0.4 },
      { kind: 'set', setting: 'epochs', value: 9 },
      { kind: 'set', setting: 'agent.learningRate', value: 1 },
      { kind: 'set', setting: 'environment.learningRate', value: 1 },
      { kind: 'ban', structure: 'x' },
    ] as const;
    for (const phase of PHASES) {
      for (const action of actions) {
        const cursor = at(3, phase, 1, 2);
        expect(isReached(effectiveFrom(action, cursor), playing(cursor)), `${phase} ${action.kind}`).toBe(false);
      }
    }
  });

  it('is the next epoch for the target and for bans', () => {
    expect(effectiveFrom({ kind: 'set', setting: 'alpha', value: 0.4 }, at(3, 'generate'))).toEqual({
      epoch: 4,
      phase: 'generate',
    });
    const cursor = at(3, 'aggregate');
    const ban = effectiveFrom({ kind: 'ban', structure: 'x' }, cursor);
    expect(isReached(ban, playing(cursor))).toBe(true);
  });

  it('is the next update of the player whose learning rate it is', () => {
    const rate = (setting: 'agent.learningRate' | 'environment.learningRate', cursor: Cursor) =>
      effectiveFrom({ kind: 'set', setting, value: 1 }, cursor);
    expect(rate('agent.learningRate', at(3, 'rollout'))).toEqual({ epoch: 3, phase: 'updateAgent' });
    expect(rate('agent.learningRate', at(3, 'updateAgent'))).toEqual({ epoch: 4, phase: 'updateAgent' });
    expect(rate('environment.learningRate', at(3, 'updateAgent'))).toEqual({ epoch: 3, phase: 'updateEnv' });
    expect(rate('agent.learningRate', at(0, 'prepare'))).toEqual({ epoch: 1, phase: 'updateAgent' });
  });
});

describe('the least number of epochs', () => {
  const least = (cursor: Cursor) => {
    for (let epochs = 0; ; epochs++) {
      try {
        checkEpochs(epochs, cursor);
        return epochs;
      } catch {
        // One more.
      }
    }
  };

  it('is the epoch being played until its evaluation begins, then the one after', () => {
    expect(least(at(0, 'prepare'))).toBe(1);
    expect(least(at(3, 'generate', 1, 5))).toBe(3);
    expect(least(at(3, 'updateEnv'))).toBe(3);
    expect(least(at(3, 'evaluate', 1, 5))).toBe(4);
    expect(least(at(3, 'aggregate'))).toBe(4);
  });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readAction, readWho } from './action.ts';
import { ControlError } from './errors.ts';
import { checkLimits } from './limits.ts';

const configured = { epochs: 10, alpha: 0.5, learningRate: { agent: 3e-4, environment: 1e-3 } };
const set = (setting: 'alpha' | 'epochs' | 'agent.learningRate', value: number) => () =>
  checkLimits({ kind: 'set', setting, value }, configured);

it('takes nothing for an action that is none', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      try {
        expect(['pause', 'resume', 'stop', 'set', 'ban']).toContain(readAction(value).kind);
      } catch (error) {
        expect(error).toBeInstanceOf(ControlError);
      }
    }),
  );
  for (const value of [
    { kind: 'set', setting: 'seed', value: 1 },
    { kind: 'set', setting: 'alpha', value: '0.4' },
    { kind: 'set', setting: 'alpha', value: Number.NaN },
    { kind: 'ban', structure: '' },
    { kind: 'ban', structure: 'x'.repeat(1001) },
  ]) {
    expect(() => readAction(value)).toThrow(ControlError);
  }
});

it('keeps names to one short, visible line', () => {
  expect(readWho('a\u0000b\ud800c\n\td')).toBe('a b c d');
  expect(readWho('😀'.repeat(200))).toBe('😀'.repeat(80));
  expect([readWho(undefined), readWho('  ')]).toEqual(['unknown', 'unknown']);
});

it('keeps values within limits, their ends included where they belong to the range', () => {
  for (const ok of [
    set('alpha', 0.01),
    set('epochs', 1),
    set('agent.learningRate', 3e-5),
    set('agent.learningRate', 3e-3),
  ])
    ok();
  for (const bad of [
    set('alpha', 0),
    set('alpha', 1),
    set('epochs', 2.5),
    set('epochs', 0),
    set('agent.learningRate', 2.9e-5),
    set('agent.learningRate', 3.1e-3),
    set('agent.learningRate', -1),
  ]) {
    expect(bad).toThrow(ControlError);
  }
});

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { playRun, tempFolder } from '../fixtures.ts';
import { openJournal, openReader } from '../store/index.ts';
import { openRunState } from './run-state.ts';

it('of a run of any length is drawn in at most 600 epochs, each with what was measured in it, and the last one', async () => {
  const folder = join(tempFolder(), 'long');
  await playRun(folder, { epochs: 1 });
  using journal = openJournal(folder, { now: Date.now });
  using reader = openReader(folder);
  const state = openRunState('long', reader, () => null);
  for (const last of [500, 599, 600, 1201, 2500]) {
    const metrics = Array.from({ length: last }, (_, i) => ({
      key: 'agent/reward',
      epoch: i + 1,
      step: 0,
      value: i + 1,
    }));
    journal.commit({ epoch: last, phase: 'aggregate', done: 1, units: 1 }, { metrics });
    state.refresh();
    const drawn = state.rows();
    expect(drawn.length).toBeGreaterThan(Math.min(last, 300));
    expect(drawn.length).toBeLessThanOrEqual(601);
    expect(drawn.at(-1)!.epoch).toBe(last);
    for (const { epoch, metrics } of drawn.slice(1)) expect(metrics['agent/reward']).toBe(epoch);
    expect(state.rows((epoch) => !state.isDrawn(epoch)).every(({ metrics }) => Object.keys(metrics).length === 0)).toBe(
      true,
    );
  }
});

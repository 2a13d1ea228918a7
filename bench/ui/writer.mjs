/** A run that is written while somebody looks: metric points and whole groups of rollouts, in small commits. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../dist/config.js';
import { createRunFolder } from '../../dist/run.js';
import { openJournal } from '../../dist/store/index.js';
import { makeGroup } from '../dashboard-run.mjs';

const COMMIT_MS = 50;
/** Steps an epoch, so that epochs go by as in a real run. */
const STEPS_PER_EPOCH = 20_000;

export function startWriter(folder, { pointsPerSecond, groupsPerSecond }) {
  if (!existsSync(join(folder, 'run.sqlite'))) {
    createRunFolder(folder, loadConfig({ overrides: { engine: 'scripted', epochs: 1000 } }).config);
  }
  const journal = openJournal(folder, { now: Date.now });
  const first = (journal.cursor()?.epoch ?? 0) + 1;
  const share = COMMIT_MS / 1000;
  let points = 0;
  let groups = 0;
  const epochNow = () => first + Math.floor(points / STEPS_PER_EPOCH);
  const timer = setInterval(() => {
    const epoch = epochNow();
    const metrics = Array.from({ length: Math.round(pointsPerSecond * share) }, () => ({
      key: 'agent/stepReward',
      epoch,
      step: 1 + (points++ % STEPS_PER_EPOCH),
      value: Math.random(),
    }));
    const due = Math.floor((points / pointsPerSecond) * groupsPerSecond) - groups;
    const written = Array.from({ length: due }, () => makeGroup(1e6 + groups++, epoch, 1000));
    const whole = { 'env/successRate': Math.random(), 'agent/reward': Math.random() };
    journal.commit(
      { epoch, phase: 'rollout', done: points, units: 1e9 },
      {
        groups: written,
        metrics: [...metrics, ...Object.entries(whole).map(([key, value]) => ({ key, epoch, step: 0, value }))],
      },
    );
  }, COMMIT_MS);
  return {
    written: () => points,
    epoch: epochNow,
    stop() {
      clearInterval(timer);
      journal[Symbol.dispose]();
    },
  };
}

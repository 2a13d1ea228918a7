/**
 * Reads the event file of a real run with TensorBoard's own reader and compares every point with the run's store. `npm run
 * check:tensorboard -- --python PATH` exits with 1 where they differ, and says so where TensorBoard is not installed.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../dist/config.js';
import { createRunFolder, play } from '../dist/run.js';
import { openReader } from '../dist/store/index.js';

const { values: options } = parseArgs({ options: { python: { type: 'string', default: 'python3' } } });

const READ = `
import json, sys
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard import version
events = EventAccumulator(sys.argv[1], size_guidance={"scalars": 0})
events.Reload()
points = [[tag, e.step, e.value] for tag in events.Tags()["scalars"] for e in events.Scalars(tag)]
json.dump({"version": version.VERSION, "points": points}, sys.stdout)
`;

const python = (...args) =>
  execFileSync(options.python, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] });
try {
  python('-c', 'import tensorboard');
} catch {
  console.log(`skipped: ${options.python} has no tensorboard (pip install tensorboard, then --python PATH)`);
  process.exit(0);
}

const home = await mkdtemp(join(tmpdir(), 'genenv-tensorboard-'));
try {
  const folder = join(home, 'run');
  const { config } = loadConfig({
    overrides: {
      engine: 'scripted',
      epochs: 6,
      generation: { seedsPerEpoch: 24 },
      metrics: { sinks: ['tensorboard'] },
    },
  });
  createRunFolder(folder, config);
  // Stopped half-way and resumed: what is compared has gone through a resume.
  const stop = new AbortController();
  const signal = new AbortController().signal;
  for await (const event of play(folder, config, { stop: stop.signal, signal })) {
    if (event.type === 'phase' && event.epoch === 3 && event.phase === 'updateEnv') stop.abort();
  }
  for await (const _ of play(folder, config, { stop: signal, signal }));

  const expected = pointsOf(folder);
  const { version, points } = JSON.parse(python('-c', READ, join(folder, 'tensorboard')));
  const asText = (list) => list.map(([tag, step, value]) => `${tag} ${step} ${Math.fround(value)}`).sort();
  const [wanted, got] = [asText(expected), asText(points)];
  const wrong = wanted.filter((line, i) => line !== got[i]);
  console.log(`TensorBoard ${version}: ${got.length} points of ${wanted.length} read, ${wrong.length} different`);
  if (wrong.length > 0 || got.length !== wanted.length) {
    console.log(wrong.slice(0, 10).join('\n'));
    process.exitCode = 1;
  }
} finally {
  await rm(home, { recursive: true, force: true });
}

/** Every point of the store at its place: by epoch, or counted on over epochs. */
function pointsOf(folder) {
  const reader = openReader(folder);
  const counts = new Map();
  const place = ({ key, epoch, step }) => {
    if (step === 0) return epoch;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts.get(key);
  };
  const points = reader.metricRows({ limit: 1e9 }).map((row) => [row.key, place(row), row.value]);
  reader[Symbol.dispose]();
  return points;
}

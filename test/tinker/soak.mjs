/**
 * Random schedules of faults between a run and `genenv serve`. Each must end with the digest of the undisturbed run, or stop
 * with a reason and end with that digest when it is resumed.
 *   npm run soak:tinker -- --schedules 200 --seed 1
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../../dist/config.js';
import { createRng } from '../../dist/core/rng.js';
import { createRunFolder, play } from '../../dist/run.js';
import { serve } from '../../dist/serve.js';
import { digest } from '../../dist/store/index.js';
import { errandsWorld, playThroughChaos, randomSchedule } from './world.mjs';

const { values } = parseArgs({
  options: { schedules: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
});
const folder = mkdtempSync(join(tmpdir(), 'genenv-soak-tinker-'));
try {
  const world = errandsWorld({ loadConfig, createRunFolder, play, digest, serve }, folder);
  const undisturbed = (await world.inProcess()).digest;
  const calm = await playThroughChaos(world, 'calm', []);
  const counts = { schedules: 0, same: calm.digest === undisturbed ? 0 : -1, stopped: 0, faults: 0 };
  const wrong = [];
  const first = Number(values.seed);
  for (let seed = first; seed < first + Number(values.schedules); seed++) {
    const schedule = randomSchedule(createRng(seed).fork('soak'), calm.requests);
    const result = await playThroughChaos(world, `chaos-${seed}`, schedule);
    counts.schedules++;
    counts.faults += result.met.length;
    if (result.stopped) counts.stopped++;
    if (result.digest === undisturbed) counts.same++;
    else wrong.push({ seed, schedule, stopped: result.stopped });
    rmSync(join(folder, `chaos-${seed}`), { recursive: true, force: true });
    process.stderr.write(`\r${JSON.stringify(counts)}`);
  }
  console.log(`\n${JSON.stringify({ ...counts, wrong })}`);
  process.exitCode = counts.same === counts.schedules ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

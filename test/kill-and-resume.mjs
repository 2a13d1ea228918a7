/**
 * Kills a run with SIGKILL at random moments, resumes it each time, and compares where it ends with an undisturbed run.
 * As a command it is the soak test:  npm run soak -- --kills 200 --seed 7
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createRng } from '../dist/core/rng.js';
import { digest } from '../dist/store/index.js';

const cli = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

/** Runs the command line; with `killAfter` it is killed that many events and milliseconds in. */
function genenv(args, killAfter) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [cli, ...args, '--json', '--quiet'], { stdio: ['ignore', 'pipe', 'pipe'] });
    let events = 0;
    let errors = '';
    child.stdout.on('data', (chunk) => {
      events += chunk.toString().split('\n').length - 1;
      if (killAfter && events >= killAfter.events) setTimeout(() => child.kill('SIGKILL'), killAfter.ms);
    });
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0 || signal === 'SIGKILL') resolve({ killed: signal === 'SIGKILL' });
      else reject(new Error(`genenv ${args.join(' ')} ended with ${code ?? signal}: ${errors}`));
    });
  });
}

/** @returns {Promise<{kills: number, undisturbed: string, disturbed: string}>} */
export async function killAndResume({ kills, seed, train, onKill = () => {} }) {
  const runsDir = mkdtempSync(join(tmpdir(), 'genenv-kill-'));
  const where = ['--runs-dir', runsDir];
  const rng = createRng(seed).fork('kills');
  const moment = () => ({ events: 1 + rng.int(12), ms: rng.int(12) });
  try {
    await genenv(['train', ...train, '--name', 'undisturbed', ...where]);
    let killed = 0;
    let alive = await genenv(['train', ...train, '--name', 'disturbed', ...where], moment());
    while (alive.killed) {
      onKill(++killed);
      alive = await genenv(['resume', 'disturbed', ...where], killed < kills ? moment() : undefined);
    }
    return {
      kills: killed,
      undisturbed: digest(join(runsDir, 'undisturbed')),
      disturbed: digest(join(runsDir, 'disturbed')),
    };
  } finally {
    rmSync(runsDir, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { kills: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
  });
  const kills = Number(values.kills);
  const train = [
    '--engine',
    'scripted',
    '--epochs',
    String(Math.ceil(kills / 2)),
    '--seed',
    values.seed,
    '--set',
    'seedsPerEpoch=32',
  ];
  const onKill = (n) => process.stderr.write(`\rkilled ${n} times`);
  const result = await killAndResume({ kills, seed: Number(values.seed), train, onKill });
  const same = result.undisturbed === result.disturbed;
  console.log(`\n${JSON.stringify({ ...result, same })}`);
  process.exitCode = same && result.kills >= kills ? 0 : 1;
}

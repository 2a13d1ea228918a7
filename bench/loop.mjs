/**
 * The loop's own cost: CPU per rollout with the scripted engine and everything stored, at 10,000 and 100,000 rollouts, and
 * memory while a long run is written. Absolute times depend on the machine, so each is also given as a multiple of a
 * reference measured in the same run: deflating 4 KiB of text.
 *
 *   npm run bench:loop               CPU per rollout
 *   npm run bench:loop -- --million  also memory over 1,000,000 rollouts (takes minutes)
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { loadConfig } from '../dist/config.js';
import { createRunFolder, play } from '../dist/run.js';

const never = new AbortController().signal;

function referenceMicros() {
  const text = Buffer.from('the quick brown fox jumps over the lazy dog. '.repeat(91));
  const cpu = process.cpuUsage();
  for (let i = 0; i < 20_000; i++) deflateRawSync(text, { level: 1 });
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / 20_000;
}

/** Runs epochs of about `perEpoch` rollouts until `rollouts` are done. */
async function measure(rollouts, perEpoch, onEpoch = () => {}) {
  const folder = mkdtempSync(join(tmpdir(), 'genenv-bench-'));
  const seeds = Math.round(perEpoch / 32);
  const epochs = Math.round(rollouts / perEpoch);
  const set = [
    'engine=scripted',
    `benchmark.baseTasks=${seeds}`,
    `seedsPerEpoch=${seeds}`,
    `epochs=${epochs}`,
    'agent.batchSize=64',
    'evaluation.every=1000000',
    'evaluation.rollouts=4',
  ];
  const { config } = loadConfig({ set });
  createRunFolder(folder, config);
  const cpu = process.cpuUsage();
  let done = 0;
  for await (const event of play(folder, config, { stop: never, signal: never })) {
    if (event.type === 'epoch') onEpoch(event);
    if (event.type === 'summary') done = event.ledger.rollouts;
  }
  const { user, system } = process.cpuUsage(cpu);
  rmSync(folder, { recursive: true, force: true });
  return { rollouts: done, micros: (user + system) / done };
}

await measure(5000, 2500); // Warm up the JIT.
const reference = referenceMicros();
const small = await measure(10_000, 5000);
const large = await measure(100_000, 5000);
const result = {
  referenceMicros: reference,
  at10k: small,
  at100k: large,
  ratios: { perRolloutToReference: large.micros / reference, growth10kTo100k: large.micros / small.micros },
};
if (process.argv.includes('--million')) {
  const memory = [];
  await measure(1_000_000, 20_000, ({ epoch, ledger }) => {
    globalThis.gc?.();
    memory.push({ epoch, rollouts: ledger.rollouts, rssMiB: Math.round(process.memoryUsage().rss / 2 ** 20) });
    if (epoch % 5 === 0) process.stderr.write(`${JSON.stringify(memory.at(-1))}\n`);
  });
  const early = memory.find((m) => m.rollouts >= 100_000);
  result.memory = { early, late: memory.at(-1) };
  result.ratios.memoryLateToEarly = memory.at(-1).rssMiB / early.rssMiB;
}
console.log(JSON.stringify(result, null, 2));

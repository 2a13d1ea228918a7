/**
 * One orchestrator process under load: the real loop, client, tokenizer and store, played to the end of one epoch, with
 * what each phase took of the processor, the event loop, memory and disk. Started by load.mjs, which it tells over IPC.
 */
import { statSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { loadConfig } from '../../dist/config.js';
import { createRunFolder, play } from '../../dist/run.js';
import { shares } from './shares.mjs';

const { folder, set, profile } = JSON.parse(process.argv[2]);
const never = new AbortController().signal;

const { config } = loadConfig({ set });
createRunFolder(folder, config);

const delay = monitorEventLoopDelay({ resolution: 10 });
let rss = 0;
const watch = setInterval(() => {
  rss = Math.max(rss, process.memoryUsage.rss());
}, 100);
const mark = () => ({ at: performance.now(), cpu: process.cpuUsage(), loop: performance.eventLoopUtilization() });

const phases = {};
let open;
function close(ledger) {
  if (!open) return;
  const { name, from, before } = open;
  const { user, system } = process.cpuUsage(from.cpu);
  phases[name] = {
    seconds: (performance.now() - from.at) / 1000,
    cpuSeconds: (user + system) / 1e6,
    loopShare: performance.eventLoopUtilization(from.loop).utilization,
    delayMs: { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 },
    rollouts: ledger.rollouts + ledger.validationRollouts - before.rollouts - before.validationRollouts,
    generations: ledger.generations - before.generations,
    tokens: ledger.agentTokens + ledger.environmentTokens - before.agentTokens - before.environmentTokens,
  };
  open = undefined;
}

const session = new Session();
const ask = (method, params) =>
  new Promise((resolve, reject) =>
    session.post(method, params, (error, result) => (error ? reject(error) : resolve(result))),
  );
let profiled;
const NOTHING = { rollouts: 0, validationRollouts: 0, generations: 0, agentTokens: 0, environmentTokens: 0 };
let ledger = NOTHING;
for await (const event of play(folder, config, { stop: never, signal: never })) {
  if (event.ledger) ledger = event.ledger;
  if (event.type !== 'phase' && event.type !== 'end') continue;
  if (open?.name === event.phase) continue;
  close(ledger);
  if (profiled === undefined && session.started === true) profiled = (await ask('Profiler.stop')).profile;
  session.started = false;
  if (event.type === 'end' || event.epoch === 0) continue;
  if (profile === event.phase) {
    session.connect();
    await ask('Profiler.enable');
    await ask('Profiler.setSamplingInterval', { interval: 500 });
    await ask('Profiler.start');
    session.started = true;
  }
  delay.reset();
  delay.enable();
  open = { name: event.phase, from: mark(), before: ledger };
}
clearInterval(watch);
const size = (name) => {
  try {
    return statSync(join(folder, name)).size;
  } catch {
    return 0;
  }
};
process.send({
  phases,
  ledger,
  rssMiB: rss / 2 ** 20,
  storeBytes: size('run.sqlite') + size('run.sqlite-wal'),
  ...(profiled ? { shares: shares(profiled) } : {}),
});
process.disconnect();

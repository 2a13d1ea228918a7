/**
 * What the store costs: CPU per trace as a run grows, and memory while a million traces are written and read back.
 *   npm run build && node bench/store.mjs            10,000 and 100,000 traces
 *   node bench/store.mjs --million                   also 1,000,000, with RSS on the way (a few GB of disk)
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRun, digest, exportRun, openJournal, openReader } from '../dist/store/index.js';

const TRACES_PER_GROUP = 8;
const GROUPS_PER_COMMIT = 16;
const TOKENS = 30;
const SAMPLED_GROUPS = 1000;

/** Groups of a single-turn tool-calling task: a prompt of 200 ids, answers of 30 tokens with log-probs. */
function makeGroups(first, count, epoch) {
  return Array.from({ length: count }, (_, i) => {
    // Scattered like the content hashes they stand for: indexes must not profit from their order.
    const id = `t-${createHash('md5')
      .update(String(first + i))
      .digest('hex')
      .slice(0, 20)}`;
    const seed = (first + i) * 7919;
    const city = `city ${seed % 9973}`;
    const prompt = Int32Array.from({ length: 200 }, (_, k) => (seed + k * 31) % 150_000);
    const task = {
      id,
      seedId: 'base-0',
      rootId: 'base-0',
      origin: 'generated',
      epoch,
      prompt: [{ role: 'user', content: `What will the weather be like in ${city} tomorrow at noon?` }],
      tools: [{ name: 'weather', description: 'Tells the weather.', parameters: { type: 'object', properties: {} } }],
      eval: { kind: 'toolCalls', target: [{ name: 'weather', args: { city } }] },
      features: { tools: 1, arguments: 2 },
      structure: 'weather(city)',
    };
    return { epoch, role: 'fresh', task, traces: makeTraces(seed, city, prompt) };
  });
}

function makeTraces(seed, city, prompt) {
  return Array.from({ length: TRACES_PER_GROUP }, (_, index) => {
    const tokens = Int32Array.from({ length: TOKENS }, (_, k) => (seed * (index + 3) + k * 7919) % 150_000);
    const logprobs = Float32Array.from({ length: TOKENS }, (_, k) => -Math.abs(Math.sin(seed + index * 97 + k)));
    const success = (seed + index) % 3 === 0;
    const content = `<tool_call>{"name": "weather", "arguments": {"city": "${city} ${index}"}}</tool_call>`;
    return {
      index,
      policy: 'agent@12',
      messages: [{ role: 'assistant', content, toolCalls: [{ name: 'weather', args: { city } }], tokens }],
      turns: [{ prompt, tokens, logprobs }],
      answer: [{ name: 'weather', args: { city: `${city} ${index}` } }],
      reward: success ? 1 : 0,
      success,
      valid: true,
      stop: 'answer',
    };
  });
}

/** CPU microseconds, user and system, of this process and its threads. */
function cpuOf(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

const rssMb = () => Math.round(process.memoryUsage().rss / 2 ** 20);

function writeRun(folder, traces, onProgress = () => {}) {
  createRun(folder, { seed: 1 });
  const journal = openJournal(folder, { now: Date.now });
  const perCommit = TRACES_PER_GROUP * GROUPS_PER_COMMIT;
  let cpu = 0;
  for (let done = 0; done < traces; done += perCommit) {
    const epoch = 1 + Math.floor(done / 10_000);
    const groups = makeGroups(done / TRACES_PER_GROUP, GROUPS_PER_COMMIT, epoch);
    cpu += cpuOf(() => journal.commit({ epoch, phase: 'rollout', done, units: traces }, { groups }));
    onProgress(done + perCommit);
  }
  cpu += cpuOf(() => journal[Symbol.dispose]());
  return cpu;
}

/** Writes a run of so many traces, then reads all of it in every way there is. Returns the CPU of writing one. */
function measure(traces, onProgress) {
  const folder = mkdtempSync(join(tmpdir(), 'genenv-bench-'));
  const out = join(folder, 'out');
  const costs = {};
  const cost = (name, work, count = traces) => {
    const cpu = work() / count;
    costs[name] = `${cpu.toFixed(1)} µs (rss ${rssMb()} MB)`;
    return cpu;
  };
  try {
    const write = cost('write', () => writeRun(folder, traces, onProgress));
    cost('outcomes', () => cpuOf(() => readOutcomes(folder)));
    cost('groups', () => cpuOf(() => readGroups(folder)), SAMPLED_GROUPS * TRACES_PER_GROUP);
    cost('digest', () => cpuOf(() => digest(folder)));
    cost('jsonl', () => cpuOf(() => exportRun(folder, out, { format: 'jsonl' })));
    cost('parquet', () => cpuOf(() => exportRun(folder, out, { format: 'parquet' })));
    costs.disk = `${Math.round(statSync(join(folder, 'run.sqlite')).size / traces)} bytes`;
    console.log(`${traces.toLocaleString('en')} traces, per trace:`);
    for (const [name, value] of Object.entries(costs)) console.log(`  ${name.padEnd(10)}${value}`);
    return write;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readOutcomes(folder) {
  const reader = openReader(folder);
  for (let epoch = 1; epoch <= reader.cursor().epoch; epoch++) for (const _ of reader.outcomes(epoch));
  reader[Symbol.dispose]();
}

/** One by one, by epoch and task, as an update reads them. */
function readGroups(folder) {
  const reader = openReader(folder);
  const heads = [...reader.outcomes(1)].slice(0, SAMPLED_GROUPS);
  for (const { taskId } of heads) reader.group(1, taskId);
  reader[Symbol.dispose]();
}

console.log(`${TRACES_PER_GROUP} traces a group, ${TOKENS} tokens each, ${GROUPS_PER_COMMIT} groups a commit`);
console.log('warm-up');
measure(10_000);
const small = measure(10_000);
const large = measure(100_000);
console.log(`writing one trace costs ×${(large / small).toFixed(2)} at 100,000 what it costs at 10,000`);
if (process.argv.includes('--million')) {
  measure(1_000_000, (done) => {
    if (done % 128_000 === 0) console.log(`  ${done.toLocaleString('en')} written, rss ${rssMb()} MB`);
  });
}

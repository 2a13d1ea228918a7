/**
 * What the store costs: CPU per trace as a run grows, and memory while a million traces are written and read back.
 *   npm run build && node bench/store.mjs            10,000 and 100,000 traces
 *   node bench/store.mjs --million                   also 1,000,000, with RSS on the way (about 500 MB of disk)
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRun, digest, exportRun, openJournal, openReader } from '../dist/store/index.js';

const TRACES_PER_GROUP = 8;
const GROUPS_PER_COMMIT = 16;
const TOKENS = 30;

/** Groups of a single-turn tool-calling task: a prompt of 200 ids, answers of 30 tokens with log-probs. */
function makeGroups(first, count, epoch) {
  return Array.from({ length: count }, (_, i) => {
    // Scattered like the content hashes they stand for: indexes must not profit from their order.
    const id = `t-${createHash('md5').update(String(first + i)).digest('hex').slice(0, 20)}`;
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

function measure(traces, onProgress) {
  const folder = mkdtempSync(join(tmpdir(), 'genenv-bench-'));
  try {
    const write = writeRun(folder, traces, onProgress) / traces;
    const afterWrite = rssMb();
    const hash = cpuOf(() => digest(folder)) / traces;
    const out = cpuOf(() => exportRun(folder, join(folder, 'out'), { format: 'jsonl' })) / traces;
    const parquet = cpuOf(() => exportRun(folder, join(folder, 'out'), { format: 'parquet' })) / traces;
    const reader = openReader(folder);
    let outcomes = 0;
    const stream = cpuOf(() => {
      for (let epoch = 1; epoch <= 1 + traces / 10_000; epoch++) for (const _ of reader.outcomes(epoch)) outcomes++;
    });
    reader[Symbol.dispose]();
    const bytes = statSync(join(folder, 'run.sqlite')).size / traces;
    const us = (value) => value.toFixed(1).padStart(7);
    console.log(
      `${String(traces).padStart(9)} traces  write ${us(write)} µs  digest ${us(hash)} µs  jsonl ${us(out)} µs  ` +
        `parquet ${us(parquet)} µs  outcomes ${us(stream / outcomes)} µs a group  ${Math.round(bytes)} bytes a trace  ` +
        `rss ${afterWrite} MB written, ${rssMb()} MB exported`,
    );
    return write;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

console.log(
  `CPU per trace; ${TRACES_PER_GROUP} traces a group, ${TOKENS} tokens each, ${GROUPS_PER_COMMIT} groups a commit`,
);
writeRun(mkdtempSync(join(tmpdir(), 'genenv-bench-')), 20_000); // warms up
const small = measure(10_000);
const large = measure(100_000);
console.log(`growth from 10,000 to 100,000: ×${(large / small).toFixed(2)} per trace`);
if (process.argv.includes('--million')) {
  measure(1_000_000, (done) => {
    if (done % 128_000 === 0) console.log(`${String(done).padStart(9)} written, rss ${rssMb()} MB`);
  });
}

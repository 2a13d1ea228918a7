/**
 * What a chat request costs the openai engine, against a server in another process that answers at once: requests per
 * second and core of client CPU. With --python PATH the Python `openai` client does the same work in the same run. Then
 * thousands of requests in flight at 2 s latency, with the memory they take.
 *
 *   npm run bench:openai                                  --requests N, --in-flight N, --json
 *   npm run bench:openai -- --python .venv/bin/python     compared with the Python client (needs `pip install openai`)
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openAiEngine } from '../../dist/engines/openai/index.js';

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '30000' },
    concurrency: { type: 'string', default: '64' },
    'in-flight': { type: 'string', default: '5000' },
    rounds: { type: 'string', default: '10' },
    python: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const here = (name) => fileURLToPath(new URL(name, import.meta.url));

const messages = [
  { role: 'system', content: 'You are an agent that carries out requests by calling tools. '.repeat(6) },
  {
    role: 'user',
    content: 'Find the cheapest flight from Zurich to Lisbon next Friday and book a seat at the window.',
  },
];

async function serve(delayMs) {
  const child = spawn(process.execPath, [here('server.mjs'), String(delayMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(createInterface({ input: child.stdout }), 'line');
  return { url: `http://127.0.0.1:${port}/v1`, stop: () => child.kill() };
}

async function ask(sampler, requests, concurrency) {
  let left = requests;
  const worker = async () => {
    while (left > 0) {
      left--;
      const { samples } = await sampler.sample({
        messages,
        tools: [],
        n: 1,
        maxTokens: 256,
        temperature: 1,
        seed: 7,
      });
      if (samples[0].tokens.length !== 24) throw new Error('a wrong answer');
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

async function measured(work) {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { cpuSeconds: (user + system) / 1e6, wallSeconds: (performance.now() - started) / 1000 };
}

async function throughput(requests, concurrency) {
  const { url, stop } = await serve(0);
  const engine = await openAiEngine({ url, model: 'bench', startConcurrency: concurrency });
  try {
    const sampler = await engine.sampler('agent');
    await ask(sampler, 5000, concurrency);
    const ours = await measured(() => ask(sampler, requests, concurrency));
    const result = { requests, ...ours, perCore: requests / ours.cpuSeconds };
    if (options.python === undefined) return { ours: result };
    const count = Math.max(1000, Math.round(requests / 10));
    const python = spawnSync(options.python, [here('python_side.py'), url, String(count), String(concurrency)], {
      input: JSON.stringify(messages),
      encoding: 'utf8',
    });
    if (python.status !== 0) throw new Error(`The Python side failed:\n${python.stderr}`);
    const theirs = JSON.parse(python.stdout);
    const perCore = theirs.requests / theirs.cpuSeconds;
    return { ours: result, python: { ...theirs, perCore }, ratioToPython: result.perCore / perCore };
  } finally {
    await engine[Symbol.asyncDispose]();
    stop();
  }
}

const rssMiB = () => {
  globalThis.gc?.();
  return Math.round(process.memoryUsage.rss() / 2 ** 20);
};

/** Rounds of latency with so many in flight all the time; memory after each. */
async function held(inFlight, rounds) {
  const { url, stop } = await serve(2000);
  const engine = await openAiEngine({ url, model: 'bench', startConcurrency: inFlight, maxConcurrency: inFlight });
  try {
    const sampler = await engine.sampler('agent');
    const memory = [];
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, engine.load().inFlight);
      memory.push(rssMiB());
    }, 2000);
    const spent = await measured(() => ask(sampler, inFlight * rounds, inFlight));
    clearInterval(watch);
    const settled = memory.slice(Math.min(2, memory.length - 1));
    return {
      inFlight: most,
      requests: inFlight * rounds,
      ...spent,
      /** What the latency alone would take. */
      idealSeconds: 2 * rounds,
      faults: engine.usage().faults,
      rssMiB: memory,
      growth: settled.at(-1) / settled[0],
    };
  } finally {
    await engine[Symbol.asyncDispose]();
    stop();
  }
}

const speed = await throughput(Number(options.requests), Number(options.concurrency));
const load = await held(Number(options['in-flight']), Number(options.rounds));
if (options.json) console.log(JSON.stringify({ speed, load }, null, 2));
else {
  const { ours, python, ratioToPython } = speed;
  const us = (count, { cpuSeconds }) => `${((1e6 * cpuSeconds) / count).toFixed(0)} µs of CPU each`;
  console.log(`chat requests per second and core   ${Math.round(ours.perCore)}   (${us(ours.requests, ours)})`);
  if (python) {
    console.log(`the Python client                   ${Math.round(python.perCore)}   (${us(python.requests, python)})`);
    console.log(`ratio                               ${ratioToPython.toFixed(1)}`);
  }
  console.log(
    `in flight at 2 s latency            ${load.inFlight}   ${load.requests} requests in ${load.wallSeconds.toFixed(1)} s (at best ${load.idealSeconds} s), ${us(load.requests, load)}`,
  );
  console.log(
    `memory in MiB, every 2 s            ${load.rssMiB.join(' ')}   (late to early ${load.growth.toFixed(2)})`,
  );
}

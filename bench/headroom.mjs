/**
 * How much room the errands world leaves between a beginner and what a model of that size can learn at all. Without it no
 * method could be told from another: a curriculum needs tasks that are failed today and can be solved tomorrow.
 *
 *   npm run headroom                              half an hour of supervised learning on 2 threads
 *   npm run headroom -- --minutes 2 --json        a smoke test, with one JSON object as the last line
 *
 * (a) the warm agent on validation, (b) a model of the same size after unlimited supervised learning on careful
 * demonstrations of the whole grammar, the held-out tasks themselves excepted, (c) the share of useful groups (some
 * attempts succeed, some fail) among the initial simulator's variations of tasks that the warm agent solves sometimes.
 */
import { setMaxListeners } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { randomRequest } from '../dist/benchmarks/errands/random.js';
import { demonstrate } from '../dist/benchmarks/errands/school.js';
import { isHeldOutText } from '../dist/benchmarks/errands/splits.js';
import { write } from '../dist/benchmarks/errands/write.js';
import { loadConfig } from '../dist/config.js';
import { createRng, weightedIndex } from '../dist/core/rng.js';
import { normalise } from '../dist/core/sequences.js';
import { localEngine } from '../dist/engines/local/index.js';
import { learningRate } from '../dist/engines/local/train/schedule.js';
import { datumOf } from '../dist/engines/local/warm-start.js';
import { openBenchmark } from '../dist/open-benchmark.js';
import { openEngine } from '../dist/open-engine.js';
import { agentPolicy } from '../dist/policies/agent.js';
import { writer } from '../dist/policies/write-tasks.js';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    threads: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});
const minutes = Number(options.minutes);
if (!(minutes > 0)) throw new RangeError('--minutes must be a number above 0');

const BARS = { warmValidation: 0.15, supervisedValidation: 0.95, frontierUseful: 0.4 };
/** Attempts at each task of the frontier: the G of a run. */
const GROUP = 8;
/** Base tasks attempted to find the frontier, and seeds of it that are varied. */
const FRONTIER = { candidates: 256, seeds: 64, variations: 4 };
/** How often a careful demonstration has one clause, two, three …; and the learning rate of a long training. */
const CLAUSES = [0.1, 0.2, 0.25, 0.25, 0.2];
const SUPERVISED = { batch: 64, peak: 3e-3, warmupShare: 0.02 };

const { config } = loadConfig({
  flags: { engine: 'local', seed: options.seed, 'engine.threads': options.threads },
  set: ['benchmark=errands'],
});
const benchmark = await openBenchmark(config);
const validation = await benchmark.validation();
const never = new AbortController().signal;
setMaxListeners(0, never);
const rng = createRng(config.seed).fork('headroom');
const folder = mkdtempSync(join(tmpdir(), 'genenv-headroom-'));
const say = (line) => (options.json ? console.error(line) : console.log(line));

const results = {};
try {
  await warmAgent();
  await supervised();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
summary();

async function warmAgent() {
  const opening = openEngine({ config, folder, benchmark, journal: { ledger: () => ({}) }, signal: never });
  let step = await opening.next();
  for (; !step.done; step = await opening.next()) {
    const { learning, done, units } = step.value;
    if (done > 0 && done % 500 === 0) say(`learning the language: ${learning} ${done}/${units}`);
  }
  const engine = step.value;
  try {
    await measureWarm(engine);
  } finally {
    await engine[Symbol.asyncDispose]();
  }
}

async function measureWarm(engine) {
  const agent = await policyOf(engine);
  results.warm = {
    greedy: await success(agent, validation, 1, 0),
    sampled: await success(agent, validation, 4, 1),
  };
  say(`warm agent on ${validation.length} validation tasks: ${shown(results.warm)}`);

  const base = await attempt(agent, (await benchmark.base()).slice(0, FRONTIER.candidates), GROUP, 1, 'base');
  const seeds = base.filter(isUseful).slice(0, FRONTIER.seeds);
  const reference = await engine.reference('environment');
  const simulator = writer(
    { ...config.generation, benchmark, concurrency: config.concurrency, reference },
    () => reference,
  );
  const { alpha, kMin } = config.curriculum;
  const briefs = seeds.map(({ task, successes, attempts }, slot) => ({
    slot,
    seed: task,
    count: FRONTIER.variations,
    lineage: [{ epoch: 0, successes, attempts }],
    overall: undefined,
    target: { alpha, kMin },
  }));
  const how = { epoch: 1, author: 'environment', rng: rng.fork('write'), signal: never, explorationShare: 0 };
  const written = await simulator.write(briefs, how);
  const tasks = [...new Map(written.flatMap(({ task }) => (task ? [[task.id, task]] : []))).values()];
  const groups = await attempt(agent, tasks, GROUP, 1, 'fresh');
  results.frontier = {
    seeds: seeds.length,
    generations: written.length,
    tasks: tasks.length,
    useful: groups.filter(isUseful).length / Math.max(1, groups.length),
    solved: groups.filter(({ successes, attempts }) => successes === attempts).length / Math.max(1, groups.length),
    success: mean(groups.map(({ successes, attempts }) => successes / attempts)),
  };
  const { useful, success: rate } = results.frontier;
  say(
    `frontier: ${tasks.length} variations of ${seeds.length} tasks, ${percent(useful)} useful, success ${rate.toFixed(2)}`,
  );
}

async function supervised() {
  const { width, layers, heads, context } = config.engine;
  const { school } = benchmark;
  const tokenizer = { corpus: school.corpus(), kind: 'words', vocabulary: 65_536 };
  const engine = await localEngine({
    model: { kind: 'new', size: { width, layers, heads, context }, tokenizer },
    seed: config.seed,
    checkpoints: join(folder, 'supervised'),
    threads: config.engine.threads,
  });
  try {
    await teach(engine);
  } finally {
    await engine[Symbol.asyncDispose]();
  }
}

async function teach(engine) {
  const trainer = await engine.trainer('agent');
  say(`supervised: ${minutes} minutes on careful demonstrations of the whole grammar`);

  // The schedule goes by the time that is spent on training: looking at it is not part of the budget.
  const budget = minutes * 60;
  const schedule = { peak: SUPERVISED.peak, warmupSteps: budget * SUPERVISED.warmupShare, totalSteps: budget };
  let [spent, steps, nextLook] = [0, 0, 60];
  const losses = [];
  while (spent < budget) {
    const started = performance.now();
    const shownNow = carefulDemonstrations(SUPERVISED.batch, rng.fork('supervised', steps));
    const data = normalise(shownNow.map((one) => datumOf(engine.players.agent, one)));
    losses.push((await trainer.forwardBackward(data, { kind: 'crossEntropy' })).loss);
    await trainer.optimStep({ learningRate: learningRate(schedule, spent), maxGradNorm: 1 });
    spent += (performance.now() - started) / 1000;
    steps++;
    if (spent < nextLook || spent >= budget) continue;
    nextLook += 60;
    const part = validation.filter((_, i) => i % 4 === 0);
    const greedy = await success(await policyOf(engine), part, 1, 0);
    say(
      `  ${(spent / 60).toFixed(1)} min  ${steps} steps  loss ${mean(losses.splice(0)).toFixed(3)}  validation ${greedy.toFixed(2)} (greedy, ${part.length} tasks)`,
    );
  }
  const agent = await policyOf(engine);
  const groups = await attempt(agent, validation, 1, 0, 'validation');
  results.supervised = {
    minutes,
    steps,
    greedy: mean(groups.map(rate)),
    sampled: await success(agent, validation, 4, 1),
    strata: strataOf(groups),
  };
}

/** Nobody in a hurry, and every combination of skills; only the held-out tasks themselves are never shown. */
function carefulDemonstrations(count, stream) {
  const found = [];
  while (found.length < count) {
    const clauses = 1 + weightedIndex(CLAUSES, stream);
    const request = randomRequest(clauses, stream.int(Math.min(clauses + 1, 4) + 1), stream);
    if (!isHeldOutText(write(request))) found.push(demonstrate(request, stream));
  }
  return found;
}

async function policyOf(engine) {
  const { agent, rollout, curriculum, concurrency } = config;
  return agentPolicy({
    ...agent,
    trainer: await engine.trainer('agent'),
    reference: await engine.reference('agent'),
    benchmark,
    readCalls: benchmark.school.readCalls,
    limits: { ...rollout, successThreshold: curriculum.successThreshold },
    concurrency,
    optimizer: { learningRate: 0 },
  });
}

/** What became of `count` attempts at each task. One that could not be judged has failed: this is no training. */
async function attempt(agent, tasks, count, temperature, role) {
  const attempts = tasks.map((task) => ({ task, role }));
  const groups = await agent.rollout(attempts, { epoch: 0, count, temperature, rng: rng.fork(role), signal: never });
  return groups.map(({ task, traces }) => ({
    task,
    successes: traces.filter((trace) => trace.success).length,
    attempts: traces.length,
  }));
}

async function success(agent, tasks, count, temperature) {
  return mean((await attempt(agent, tasks, count, temperature, 'validation')).map(rate));
}

function strataOf(groups) {
  const strata = new Map();
  for (const group of groups) {
    const name = benchmark.stratum?.(group.task) ?? 'all';
    strata.set(name, [...(strata.get(name) ?? []), rate(group)]);
  }
  return Object.fromEntries([...strata].map(([name, rates]) => [name, mean(rates)]));
}

function summary() {
  const { warm, supervised: taught, frontier } = results;
  const rows = [
    { what: 'warm agent, validation (sampled)', value: warm.sampled, bar: 'warmValidation', most: true },
    { what: 'supervised, validation (greedy)', value: taught.greedy, bar: 'supervisedValidation' },
    { what: 'supervised, validation (sampled)', value: taught.sampled },
    { what: 'useful groups at the frontier', value: frontier.useful, bar: 'frontierUseful' },
  ];
  const met = ({ value, bar, most }) => (most ? value <= BARS[bar] : value >= BARS[bar]);
  say('');
  for (const row of rows) {
    const bar = row.bar ? `at ${row.most ? 'most' : 'least'} ${BARS[row.bar].toFixed(2)}` : '';
    const verdict = row.bar ? (met(row) ? 'ok' : 'NOT MET') : '';
    say(`${row.what.padEnd(36)} ${row.value.toFixed(3)}   ${bar.padEnd(15)} ${verdict}`.trimEnd());
  }
  for (const [name, value] of Object.entries(taught.strata)) say(`  ${name.padEnd(34)} ${value.toFixed(3)}`);
  if (minutes < 30) say(`\n${minutes} minutes are too few to judge the supervised model by: 30 are meant.`);
  const bars = Object.fromEntries(rows.filter(({ bar }) => bar).map((row) => [row.bar, met(row)]));
  if (options.json) console.log(JSON.stringify({ ...results, bars }));
}

function isUseful({ successes, attempts }) {
  return successes > 0 && successes < attempts;
}
function rate({ successes, attempts }) {
  return successes / attempts;
}
function mean(values) {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
function percent(share) {
  return `${Math.round(100 * share)} %`;
}
function shown({ greedy, sampled }) {
  return `${greedy.toFixed(3)} greedy, ${sampled.toFixed(3)} sampled`;
}

/**
 * Measures the local engine against PyTorch and TRL on this machine: `npm run bench:engine -- [--json] [--python PATH]
 * [--rounds N] [--threads N] [--no-trl]`. Both sides take turns, so that a noisy neighbour disturbs both; numbers are
 * medians. Ratios above 1 mean that the engine is faster (or, for memory, larger); `busyNeighbour` compares the engine with
 * itself.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { GRPO, MODELS, openBench, SAMPLING } from './ours.mjs';
import { gemmPeak, trainingFlops } from './peak.mjs';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    python: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    threads: { type: 'string', default: String(availableParallelism()) },
    'no-trl': { type: 'boolean', default: false },
  },
});
const threads = Number(options.threads);
const rounds = Number(options.rounds);
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const run = promisify(execFile);
const say = (line) => process.stderr.write(`${line}\n`);

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2;
}

/** A Python with torch that answers one line at a time; null where there is none. */
async function startTorch() {
  const python = options.python ?? 'python3';
  try {
    await run(python, ['-c', 'import torch']);
  } catch (error) {
    if (options.python) throw new Error(`${python} cannot import torch: ${error.message}`);
    return null;
  }
  const child = spawn(python, [here('torch_side.py')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    python,
    async ask(command) {
      child.stdin.write(`${JSON.stringify(command)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error('the PyTorch side ended early');
      return JSON.parse(value);
    },
    close: () => child.stdin.end(),
  };
}

const torch = await startTorch();
const results = { threads, rounds, torch: null, seconds: {}, ratios: {} };
if (!torch) say('no Python with torch found (give one with --python): ratios against it are null');

async function compare(name, ours, theirs) {
  const mine = [];
  const other = [];
  await ours();
  if (torch) await theirs();
  for (let round = 0; round < rounds; round++) {
    mine.push(await ours());
    if (torch) other.push(await theirs());
  }
  const seconds = { ours: median(mine), torch: torch ? median(other) : null };
  results.seconds[name] = seconds;
  results.ratios[name] = seconds.torch === null ? null : seconds.torch / seconds.ours;
  say(
    `${name.padEnd(20)} ours ${seconds.ours.toPrecision(4)} s  torch ${seconds.torch?.toPrecision(4) ?? '–'} s  ratio ${results.ratios[name]?.toFixed(2) ?? '–'}`,
  );
}

/** The share of its speed that work keeps beside one busy process a core: about 0.5 is fair, far below is a collapse. */
async function besideBusyNeighbours(work) {
  const alone = [];
  const beside = [];
  for (let round = 0; round < rounds; round++) {
    alone.push(await work());
    // They end by themselves, should this process not live to end them.
    const busyLoop = 'const end = Date.now() + 60_000; while (Date.now() < end);';
    const neighbours = Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ['-e', busyLoop]));
    // They need a moment to start.
    await work();
    beside.push(await work());
    for (const neighbour of neighbours) neighbour.kill();
    await Promise.all(neighbours.map((neighbour) => once(neighbour, 'exit')));
  }
  const seconds = { alone: median(alone), beside: median(beside) };
  results.seconds.busyNeighbour = seconds;
  results.ratios.busyNeighbour = seconds.alone / seconds.beside;
  say(
    `${'busyNeighbour'.padEnd(20)} alone ${seconds.alone.toPrecision(4)} s  beside ${seconds.beside.toPrecision(4)} s  share ${results.ratios.busyNeighbour.toFixed(2)}`,
  );
}

for (const name of ['S', 'M']) {
  const bench = await openBench(name, threads);
  const { config } = bench;
  const { batch, length } = MODELS[name].train;
  if (torch) results.torch = (await torch.ask({ do: 'open', model: name, config, threads })).torch;
  const ask =
    (what, ...args) =>
    async () =>
      (await torch.ask({ do: what, model: name, arguments: args })).seconds;
  await compare(`train${name}`, bench.trainStep, ask('train', batch, length));
  if (name === 'S') await besideBusyNeighbours(bench.trainStep);
  if (name === 'M') {
    const peak = await gemmPeak(threads);
    results.peakGflops = peak / 1e9;
    results.ratios.peakShareTrainM = trainingFlops(config, MODELS.M.train) / results.seconds.trainM.ours / peak;
    say(
      `${'peakShareTrainM'.padEnd(20)} ${results.ratios.peakShareTrainM.toFixed(2)} of ${(peak / 1e9).toFixed(0)} GFLOP/s`,
    );
  }
  const { rows, prompt, tokens } = SAMPLING;
  const theirs = ask('sample', rows, prompt, tokens);
  const perToken = async () => (await theirs()) / (rows * tokens);
  await compare(`sample${name}`, () => bench.sample(1), perToken);
  if (name === 'M') await compare('sampleSharedPrefix', () => bench.sample(8), perToken);
  if (name === 'S') {
    await bench.grpoStep();
    results.seconds.grpoStep = { ours: await bench.grpoStep(), trl: null };
    if (torch && !options['no-trl']) {
      try {
        const numbers = [GRPO.tasks, GRPO.group, GRPO.prompt, GRPO.tokens, threads, 1].map(String);
        const { stdout } = await run(torch.python, [here('trl_side.py'), JSON.stringify(config), ...numbers], {
          maxBuffer: 1 << 26,
        });
        const answer = JSON.parse(stdout.trim().split('\n').at(-1));
        results.seconds.grpoStep.trl = answer.seconds;
        results.trl = answer.trl;
      } catch (error) {
        say(
          `TRL could not be measured: ${String(error.stderr ?? error.message)
            .trim()
            .split('\n')
            .at(-1)}`,
        );
      }
    }
    const { ours, trl } = results.seconds.grpoStep;
    results.ratios.grpoStepVsTrl = trl === null ? null : trl / ours;
    say(`${'grpoStep'.padEnd(20)} ours ${ours.toPrecision(4)} s  trl ${trl?.toPrecision(4) ?? '–'} s`);
  }
  await bench.close();
}

const { stdout } = await run(process.execPath, [here('memory.mjs'), 'M', String(threads)]);
results.bytes = { ours: Number(stdout), torch: null };
if (torch) {
  const fresh = await startTorch();
  const { vocabulary, train, ...size } = MODELS.M;
  const config = {
    vocabulary,
    ...size,
    kvHeads: size.heads,
    headWidth: size.width / size.heads,
    context: 1024,
    ropeTheta: 10_000,
    normEps: 1e-6,
  };
  await fresh.ask({ do: 'open', model: 'M', config, threads });
  for (let i = 0; i < 4; i++) await fresh.ask({ do: 'train', model: 'M', arguments: [train.batch, train.length] });
  results.bytes.torch = (await fresh.ask({ do: 'memory' })).bytes;
  fresh.close();
  torch.close();
}
results.ratios.memoryVsTorch = results.bytes.torch === null ? null : results.bytes.ours / results.bytes.torch;
say(
  `${'memory'.padEnd(20)} ours ${(results.bytes.ours / 1e6).toFixed(0)} MB  torch ${results.bytes.torch === null ? '–' : (results.bytes.torch / 1e6).toFixed(0)} MB`,
);
console.log(options.json ? JSON.stringify(results) : JSON.stringify(results, null, 2));

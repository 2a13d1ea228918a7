/**
 * What the protocol costs: the same training step, forward_backward and optim_step on the same data, in process and
 * through `genenv serve` with the engine's HTTP client in another process. Rounds of steps, turn and turn about; the ratio
 * is the median of the rounds' ratios, each of medians, and the bar is 1.10.
 *
 *   npm run bench:serve [-- --steps 40 --rounds 5 --sequences 8 --wire json --json]
 */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { localHost } from '../dist/engines/local/index.js';
import { readKey } from '../dist/engines/tinker/secrets.js';
import { openTransport } from '../dist/engines/tinker/transport.js';
import { decoded } from '../dist/engines/tinker/wire-form.js';
import { serve } from '../dist/serve.js';
import { plainLossInput } from '../dist/wire/json.js';

const BAR = 1.1;
const ADAM = { learning_rate: 1e-4, beta1: 0.9, beta2: 0.95, eps: 1e-8, weight_decay: 0 };
const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '5' },
    sequences: { type: 'string', default: '64' },
    wire: { type: 'string', default: 'protobuf' },
    json: { type: 'boolean', default: false },
    url: { type: 'string' },
    key: { type: 'string' },
  },
});

/** One GRPO batch of the built-in world's size: rollouts of a prompt and an answer each, credit on the answer. */
const SEQUENCES = Number(values.sequences);
const PROMPT = 96;
const ANSWER = 32;
const VOCABULARY = 512;

function batch() {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: SEQUENCES }, () => {
    const tokens = Int32Array.from({ length: PROMPT + ANSWER }, () => 6 + Math.floor(random() * (VOCABULARY - 6)));
    const onAnswer = (f) => Float32Array.from(tokens, (_, t) => (t < PROMPT ? 0 : f()));
    return {
      tokens,
      weights: onAnswer(() => 1 / ANSWER),
      logprobs: onAnswer(() => -3 - random()),
      advantages: onAnswer(() => random() - 0.5),
    };
  });
}

function wireInput(data) {
  const tensor = (array, dtype) => ({ data: array, dtype, shape: [array.length] });
  return {
    data: data.map(({ tokens, weights, logprobs, advantages }) => ({
      model_input: { chunks: [{ type: 'encoded_text', tokens: tokens.subarray(0, -1) }] },
      loss_fn_inputs: {
        target_tokens: tensor(tokens.subarray(1), 'int64'),
        weights: tensor(weights.subarray(1), 'float32'),
        logprobs: tensor(logprobs.subarray(1), 'float32'),
        advantages: tensor(advantages.subarray(1), 'float32'),
      },
    })),
    loss_fn: 'ppo',
  };
}

/** The engine's own transport, and nothing in it but the protocol: both calls are sent before either is waited for. */
async function remoteStepper({ url, key, wire }) {
  const transport = openTransport(url, readKey('BENCH_KEY', { BENCH_KEY: key }), {}, wire);
  const send = (path, body) => transport.send({ method: 'POST', path, body, timeoutMs: 120_000 });
  const wait = async (path, future) =>
    decoded(path, await send('retrieve_future', { request_id: (await future).request_id }));
  const { session_id } = await send('create_session', { tags: [] });
  const created = send('create_model', { session_id, model_seq_id: 0, base_model: 'bench' });
  const { model_id } = await wait('create_model', created);
  const data = batch();
  let seq_id = 0;
  return async () => {
    const input = wireInput(data);
    const ids = () => ({ model_id, seq_id: ++seq_id });
    const forward_backward_input = wire === 'json' ? plainLossInput(input) : input;
    const sent = send('forward_backward', { ...ids(), forward_backward_input });
    const stepped = send('optim_step', { ...ids(), adam_params: ADAM });
    const { metrics } = await wait('forward_backward', sent);
    await wait('optim_step', stepped);
    return metrics['loss:sum'];
  };
}

const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

/** Wall time, and the time of all cores this process used: the second knows nothing of what else the machine does. */
async function time(step) {
  const from = performance.now();
  const used = process.cpuUsage();
  const loss = await step();
  const { user, system } = process.cpuUsage(used);
  return { ms: performance.now() - from, cpuMs: (user + system) / 1000, loss };
}

if (values.url) {
  const step = await remoteStepper(values);
  process.on('message', async () => process.send(await time(step)));
  process.send('ready');
} else {
  await compare();
}

async function compare() {
  const folder = mkdtempSync(join(tmpdir(), 'genenv-bench-serve-'));
  const words = Array.from({ length: VOCABULARY - 6 }, (_, i) => String.fromCodePoint(0x4e00 + i));
  const source = {
    kind: 'new',
    size: { width: 128, layers: 4, heads: 4, context: 256 },
    tokenizer: { corpus: words, kind: 'words', vocabulary: VOCABULARY },
  };
  const serving = await serve({ models: { bench: source }, folder });
  const host = await localHost({
    bases: { bench: { kind: 'folder', path: join(folder, 'models', 'bench') } },
    seed: 1,
  });
  const child = fork(fileURLToPath(import.meta.url), [
    ...['--url', serving.url, '--key', serving.key, '--wire', values.wire, '--sequences', values.sequences],
  ]);
  const message = () => new Promise((resolve) => child.once('message', resolve));
  try {
    await message();
    const model = host.create('in-process', 'bench');
    const data = batch();
    const loss = { kind: 'clipped', clipLow: 1 - 0.8, clipHigh: 1.2 - 1, klCoef: 0 };
    const optim = { learningRate: 1e-4, beta1: 0.9, beta2: 0.95, eps: 1e-8, weightDecay: 0 };
    const local = async () => {
      const computed = await model.forwardBackward(data, loss);
      await model.optimStep(optim);
      return computed.loss;
    };
    const remote = async () => {
      const used = process.cpuUsage();
      const reply = message();
      child.send('step');
      const measured = await reply;
      const { user, system } = process.cpuUsage(used);
      return { ...measured, cpuMs: measured.cpuMs + (user + system) / 1000 };
    };
    const warm = 3;
    const rounds = [];
    for (let round = 0, i = 0; round < Number(values.rounds); round++) {
      const times = { local: [], remote: [] };
      // Turn and turn about, so that both meet the same machine.
      for (let last = i + Number(values.steps) + (round === 0 ? warm : 0); i < last; i++) {
        const [here, there] = [await time(local), await remote()];
        if (here.loss !== there.loss)
          throw new Error(`step ${i}: ${here.loss} in process, ${there.loss} through serve`);
        if (i < warm) continue;
        times.local.push(here);
        times.remote.push(there);
      }
      rounds.push({
        inProcessMs: median(times.local.map(({ ms }) => ms)),
        throughServeMs: median(times.remote.map(({ ms }) => ms)),
        cpu: median(times.remote.map(({ cpuMs }) => cpuMs)) / median(times.local.map(({ cpuMs }) => cpuMs)),
      });
    }
    const ratios = rounds.map(({ inProcessMs, throughServeMs }) => throughServeMs / inProcessMs);
    const result = {
      wire: values.wire,
      tokens: SEQUENCES * (PROMPT + ANSWER),
      inProcessMs: median(rounds.map(({ inProcessMs }) => inProcessMs)),
      throughServeMs: median(rounds.map(({ throughServeMs }) => throughServeMs)),
      ratios,
      ratio: median(ratios),
      cpuRatio: median(rounds.map(({ cpu }) => cpu)),
      bar: BAR,
    };
    if (values.json) console.log(JSON.stringify(result));
    else {
      const { inProcessMs, throughServeMs, ratio, cpuRatio } = result;
      const each = ratios.map((one) => one.toFixed(3)).join(' ');
      console.log(`a step of ${result.tokens} tokens, bit-equal losses, ${values.wire} on the wire, medians:`);
      console.log(`  in process     ${inProcessMs.toFixed(1)} ms`);
      console.log(`  through serve  ${throughServeMs.toFixed(1)} ms`);
      console.log(
        `  ratio          ${ratio.toFixed(3)} (bar ${BAR}; rounds: ${each}); of CPU time, client included, ${cpuRatio.toFixed(3)}`,
      );
    }
    if (result.ratio > BAR) process.exitCode = 1;
  } finally {
    child.kill();
    await host[Symbol.asyncDispose]();
    await serving[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }
}

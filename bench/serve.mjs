/**
 * What the protocol costs: the same training step, forward_backward and optim_step on the same data, in process and
 * through `genenv serve` with an HTTP client in another process. Ratio in the same run; the bar is 1.10.
 *
 *   npm run bench:serve [-- --steps 40 --sequences 8 --wire json --json]
 */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { localHost } from '../dist/engines/local/index.js';
import { serve } from '../dist/serve.js';
import { plainLossInput } from '../dist/wire/json.js';
import { encodeLossRequest } from '../dist/wire/proto-request.js';
import { decodeForwardBackwardResult } from '../dist/wire/proto-result.js';

const BAR = 1.1;
const ADAM = { learning_rate: 1e-4, beta1: 0.9, beta2: 0.95, eps: 1e-8, weight_decay: 0 };
const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '30' },
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

/** A client with nothing in it but the protocol. */
async function remoteStepper({ url, key, wire }) {
  const send = async (call, body, headers = {}) => {
    const response = await fetch(`${url}/api/v1/${call}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
      body: body instanceof Uint8Array ? body : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${call}: ${response.status} ${await response.text()}`);
    return response;
  };
  const answer = async (call, body, headers) => (await send(call, body, headers)).json();
  const wait = (future, headers) => send('retrieve_future', { request_id: future.request_id }, headers);
  const { session_id } = await answer('create_session', { tags: [] });
  const created = await answer('create_model', { session_id, model_seq_id: 0, base_model: 'bench' });
  const { model_id } = await (await wait(created)).json();
  const data = batch();
  let seq_id = 0;
  return async () => {
    const input = wireInput(data);
    const ids = () => ({ model_id, seq_id: ++seq_id });
    const sent =
      wire === 'json'
        ? answer('forward_backward', { ...ids(), forward_backward_input: plainLossInput(input) })
        : answer('forward_backward', encodeLossRequest({ ...ids(), input, forward_only: false }), {
            'content-type': 'application/x-protobuf',
          });
    const stepped = answer('optim_step', { ...ids(), adam_params: ADAM });
    const result = await wait(await sent, wire === 'json' ? {} : { accept: 'application/x-protobuf' });
    const { metrics } =
      wire === 'json' ? await result.json() : decodeForwardBackwardResult(new Uint8Array(await result.arrayBuffer()));
    await (await wait(await stepped)).json();
    return metrics['loss:sum'];
  };
}

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
    const times = { local: [], remote: [] };
    const warm = 3;
    // Turn and turn about, so that both meet the same machine.
    for (let i = 0; i < Number(values.steps) + warm; i++) {
      const [here, there] = [await time(local), await remote()];
      if (here.loss !== there.loss) throw new Error(`step ${i}: ${here.loss} in process, ${there.loss} through serve`);
      if (i < warm) continue;
      times.local.push(here);
      times.remote.push(there);
    }
    const median = (list, of) => list.map((one) => one[of]).sort((a, b) => a - b)[Math.floor(list.length / 2)];
    const result = {
      wire: values.wire,
      tokens: SEQUENCES * (PROMPT + ANSWER),
      inProcessMs: median(times.local, 'ms'),
      throughServeMs: median(times.remote, 'ms'),
      ratio: median(times.remote, 'ms') / median(times.local, 'ms'),
      cpuRatio: median(times.remote, 'cpuMs') / median(times.local, 'cpuMs'),
      bar: BAR,
    };
    if (values.json) console.log(JSON.stringify(result));
    else {
      const { inProcessMs, throughServeMs, ratio, cpuRatio } = result;
      console.log(`a step of ${result.tokens} tokens, bit-equal losses, ${values.wire} on the wire, medians:`);
      console.log(`  in process     ${inProcessMs.toFixed(1)} ms`);
      console.log(`  through serve  ${throughServeMs.toFixed(1)} ms`);
      console.log(
        `  ratio          ${ratio.toFixed(3)} (bar ${BAR}); of CPU time, client included, ${cpuRatio.toFixed(3)}`,
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

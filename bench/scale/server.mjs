/**
 * A Tinker server that answers like one with a large model behind it, for measuring who asks. What is long (rollouts,
 * tasks, training data) is answered here: replies of the errands world, right or wrong by a coin, behind as many tokens
 * of thought as drawn, after the time a model would take. What is short (sessions, adapters, checkpoints, the probe's
 * trials) goes to a real `genenv serve` behind it. Started by load.mjs, tells its address over IPC; loopback only.
 */
import { createServer } from 'node:http';
import { serve } from '../../dist/serve.js';
import { decodeLossRequest } from '../../dist/wire/proto-request.js';
import { encodeForwardBackwardResult } from '../../dist/wire/proto-result.js';
import { zstdDecode } from '../../dist/wire/zstd.js';
import { errandReplies } from './replies.mjs';

const PROTOBUF = 'application/x-protobuf';
/** The probe's requests are below this, a conversation's above. */
const LONG = 24;
const CAPABILITIES = { supported_models: [{ model_name: 'bench', max_context_length: 32_768 }] };
const { folder, tokenizer, law, trainTokensPerSecond } = JSON.parse(process.argv[2]);

const replies = await errandReplies(tokenizer, law);
const upstream = await serve({
  models: {
    bench: {
      kind: 'new',
      size: { width: 16, layers: 1, heads: 2, context: 64 },
      tokenizer: { corpus: ['a b c d e f g h i j k l m n o p q r s t u v'], kind: 'words', vocabulary: 64 },
    },
  },
  folder,
  threads: 1,
  limits: { models: 64 },
  onError: () => {},
});

/** Futures of ours, until they are read; and how many calls of each model the one behind has not seen. */
const futures = new Map();
const taken = new Map();
const stats = { inFlight: 0, most: 0, sampled: 0, tokens: 0, trained: 0, bytesIn: 0 };

function future(afterMs, make) {
  const request_id = `ours-${futures.size}-${Math.random().toString(36).slice(2)}`;
  futures.set(request_id, { at: performance.now() + afterMs, make });
  return { request_id };
}

function sample({ prompt, num_samples, sampling_params }) {
  const ids = prompt.chunks.flatMap(({ tokens }) => tokens);
  const sequences = replies.sample(ids, num_samples, sampling_params);
  const longest = Math.max(...sequences.map(({ tokens }) => tokens.length));
  stats.inFlight++;
  stats.most = Math.max(stats.most, stats.inFlight);
  stats.sampled += num_samples;
  stats.tokens += sequences.reduce((sum, { tokens }) => sum + tokens.length, 0);
  const ms = 1000 * (law.firstTokenSeconds + longest * law.secondsPerToken);
  return future(ms, () => {
    stats.inFlight--;
    return { json: { sequences } };
  });
}

const lengthOf = ({ loss_fn_inputs }) => loss_fn_inputs.target_tokens.data.length;

/** Log-probs that nothing computed, as many as there are targets. */
function train({ data }) {
  const tokens = data.reduce((sum, datum) => sum + lengthOf(datum), 0);
  stats.trained += tokens;
  const value = {
    loss_fn_output_type: 'ArrayRecord',
    loss_fn_outputs: data.map((datum) => {
      const length = lengthOf(datum);
      return { logprobs: { data: new Float32Array(length).fill(-0.5), dtype: 'float32', shape: [length] } };
    }),
    metrics: { 'loss:sum': 0.5 },
  };
  return future((1000 * tokens) / trainTokensPerSecond, () => ({
    json: {
      ...value,
      loss_fn_outputs: value.loss_fn_outputs.map(({ logprobs }) => ({
        logprobs: { ...logprobs, data: Array.from(logprobs.data) },
      })),
    },
    protobuf: () => encodeForwardBackwardResult(value),
  }));
}

const isLong = (input) => input.data.some((datum) => lengthOf(datum) >= LONG);

/** The answer, where the call is ours. */
function own(route, body) {
  if (route === 'asample') return body.prompt.chunks[0].tokens.length >= LONG ? sample(body) : undefined;
  const input = body.forward_input ?? body.forward_backward_input;
  if (!input || !isLong(input)) return undefined;
  taken.set(body.model_id, (taken.get(body.model_id) ?? 0) + 1);
  return train(input);
}

async function forward(request, route, body) {
  // Its order has no gaps: what was answered here does not count there.
  const message =
    body?.model_id && body.seq_id ? { ...body, seq_id: body.seq_id - (taken.get(body.model_id) ?? 0) } : body;
  const answer = await fetch(`${upstream.url}/api/v1/${route}`, {
    method: request.method,
    headers: { 'x-api-key': upstream.key, 'content-type': 'application/json' },
    body: request.method === 'POST' ? JSON.stringify(message) : undefined,
  });
  return { status: answer.status, text: await answer.text() };
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  stats.bytesIn += bytes.length;
  if (request.headers['content-type'] !== PROTOBUF) return bytes.length === 0 ? undefined : JSON.parse(bytes);
  const packed = request.headers['content-encoding'] === 'zstd';
  const { input, forward_only, ...ids } = decodeLossRequest(packed ? zstdDecode(bytes, 1 << 30) : bytes);
  const plain = {
    ...input,
    data: input.data.map(({ model_input, loss_fn_inputs }) => ({
      model_input: { chunks: model_input.chunks.map(({ tokens }) => ({ type: 'encoded_text', tokens: [...tokens] })) },
      loss_fn_inputs,
    })),
  };
  return forward_only ? { ...ids, forward_input: plain } : { ...ids, forward_backward_input: plain };
}

const server = createServer(async (request, response) => {
  try {
    const send = (status, type, text) => {
      response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
      response.end(text);
    };
    const body = await bodyOf(request);
    let route = request.url.replace('/api/v1/', '');
    if (body?.forward_input && route === 'forward_backward') route = 'forward';
    const kept = route === 'retrieve_future' ? futures.get(body.request_id) : undefined;
    if (kept) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, kept.at - performance.now())));
      futures.delete(body.request_id);
      const { json, protobuf } = kept.make();
      if (protobuf && request.headers.accept?.includes(PROTOBUF)) return send(200, PROTOBUF, Buffer.from(protobuf()));
      return send(200, 'application/json', JSON.stringify(json));
    }
    const answered = request.method === 'POST' ? own(route, body) : undefined;
    if (answered) return send(200, 'application/json', JSON.stringify(answered));
    // The model that stands in for all of them is tiny; the one that is played is not.
    if (route === 'get_server_capabilities') return send(200, 'application/json', JSON.stringify(CAPABILITIES));
    const { status, text } = await forward(request, route, plainBody(body));
    send(status, 'application/json', text);
  } catch (error) {
    process.stderr.write(`${error.stack}\n`);
    response.writeHead(500).end();
  }
});

/** Short training data that came as protobuf, for the one behind. */
function plainBody(body) {
  const input = body?.forward_input ?? body?.forward_backward_input;
  if (!input) return body;
  const data = input.data.map((datum) => ({
    ...datum,
    loss_fn_inputs: Object.fromEntries(
      Object.entries(datum.loss_fn_inputs).map(([name, tensor]) => [name, { ...tensor, data: [...tensor.data] }]),
    ),
  }));
  const name = body.forward_input ? 'forward_input' : 'forward_backward_input';
  return { ...body, [name]: { ...input, data } };
}

server.keepAliveTimeout = 60_000;
server.listen({ port: 0, host: '127.0.0.1', backlog: 8192 }, () =>
  process.send({ url: `http://127.0.0.1:${server.address().port}` }),
);
process.on('message', () => {
  process.send({ ...stats, cpuSeconds: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6 });
  stats.most = stats.inFlight;
});
process.on('disconnect', () => process.exit(0));

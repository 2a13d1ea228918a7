import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Serving } from '../../src/serve.ts';
import { PROTOBUF } from '../../src/wire/json.ts';
import { encodeLossRequest } from '../../src/wire/proto-request.ts';
import { decodeForwardBackwardResult, decodeSampleResult } from '../../src/wire/proto-result.ts';
import { zstdStore } from '../../src/wire/zstd.ts';
import { clientOf, datum, lossInput, SENTENCE, startTiny, type TestClient, type TestModel } from './client.ts';

let serving: Serving;
let client: TestClient;

beforeAll(async () => {
  serving = await startTiny(mkdtempSync(join(tmpdir(), 'genenv-serve-')));
  client = clientOf(serving);
});
afterAll(async () => {
  await serving[Symbol.asyncDispose]();
});

const forward_backward_input = lossInput([datum(SENTENCE), datum(SENTENCE.slice(2))]);
const logprobsOf = async (model: TestModel): Promise<number[]> =>
  (await model.call('forward', { forward_input: lossInput([datum(SENTENCE)]) })).loss_fn_outputs[0].logprobs.data;
const train = async (model: TestModel, steps: number, learning_rate = 0.03) => {
  const losses: number[] = [];
  for (let step = 0; step < steps; step++) {
    const { metrics } = await model.call('forward_backward', { forward_backward_input });
    losses.push(metrics['loss:sum']);
    await model.call('optim_step', { adam_params: { learning_rate } });
  }
  return losses;
};
const sampling = (session: string, more: Record<string, unknown> = {}) => ({
  sampling_session_id: session,
  num_samples: 2,
  prompt: { chunks: [{ type: 'encoded_text', tokens: SENTENCE.slice(0, 3) }] },
  sampling_params: { max_tokens: 5, temperature: 1, seed: 5 },
  ...more,
});

describe('a model on the server', () => {
  it('learns, whole or by an adapter, and says how large its gradient was', async () => {
    for (const rank of [undefined, 4]) {
      const model = await client.model(rank === undefined ? {} : { rank });
      const losses = await train(model, 15);
      expect(losses.at(-1)).toBeLessThan(0.8 * losses[0]!);
      await model.call('forward_backward', { forward_backward_input });
      const { metrics } = await model.call('optim_step', { adam_params: { learning_rate: 0 } });
      expect(metrics['grad_norm:mean']).toBeGreaterThan(0);
      const info = await client.send('get_info', { model_id: model.id });
      expect(info.body).toMatchObject({ is_lora: rank !== undefined, lora_rank: rank ?? null, model_name: 'tiny' });
    }
  });

  // Slow because each kind of adapter has graphs of its own to compile.
  it('has its adapter where the client says, on all that can have one where it says nothing', async () => {
    const where = [{}, { train_unembed: false }, { train_attn: false, train_mlp: false }];
    const learnt = new Set<number>();
    for (const switches of where) {
      const model = await client.model({ rank: 4, seed: 5, switches });
      const losses = await train(model, 8);
      expect(losses.at(-1), JSON.stringify(switches)).toBeLessThan(0.97 * losses[0]!);
      learnt.add(losses.at(-1)!);
      const logprobs = await logprobsOf(model);
      const { path } = await model.call('save_weights', { path: 'part' });
      const info = await client.send('weights_info', { tinker_path: path });
      const all = { train_attn: true, train_mlp: true, train_unembed: true };
      expect(info.body).toMatchObject({ lora_rank: 4, ...all, ...switches });

      const loaded = await client.model({ rank: 4, switches });
      await loaded.call('load_weights', { path, optimizer: true });
      expect(await logprobsOf(loaded)).toEqual(logprobs);
      const other = await client.model({ rank: 4, switches: { train_attn: false } });
      await expect(other.call('load_weights', { path, optimizer: true })).rejects.toThrow(
        'this model is an adapter of',
      );

      // Frozen, and saved to sample from: with the part that is on the output layer too.
      const { sampling_session_id: frozen } = await model.call('save_weights_for_sampler', {});
      const { path: saved } = await model.call('save_weights_for_sampler', { path: 'sampled' });
      const reopened = await client.send('create_sampling_session', {
        session_id: model.session,
        sampling_session_seq_id: 1,
        model_path: saved,
      });
      const prompt = { chunks: [{ type: 'encoded_text', tokens: SENTENCE }] };
      for (const session of [frozen, reopened.body.sampling_session_id]) {
        const scored = await client.result('asample', {
          ...sampling(session, { seq_id: 0, prompt }),
          prompt_logprobs: true,
        });
        for (const [t, logprob] of logprobs.entries()) expect(scored.prompt_logprobs[t + 1]).toBeCloseTo(logprob, 4);
      }
    }
    expect(learnt.size).toBe(where.length);
  }, 120_000);

  it('refuses settings that it would have to ignore', async () => {
    const session_id = await client.session();
    const create = (fields: Record<string, unknown>) =>
      client.send('create_model', { session_id, model_seq_id: 0, base_model: 'tiny', ...fields });
    const nothing = { train_attn: false, train_mlp: false, train_unembed: false };
    expect(await create({ lora_config: { rank: 4, ...nothing } })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('nothing is left to train') },
    });
    expect(await create({ lora_config: { rank: 4, alpha: 32 } })).toMatchObject({
      status: 400,
      body: { detail: 'lora_config: alpha is twice the rank on this server: leave it out' },
    });
    expect(await create({ optimizer_config: { type: 'muon' } })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('AdamW and no other') },
    });
    const taken = await create({ lora_config: { rank: 4, alpha: 8 }, optimizer_config: { type: 'adam' } });
    expect(taken.status).toBe(200);
  });

  it('saved and loaded gives the log-probs of the moment of saving, and learns on as if nothing had happened', async () => {
    const model = await client.model({ rank: 4 });
    await train(model, 3);
    const saved = await logprobsOf(model);
    const { path, sha256 } = await model.call('save_weights', { path: 'third' });
    expect(path).toBe(`tinker://${model.id}/weights/third`);
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    const onward = await train(model, 2);

    const loaded = await client.model({ rank: 4, seed: 99 });
    await loaded.call('load_weights', { path, optimizer: true });
    expect(await logprobsOf(loaded)).toEqual(saved);
    expect(await train(loaded, 2)).toEqual(onward);

    const fresh = await client.model({ rank: 4 });
    await fresh.call('load_weights', { path, optimizer: false });
    expect(await logprobsOf(fresh)).toEqual(saved);
    await train(fresh, 2);
    expect(await logprobsOf(fresh)).not.toEqual(await logprobsOf(loaded));

    const info = await client.send('weights_info', { tinker_path: path });
    expect(info.body).toMatchObject({ base_model: 'tiny', is_lora: true, lora_rank: 4 });
  });

  it('takes weights only as its first call, only of its own kind, and never from outside the folder', async () => {
    const model = await client.model({ rank: 4 });
    const { path } = await model.call('save_weights', { path: 'a' });
    await expect(model.call('load_weights', { path, optimizer: true })).rejects.toThrow("must be a model's first call");
    const load = async (body: Record<string, unknown>, rank = 4) =>
      (await client.model({ rank })).call('load_weights', { optimizer: true, ...body });
    await expect(load({ path }, 2)).rejects.toThrow(
      'an adapter of rank 4 on the attention, mlp, head of tiny; this model is an adapter of rank 2',
    );
    await expect(load({ path: 'tinker://m/weights/../../x' })).rejects.toThrow('is no checkpoint');
    await expect(load({ path: `tinker://${model.id}/weights/none` })).rejects.toThrow('There is no checkpoint');
    await expect(model.call('save_weights', { path: '../up' })).rejects.toThrow('is no name for a checkpoint');
    await expect(model.call('save_weights', { path: 'a' })).rejects.toThrow('exists already');
    await model.call('save_weights', { path: 'a', overwrite: true });
    const sampler = await model.call('save_weights_for_sampler', { path: 'to-sample' });
    await expect(load({ path: sampler.path })).rejects.toThrow('was saved to sample from');
  });

  it('gives the same result for protobuf as for JSON, packed or not, and answers in either', async () => {
    const asJson = await client.model({ rank: 4, seed: 3 });
    const expected = await asJson.call('forward_backward', { forward_backward_input });
    const asProto = await client.model({ rank: 4, seed: 3 });
    const input = forward_backward_input as Parameters<typeof encodeLossRequest>[0]['input'];
    const encode = (forward_only: boolean) =>
      encodeLossRequest({ model_id: asProto.id, seq_id: asProto.next(), input, forward_only });
    const headers = { 'content-type': PROTOBUF };
    const plain = await client.send('forward_backward', encode(false), headers);
    expect((await client.retrieve(plain.body.request_id)).body).toEqual(expected);
    const packed = await client.send('forward_backward', zstdStore(encode(true)), {
      ...headers,
      'content-encoding': 'zstd',
    });
    const response = await fetch(`${serving.url}/api/v1/retrieve_future`, {
      method: 'POST',
      headers: { 'x-api-key': serving.key, accept: PROTOBUF, 'content-type': 'application/json' },
      body: JSON.stringify(packed.body),
    });
    expect(response.headers.get('content-type')).toBe(PROTOBUF);
    const decoded = decodeForwardBackwardResult(new Uint8Array(await response.arrayBuffer()));
    expect([...decoded.loss_fn_outputs[0]!.logprobs!.data]).toEqual(expected.loss_fn_outputs[0].logprobs.data);
    expect(decoded.metrics['loss:sum']).toBeCloseTo(expected.metrics['loss:sum'], 4);
  });

  it('has the losses of the protocol: sums over tokens and data, credit of either sign', async () => {
    const model = await client.model();
    const current = await logprobsOf(model);
    const ones = current.map(() => 1);
    const run = (inputs: Record<string, readonly number[]>, loss: string, config?: unknown) =>
      model.call('forward_backward', {
        forward_backward_input: lossInput([datum(SENTENCE, inputs), datum(SENTENCE, inputs)], loss, config),
      });
    const sum = current.reduce((a, b) => a + b, 0);
    expect((await run({}, 'cross_entropy')).metrics['loss:sum']).toBeCloseTo(-2 * sum, 4);
    const signed = current.map((_, t) => (t % 2 === 0 ? 0.5 : -0.5));
    const expected = current.reduce((total, logp, t) => total - 2 * signed[t]! * logp, 0);
    expect((await run({ weights: signed }, 'cross_entropy')).metrics['loss:sum']).toBeCloseTo(expected, 4);
    const same = { logprobs: current, advantages: ones };
    expect((await run(same, 'importance_sampling')).metrics['loss:sum']).toBeCloseTo(-2 * current.length, 4);
    // Sampled at half the probability: the ratio of 2 is clipped to 1.2.
    const half = { logprobs: current.map((logp) => logp - Math.log(2)), advantages: ones };
    expect((await run(half, 'ppo')).metrics['loss:sum']).toBeCloseTo(-2 * 1.2 * current.length, 4);
    const wide = { clip_high_threshold: 1.5 };
    expect((await run(half, 'ppo', wide)).metrics['loss:sum']).toBeCloseTo(-2 * 1.5 * current.length, 4);
    const anchored = { weights: ones, reference: current };
    expect((await run(anchored, 'cross_entropy', { kl_coef: 3 })).metrics['loss:sum']).toBeCloseTo(-2 * sum, 4);
  });

  it('takes no step on a gradient that is not whole', async () => {
    const model = await client.model({ rank: 4 });
    const before = await logprobsOf(model);
    const long = Array.from({ length: 40 }, () => 3);
    await model.call('forward_backward', { forward_backward_input });
    const fail = model.call('forward_backward', { forward_backward_input: lossInput([datum(long)]) });
    await expect(fail).rejects.toThrow("41 tokens exceed the model's context of 32".replace('41', '40'));
    await expect(model.call('optim_step', { adam_params: { learning_rate: 0.1 } })).rejects.toThrow(
      'no step was taken',
    );
    await model.call('optim_step', { adam_params: { learning_rate: 0.1 } });
    expect(await logprobsOf(model)).toEqual(before);
  });
});

describe('a sampler on the server', () => {
  it('is a version: what is trained later does not change it, and its log-probs are those of training', async () => {
    const model = await client.model({ rank: 4 });
    await train(model, 2);
    const { sampling_session_id: session } = await model.call('save_weights_for_sampler', {
      sampling_session_seq_id: 0,
    });
    const current = await logprobsOf(model);
    const tokens = { chunks: [{ type: 'encoded_text', tokens: SENTENCE }] };
    const sample = await client.result('asample', sampling(session, { seq_id: 0 }));
    const scored = await client.result(
      'asample',
      sampling(session, { seq_id: 1, prompt: tokens, prompt_logprobs: true }),
    );
    expect(scored.prompt_logprobs[0]).toBeNull();
    for (const [t, logp] of current.entries()) expect(scored.prompt_logprobs[t + 1]).toBeCloseTo(logp, 4);
    await train(model, 3, 0.1);
    expect(await logprobsOf(model)).not.toEqual(current);
    expect(await client.result('asample', sampling(session, { seq_id: 2 }))).toEqual(sample);
    const again = await client.result(
      'asample',
      sampling(session, { seq_id: 3, prompt: tokens, prompt_logprobs: true }),
    );
    expect(again.prompt_logprobs).toEqual(scored.prompt_logprobs);
  });

  it('can be the base, or a checkpoint, and the same call twice is one call', async () => {
    const model = await client.model({ rank: 4 });
    await train(model, 2);
    const { path } = await model.call('save_weights_for_sampler', { path: 'named' });
    const { sampling_session_id: live } = await model.call('save_weights_for_sampler', {});
    const open = async (body: Record<string, unknown>, sampling_session_seq_id: number) =>
      (await client.send('create_sampling_session', { session_id: model.session, sampling_session_seq_id, ...body }))
        .body.sampling_session_id;
    const named = await open({ model_path: path }, 7);
    expect(await open({ model_path: path }, 7)).toBe(named);
    const base = await open({ base_model: 'tiny' }, 8);
    const samples = [];
    for (const session of [live, named, base])
      samples.push(await client.result('asample', sampling(session, { seq_id: 0 })));
    expect(samples[1]).toEqual(samples[0]);
    expect(samples[2]).not.toEqual(samples[0]);
    const [first, second] = [
      await client.send('asample', sampling(base, { seq_id: 5 })),
      await client.send('asample', sampling(base, { seq_id: 5 })),
    ];
    expect(second.body.request_id).toBe(first.body.request_id);
    const unseeded = { max_tokens: 5, temperature: 1 };
    const [a, b] = [
      await client.result('asample', sampling(base, { seq_id: 20, sampling_params: unseeded })),
      await client.result('asample', sampling(base, { seq_id: 21, sampling_params: unseeded })),
    ];
    expect(a).not.toEqual(b);
    const info = await fetch(`${serving.url}/api/v1/samplers/${named}`, { headers: { 'x-api-key': serving.key } });
    expect(await info.json()).toEqual({ sampler_id: named, base_model: 'tiny', model_path: path });
  });

  it('stops where it is told, and scores what it does not continue', async () => {
    const { sampling_session_id: session } = await (await client.model()).call('save_weights_for_sampler', {});
    const ask = (seq_id: number, sampling_params: unknown) =>
      client.result('asample', sampling(session, { seq_id, sampling_params, num_samples: 8 }));
    const all = Array.from({ length: 30 }, (_, id) => id);
    const stopped = await ask(0, { max_tokens: 5, stop: all, seed: 1 });
    for (const { tokens, stop_reason } of stopped.sequences) {
      if (all.includes(tokens[0])) expect([tokens.length, stop_reason]).toEqual([1, 'stop']);
    }
    const free = await ask(1, { max_tokens: 5, stop: [], seed: 1 });
    for (const { tokens, stop_reason } of free.sequences) expect([tokens.length, stop_reason]).toEqual([5, 'length']);
    const none = await ask(2, { max_tokens: 0 });
    expect(none.sequences[0]).toEqual({ stop_reason: 'length', tokens: [], logprobs: [] });
    const response = await fetch(`${serving.url}/api/v1/retrieve_future`, {
      method: 'POST',
      headers: { 'x-api-key': serving.key, accept: PROTOBUF, 'content-type': 'application/json' },
      body: JSON.stringify((await client.send('asample', sampling(session, { seq_id: 1 }))).body),
    });
    const decoded = decodeSampleResult(new Uint8Array(await response.arrayBuffer()));
    expect(decoded.sequences.map(({ tokens }) => [...tokens])).toEqual(
      free.sequences.map((s: { tokens: number[] }) => s.tokens),
    );
  });
});

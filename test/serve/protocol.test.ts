import { mkdtempSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Serving } from '../../src/serve.ts';
import { PROTOBUF } from '../../src/wire/json.ts';
import { clientOf, datum, lossInput, SENTENCE, startTiny, type TestClient } from './client.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'genenv-serve-'));
let serving: Serving;
let client: TestClient;

beforeAll(async () => {
  serving = await startTiny(folder(), {
    limits: { models: 3, sessions: 40, maxBodyBytes: 20_000, maxData: 4, maxTokens: 64, holdMs: 300 },
  });
  client = clientOf(serving);
});
afterAll(async () => {
  await serving[Symbol.asyncDispose]();
});

const forward_input = lossInput([datum(SENTENCE)]);

/** With headers that fetch does not let anyone set. */
function statusOf(headers: Record<string, string>, path = 'get_server_capabilities'): Promise<number> {
  const url = new URL(`/api/v1/${path}`, serving.url);
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .once('error', reject)
      .end();
  });
}

describe('access', () => {
  it('needs the key, to the letter, and a name the server goes by; health can be asked by anyone here', async () => {
    const { key } = serving;
    expect(await statusOf({ 'x-api-key': key })).toBe(200);
    for (const wrong of ['', key.slice(0, -1), `${key}x`, key.toUpperCase()])
      expect(await statusOf({ 'x-api-key': wrong })).toBe(401);
    expect(await statusOf({})).toBe(401);
    expect(await statusOf({ 'x-api-key': key, host: 'evil.example' })).toBe(403);
    expect(await statusOf({ 'x-api-key': key, host: 'localhost:1' })).toBe(200);
    expect(await statusOf({}, 'healthz')).toBe(200);
    expect(await statusOf({ host: 'evil.example' }, 'healthz')).toBe(403);
  });
});

describe('what a client may send', () => {
  it('is refused with the reason when it is malformed, and the server goes on', async () => {
    const model = await client.model({ rank: 2 });
    const headers = { 'content-type': PROTOBUF };
    const bad: [number, RegExp, Promise<{ status: number; body: { detail: string } }>][] = [
      [400, /not JSON/, client.send('create_session', '{"tags": [')],
      [400, /not JSON/, client.send('create_session', Uint8Array.of(0x22, 0xff, 0x22))],
      [400, /expected object/, client.send('create_session', '[]')],
      [400, /session_id/, client.send('create_model', { model_seq_id: 0, base_model: 'tiny' })],
      [400, /past the end|no field/, client.send('forward_backward', Uint8Array.of(0x0a, 0x7f), headers)],
      [415, /no protobuf form/, client.send('optim_step', Uint8Array.of(1), headers)],
      [415, /not understood/, client.send('create_session', '{}', { 'content-type': 'text/html' })],
      [415, /not understood/, client.send('create_session', '{}', { 'content-encoding': 'br' })],
      [400, /zstd/, client.send('create_session', '{}', { 'content-encoding': 'zstd' })],
      [404, /no call/, client.send('reward_me', {})],
      [404, /no call/, client.send('__proto__', {})],
      [404, /no model/, client.send('forward', { model_id: 'x', seq_id: 1, forward_input })],
      [404, /no such session/, client.send('session_heartbeat', { session_id: 'x' })],
      [
        400,
        /"huge" is not served/,
        client.send('create_model', { session_id: model.session, model_seq_id: 9, base_model: 'huge' }),
      ],
      [
        400,
        /either/,
        client.send('create_sampling_session', { session_id: model.session, sampling_session_seq_id: 0 }),
      ],
    ];
    for (const [status, reason, sent] of bad) {
      const { status: got, body } = await sent;
      expect([got, body.detail]).toEqual([status, expect.stringMatching(reason)]);
    }
    const refused: [unknown, RegExp][] = [
      [lossInput([datum(SENTENCE)], 'dro'), /"dro" is not offered/],
      [lossInput([datum(SENTENCE)], 'ppo', { clip: 1 }), /no setting "clip"/],
      [lossInput([datum(SENTENCE)], 'ppo'), /advantages is missing/],
      [lossInput([datum(SENTENCE, { mask: [1] })]), /mask is not understood/],
      [lossInput([datum(SENTENCE, { weights: [1] })]), /weights has 1 entries for 9 tokens/],
      [
        lossInput([
          { ...(datum([3, 9, 8]) as object), loss_fn_inputs: { target_tokens: { data: [8, 9], dtype: 'int64' } } },
        ]),
        /one later/,
      ],
      [lossInput([datum(Array(66).fill(3))]), /more than 64 entries/],
      [lossInput(Array(5).fill(datum(SENTENCE))), /data/],
    ];
    for (const [forward_backward_input, reason] of refused) {
      const sent = await client.send('forward_backward', {
        model_id: model.id,
        seq_id: model.next(),
        forward_backward_input,
      });
      expect([sent.status, sent.body.detail]).toEqual([400, expect.stringMatching(reason)]);
    }
    // None of these holds up what comes after them, and unknown fields are nobody's business.
    const fine = await model.call('forward', { forward_input, type: 'forward', colour: 'blue' });
    expect(fine.loss_fn_outputs[0].logprobs.data).toHaveLength(SENTENCE.length - 1);
  });

  it('is bounded: bodies whether or not they say how long they are, models, and prompts', async () => {
    const long = JSON.stringify({ tags: ['x'.repeat(30_000)] });
    expect((await client.send('create_session', long)).status).toBe(413);
    const { url, key } = serving;
    const streamed = fetch(`${url}/api/v1/create_session`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: new Blob([long]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(
      await streamed.then(
        ({ status }) => status,
        () => 413,
      ),
    ).toBe(413);
    const session = await client.session();
    const models = [];
    for (let i = serving.counts.models; i < 3; i++) models.push(await client.model({ rank: 2, session }));
    await expect(client.model({ rank: 2, session })).rejects.toThrow('unload one');
    for (const { id } of models) await client.result('unload_model', { model_id: id });
    expect((await client.send('get_info', { model_id: models[0]?.id ?? 'none' })).status).toBe(404);
    const open = { session_id: session, sampling_session_seq_id: 0, base_model: 'tiny' };
    const { sampling_session_id } = (await client.send('create_sampling_session', open)).body;
    const ask = (tokens: number[]) =>
      client.send('asample', {
        sampling_session_id,
        seq_id: tokens.length,
        num_samples: 1,
        prompt: { chunks: [{ type: 'encoded_text', tokens }] },
        sampling_params: { max_tokens: 1 },
      });
    expect((await ask([])).body.detail).toMatch(/empty/);
    expect((await ask(Array(33).fill(3))).body.detail).toMatch(/33 tokens, and the context of this model is 32/);
    expect((await ask([1, 5000])).body.detail).toMatch(/outside the vocabulary/);
  });
});

describe('calls of a model', () => {
  it('are carried out in the order of their numbers, however they arrive, and once each', async () => {
    const model = await client.model({ rank: 2 });
    const [one, two, three] = [model.next(), model.next(), model.next()];
    const body = (seq_id: number, more: object) => ({ model_id: model.id, seq_id, ...more });
    const step = { adam_params: { learning_rate: 0.1 } };
    const after = await client.send('forward', body(three, { forward_input }));
    const stepped = await client.send('optim_step', body(two, step));
    const waiting = await client.retrieve(after.body.request_id);
    expect(waiting.body).toEqual({ type: 'try_again', request_id: after.body.request_id, queue_state: 'active' });
    const forward_backward_input = forward_input;
    const first = await client.send('forward_backward', body(one, { forward_backward_input }));
    const before = (await client.settled(first.body.request_id)).body.metrics['loss:sum'];
    const changed = (await client.settled(after.body.request_id)).body.metrics['loss:sum'];
    expect(changed).toBeLessThan(before);

    const again = await client.send('optim_step', body(two, step));
    expect(again.body.request_id).toBe(stepped.body.request_id);
    expect((await client.send('forward', body(two, { forward_input }))).status).toBe(409);
    expect((await model.call('forward', { forward_input })).metrics['loss:sum']).toBe(changed);
    await client.result('unload_model', { model_id: model.id });
  });

  it('do not wait for ever for one that never comes', async () => {
    await using impatient = await startTiny(folder(), { limits: { gapMs: 50 } });
    const client = clientOf(impatient);
    const model = await client.model({ rank: 2 });
    const sent = await client.send('forward', { model_id: model.id, seq_id: 5, forward_input });
    const got = await client.settled(sent.body.request_id);
    expect(got.body).toEqual({ error: expect.stringMatching(/waited for 1, which did not come/), category: 'user' });
    await model.call('forward', { forward_input });
    await client.result('unload_model', { model_id: model.id });
  });
});

describe('what official clients ask beside the protocol', () => {
  it('is answered: telemetry, flags, checkpoints and their removal, the end of a session', async () => {
    expect((await client.send('telemetry', { events: [] })).body).toEqual({ status: 'accepted' });
    expect((await client.send('client/config', { sdk_version: '1' })).status).toBe(200);
    expect((await client.send('client/dynamic_config', {})).status).toBe(200);
    const model = await client.model({ rank: 2 });
    const { path } = await model.call('save_weights', { path: 'kept' });
    const at = `${serving.url}/api/v1/training_runs/${model.id}/checkpoints`;
    const headers = { 'x-api-key': serving.key };
    const list = async () => ((await (await fetch(at, { headers })).json()) as { checkpoints: object[] }).checkpoints;
    expect(await list()).toMatchObject([
      { checkpoint_id: 'weights/kept', checkpoint_type: 'training', tinker_path: path },
    ]);
    expect((await fetch(`${at}/weights/kept`, { method: 'DELETE', headers })).status).toBe(200);
    expect((await fetch(`${at}/weights/..%2F..`, { method: 'DELETE', headers })).status).toBe(400);
    expect((await fetch(`${at}/weights/%E0%A4%A`, { method: 'DELETE', headers })).status).toBe(400);
    expect(await list()).toEqual([]);
    expect((await client.send(`sessions/${model.session}/finish`, { reason: { type: 'success' } })).status).toBe(200);
    expect((await client.send('get_info', { model_id: model.id })).status).toBe(404);
  });
});

describe('a server that is started again', () => {
  it('has forgotten sessions, models and futures, says so, and still has the checkpoints', async () => {
    const place = folder();
    const first = await startTiny(place);
    const old = clientOf(first);
    const model = await old.model({ rank: 2, seed: 4 });
    const { path } = await model.call('save_weights', { path: 'kept' });
    const expected = await model.call('forward', { forward_input });
    const future = await old.send('forward', { model_id: model.id, seq_id: model.next(), forward_input });
    await old.retrieve(future.body.request_id);
    await first[Symbol.asyncDispose]();

    const second = await startTiny(place, { key: first.key });
    try {
      const now = clientOf(second);
      const gone = await now.retrieve(future.body.request_id);
      expect([gone.status, gone.body.detail]).toEqual([410, expect.stringMatching(/before this server was started/)]);
      for (const [call, body] of [
        ['session_heartbeat', { session_id: model.session }],
        ['forward', { model_id: model.id, seq_id: 1, forward_input }],
        ['create_model', { session_id: model.session, model_seq_id: 0, base_model: 'tiny' }],
        ['get_info', { model_id: model.id }],
      ] as const) {
        const reply = await now.send(call, body);
        expect([reply.status, reply.body.detail]).toEqual([404, expect.stringMatching(/started again/)]);
      }
      const loaded = await now.model({ rank: 2 });
      await loaded.call('load_weights', { path, optimizer: true });
      expect(await loaded.call('forward', { forward_input })).toEqual(expected);
    } finally {
      await second[Symbol.asyncDispose]();
    }
  });
});

import { describe, expect, it } from 'vitest';
import { openAiEngine } from './engine.ts';
import { chat, choice, ENV, fastClock, friendly, request, send, type TestServer, testServer } from './fixtures.ts';
import type { OpenAiOptions } from './settings.ts';

const parts = () => ({ env: ENV, clock: fastClock() });
const open = (server: TestServer, more?: Partial<OpenAiOptions>) => openAiEngine(server.options(more), parts());
const sampling = async (server: TestServer, more?: Partial<OpenAiOptions>) => {
  const engine = await open(server, more);
  server.asked.length = 0;
  return { engine, sampler: await engine.sampler('agent') };
};

describe('the openai engine', () => {
  it('samples chat answers, counted by the usage where ids are not told', async () => {
    await using server = await testServer();
    const { engine, sampler } = await sampling(server);
    await using _ = engine;
    const { prompt, samples } = await sampler.sample(request());
    expect(prompt).toEqual(new Int32Array());
    expect(samples).toEqual([
      { text: 'one two three', tokens: Int32Array.of(-1, -1, -1), logprobs: new Float32Array(), stop: 'stop' },
    ]);
    expect(sampler.version).toBe('m');
    const [asked] = server.asked;
    expect(asked!.path).toBe('/v1/chat/completions');
    expect(asked!.headers.authorization).toBe(`Bearer ${ENV.TEST_KEY}`);
    expect(asked!.body).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'Count to three.' }],
      max_tokens: 16,
      temperature: 1,
      stream: false,
      seed: 7,
    });
  });

  it('asks for all samples at once, and one by one with other seeds where several are refused', async () => {
    await using server = await testServer(friendly(['a', 'b', 'c']));
    const { engine, sampler } = await sampling(server);
    await using _ = engine;
    expect((await sampler.sample(request({ n: 3 }))).samples.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
    expect(server.asked.map(({ body }) => body.n)).toEqual([3]);

    server.asked.length = 0;
    const plain = server.reply;
    server.reply = (asked, response, socket) =>
      Number(asked.body.n) > 1
        ? send(response, 400, { error: { message: 'n must be 1' } })
        : plain(asked, response, socket);
    for (const requests of [4, 3]) {
      server.asked.length = 0;
      expect((await sampler.sample(request({ n: 3 }))).samples).toHaveLength(3);
      expect(server.asked).toHaveLength(requests);
      expect(new Set(server.asked.filter(({ body }) => !body.n).map(({ body }) => body.seed)).size).toBe(3);
    }
  });

  it('tops up what a server leaves out that takes n but ignores it, and notices that at the probe', async () => {
    await using server = await testServer((asked, response, socket) =>
      friendly()({ ...asked, body: { ...asked.body, n: 1 } }, response, socket),
    );
    const { engine, sampler } = await sampling(server);
    await using _ = engine;
    expect(engine.capabilities.found.several.able).toBe(false);
    expect((await sampler.sample(request({ n: 4 }))).samples).toHaveLength(4);
    expect(server.asked).toHaveLength(4);
  });

  it('asks one by one at temperature 0, where several are refused as one certain answer', async () => {
    await using server = await testServer();
    const { engine, sampler } = await sampling(server);
    await using _ = engine;
    await sampler.sample(request({ n: 2, temperature: 0 }));
    expect(server.asked.map(({ body }) => body.n)).toEqual([undefined, undefined]);
  });

  it('takes ids and log-probs where they are given, prompt included', async () => {
    await using server = await testServer();
    const logprobs = {
      content: [
        { token: 'a', logprob: -0.5 },
        { token: 'b', logprob: 0 },
      ],
    };
    server.reply = ({ path, body }, response) => {
      if (path.endsWith('/models')) return send(response, 200, { data: [] });
      const given = { ...(body.logprobs ? { logprobs } : {}), ...(body.return_token_ids ? { token_ids: [5, 6] } : {}) };
      const ids = body.return_token_ids ? { prompt_token_ids: [1, 2, 3] } : {};
      return send(response, 200, chat([choice('ab', given)], ids));
    };
    const { engine, sampler } = await sampling(server);
    await using _ = engine;
    const { prompt, samples } = await sampler.sample(request());
    expect(prompt).toEqual(Int32Array.of(1, 2, 3));
    expect(samples[0]).toMatchObject({ tokens: Int32Array.of(5, 6), logprobs: Float32Array.of(-0.5, 0) });
    expect(server.asked[0]!.body).toMatchObject({ logprobs: true, return_token_ids: true });
  });

  it('shows tools to the server and takes the calls it has parsed', async () => {
    await using server = await testServer();
    const call = { id: 'x', type: 'function', function: { name: 'ring', arguments: '{"times":2}' } };
    server.reply = ({ path, body }, response) =>
      path.endsWith('/models')
        ? send(response, 200, { data: [{ id: 'm' }] })
        : send(response, 200, chat([choice('', { message: { content: null, tool_calls: body.tools ? [call] : [] } })]));
    const { engine, sampler } = await sampling(server);
    await using _ = engine;
    const tools = [{ name: 'ring', description: 'Rings.', parameters: { type: 'object' } }];
    const { samples } = await sampler.sample(request({ tools }));
    expect(samples[0]).toMatchObject({ text: '', toolCalls: [{ name: 'ring', args: { times: 2 } }] });
    expect(server.asked[0]!.body.tools).toEqual([{ type: 'function', function: tools[0] }]);
  });

  it('writes tools into the prompt where a server refuses them', async () => {
    await using server = await testServer((asked, response, socket) =>
      asked.body.tools
        ? send(response, 400, { message: '"auto" tool choice requires --enable-auto-tool-choice' })
        : friendly()(asked, response, socket),
    );
    const { engine, sampler } = await sampling(server);
    await using _ = engine;
    expect(engine.describe()).toContain('tools are written into the prompt');
    await sampler.sample(request({ tools: [{ name: 'ring', description: 'Rings.', parameters: {} }] }));
    expect(server.asked[0]!.body.tools).toBeUndefined();
    expect(JSON.stringify(server.asked[0]!.body.messages)).toContain('<tool_call>');
  });

  it('speaks to a completions endpoint', async () => {
    await using server = await testServer();
    const { engine, sampler } = await sampling(server, { mode: 'completions' });
    await using _ = engine;
    const { samples } = await sampler.sample(request({ n: 2 }));
    expect(samples.map(({ text }) => text)).toEqual(['one two three', 'one two three']);
    expect(server.asked[0]).toMatchObject({ path: '/v1/completions', body: { prompt: 'Count to three.', n: 2 } });
  });

  it('uses the newer name of the token limit where the old one is refused', async () => {
    await using server = await testServer((asked, response, socket) =>
      asked.body.max_tokens
        ? send(response, 400, { error: { message: "Use 'max_completion_tokens' instead." } })
        : friendly()(asked, response, socket),
    );
    const { engine, sampler } = await sampling(server);
    await using _ = engine;
    await sampler.sample(request());
    expect(server.asked[0]!.body).toMatchObject({ max_completion_tokens: 16 });
    expect(engine.describe()).toContain('max_completion_tokens');
  });

  it('sends further fields and headers, and takes out fields that are set to null', async () => {
    await using server = await testServer();
    const { engine, sampler } = await sampling(server, {
      extra: { min_p: 0.1, temperature: null },
      headers: { 'x-team': 'blue' },
      seed: false,
    });
    await using _ = engine;
    await sampler.sample(request({ topP: 0.9, topK: 5, stop: ['.'] }));
    const [{ body, headers }] = server.asked as [(typeof server.asked)[0]];
    expect(body).toMatchObject({ min_p: 0.1, top_p: 0.9, top_k: 5, stop: ['.'] });
    expect(body).not.toHaveProperty('temperature');
    expect(body).not.toHaveProperty('seed');
    expect(headers['x-team']).toBe('blue');
  });

  it('adds up tokens and cost', async () => {
    await using server = await testServer();
    const { engine, sampler } = await sampling(server, { inputPrice: 2, outputPrice: 10 });
    await using _ = engine;
    for (let i = 0; i < 5; i++) await sampler.sample(request({ n: 2 }));
    const spent = engine.usage();
    expect(spent).toMatchObject({ samples: 10, promptTokens: 50, completionTokens: 30, estimated: 0, retries: 0 });
    expect(spent.cost).toBeCloseTo((50 * 2 + 30 * 10) / 1e6, 12);
  });

  it('says what it cannot know: without usage tokens are estimated and counted as such', async () => {
    await using server = await testServer((asked, response, socket) =>
      asked.path.endsWith('/chat/completions')
        ? send(response, 200, { choices: [choice('12345678')] })
        : friendly()(asked, response, socket),
    );
    const { engine, sampler } = await sampling(server);
    await using _ = engine;
    expect((await sampler.sample(request())).samples[0]!.tokens).toHaveLength(2);
    expect(engine.usage()).toMatchObject({ estimated: 1, completionTokens: 2 });
    expect(engine.describe()).toMatch(/counts tokens +no +tokens are estimated/);
  });

  it('is cancelled at once, whether a request is under way or still waiting', async () => {
    await using server = await testServer();
    const { engine, sampler } = await sampling(server, { startConcurrency: 1, maxConcurrency: 1 });
    await using _ = engine;
    server.reply = () => {};
    const cancel = new AbortController();
    const both = [1, 2].map((seed) => sampler.sample(request({ seed, signal: cancel.signal })));
    const ends = Promise.allSettled(both);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(engine.load()).toEqual({ inFlight: 1, waiting: 1, limit: 1 });
    cancel.abort(new Error('enough'));
    expect(await ends).toEqual([1, 2].map(() => ({ status: 'rejected', reason: new Error('enough') })));
    expect(engine.load()).toMatchObject({ inFlight: 0, waiting: 0 });
    server.reply = friendly();
    expect((await sampler.sample(request())).samples).toHaveLength(1);
  });
});

describe('the probe', () => {
  it('prints what was found as a table', async () => {
    await using server = await testServer((asked, response, socket) =>
      asked.path.endsWith('/v1/completions')
        ? send(response, 404, '404 page not found')
        : friendly()(asked, response, socket),
    );
    await using engine = await open(server);
    const rows = engine.describe().replaceAll(server.url, 'URL').split('\n');
    expect(rows).toEqual([
      'URL/v1  m  chat',
      '  lists its models         yes  and has this one',
      '  chat                     yes',
      expect.stringContaining('  completions              no   the server answered 404: 404 page not found'),
      '  tool calls               yes  accepted; the model called none when asked to',
      '  several samples at once  yes',
      '  log-probs                no   accepted, but none came',
      '  token ids                no   tokens are counted, not named; accepted, but none came',
      '  seeds                    yes  the same twice',
      '  counts tokens            yes',
    ]);
  });

  it('takes few requests', async () => {
    await using server = await testServer();
    await using _ = await open(server);
    expect(server.asked.length).toBeLessThanOrEqual(9);
  });

  it('names the models that are there where the one asked for is not', async () => {
    await using server = await testServer();
    const ids = ['a', 'b'].map((id) => ({ id }));
    server.reply = ({ path }, response) =>
      path.endsWith('/models')
        ? send(response, 200, { data: ids })
        : send(response, 404, { error: { message: 'The model `m` does not exist' } });
    await expect(open(server)).rejects.toThrow(/The model `m` does not exist\. Check url and model/);
  });

  it('ends soon where nobody listens, and says where it looked', async () => {
    const server = await testServer();
    await server[Symbol.asyncDispose]();
    await expect(open(server)).rejects.toThrow(
      /The server http:\/\/127\.0\.0\.1:\d+\/v1: the connection failed: .*ECONNREFUSED.* Is it running/,
    );
  });

  it('ends with the reason where the first words are refused', async () => {
    await using server = await testServer(({ path }, response) =>
      path.endsWith('/models')
        ? send(response, 200, { data: [] })
        : send(response, 400, { detail: 'no chat template' }),
    );
    await expect(open(server)).rejects.toMatchObject({ name: 'EngineStopped', message: /400: no chat template/ });
  });

  it('counts the usage of samples only', async () => {
    await using server = await testServer();
    await using engine = await open(server);
    expect(engine.usage()).toMatchObject({ samples: 0, completionTokens: 0 });
  });
});

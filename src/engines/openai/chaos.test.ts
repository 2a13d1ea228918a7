/** Any schedule of faults: every sample is the one that an undisturbed server would have given, each taken once. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openAiEngine } from './engine.ts';
import { chat, choice, ENV, fastClock, type Reply, request, send, testServer } from './fixtures.ts';

const FAULTS: Record<string, Reply> = {
  rateLimit: (_, response) => send(response, 429, {}, { 'retry-after': '2' }),
  loading: (_, response) => send(response, 503, { error: 'Loading model' }),
  crash: (_, response) => send(response, 500, { error: 'CUDA' }),
  gateway: (_, response) => send(response, 502, '<html>', { 'content-type': 'text/html' }),
  page: (_, response) => send(response, 200, '<html>'),
  hangUp: (_asked, _response, socket) => socket.destroy(),
  reset: (_asked, _response, socket) => socket.resetAndDestroy(),
  half: (_, response) => send(response, 200, '{"choices":[{"mess'),
  truncated: (_, response) => {
    response.writeHead(200, { 'content-length': '500' });
    response.write('{"choices":', () => response.socket?.destroy());
  },
  noChoices: (_, response) => send(response, 200, { choices: [] }),
  aborted: (_, response) => send(response, 200, chat([choice('half an', { finish_reason: 'abort' })])),
  wrongShape: (_, response) => send(response, 200, { choices: [{ message: { content: { a: 1 } } }] }),
};

/** The answer depends on the question alone. */
const honest: Reply = ({ path, body }, response) => {
  if (path.endsWith('/models')) return send(response, 200, { data: [{ id: 'm' }] });
  const n = Number(body.n ?? 1);
  const texts = Array.from({ length: n }, (_, i) => `${body.seed}/${i}`);
  return send(response, 200, chat(texts.map((text) => choice(text))));
};

it('samples what an undisturbed server gives, whatever happens in between', async () => {
  await using server = await testServer(honest);
  const options = server.options({ maxRetries: 60, maxOutageSeconds: 100_000 });
  await using engine = await openAiEngine(options, { env: ENV, clock: fastClock() });
  const sampler = await engine.sampler('agent');
  const schedules = fc.array(fc.option(fc.constantFrom(...Object.keys(FAULTS)), { freq: 2 }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(schedules, fc.integer({ min: 1, max: 12 }), async (schedule, count) => {
      const left = [...schedule];
      server.reply = (...args) => (FAULTS[left.shift() ?? ''] ?? honest)(...args);
      const before = engine.usage();
      const seeds = Array.from({ length: count }, (_, seed) => seed + 1);
      const completions = await Promise.all(seeds.map((seed) => sampler.sample(request({ seed, n: 2 }))));
      expect(completions.map(({ samples }) => samples.map(({ text }) => text))).toEqual(
        seeds.map((seed) => [`${seed}/0`, `${seed}/1`]),
      );
      expect(engine.usage().samples - before.samples).toBe(2 * count);
      expect(engine.load()).toMatchObject({ inFlight: 0, waiting: 0 });
    }),
    { numRuns: 200 },
  );
});

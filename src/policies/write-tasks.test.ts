import { describe, expect, it } from 'vitest';
import { toyBenchmark } from '../benchmarks/toy/index.ts';
import { TOY_SCRIPTS } from '../benchmarks/toy/scripts.ts';
import type { Sample, SampleRequest, Sampler } from '../core/engine.ts';
import type { Brief, WriteOptions } from '../core/players.ts';
import { createRng } from '../core/rng.ts';
import type { Task } from '../core/types.ts';
import { scriptedEngine } from '../engines/scripted/index.ts';
import { environmentContext } from './context.ts';
import { type WriterOptions, writer } from './write-tasks.ts';

const [seed] = (await toyBenchmark().base()) as [Task];
const brief = (slot: number, changes: Partial<Brief> = {}): Brief => ({
  slot,
  seed,
  count: 4,
  lineage: [],
  overall: undefined,
  target: { alpha: 0.5, kMin: 0.1 },
  ...changes,
});
const how = (changes: Partial<WriteOptions> = {}): WriteOptions => ({
  epoch: 2,
  author: 'environment',
  explorationShare: 0,
  rng: createRng('write'),
  signal: new AbortController().signal,
  ...changes,
});

/** An author that writes its own name and a number, so that it shows who wrote what. */
function author(name: string) {
  const requests: SampleRequest[] = [];
  const sampler: Sampler = {
    version: name,
    async sample(request) {
      requests.push(request);
      const samples = Array.from({ length: request.n }, (_, i): Sample => {
        const text = `{"prompt":"${name} ${request.seed} ${i}","eval":{"kind":"json","target":1}}`;
        return { text, tokens: Int32Array.of(i), logprobs: Float32Array.of(-i), stop: 'stop' };
      });
      return { prompt: Int32Array.of(7), samples };
    },
  };
  return { sampler, requests };
}

const options = (changes: Partial<WriterOptions> = {}): WriterOptions => ({
  reference: author('first').sampler,
  benchmark: {},
  concurrency: 2,
  temperature: 0.9,
  maxTokens: 50,
  ...changes,
});

describe('writing variations', () => {
  it('gives every brief its count, numbered <epoch>.<slot>.<variation>, in the order of the briefs', async () => {
    const { sampler, requests } = author('now');
    const { write } = writer(options(), () => sampler);
    const written = await write([brief(3), brief(1, { count: 2 })], how());
    expect(written.map((g) => g.id)).toEqual(['2.3.0', '2.3.1', '2.3.2', '2.3.3', '2.1.0', '2.1.1']);
    expect(requests.map(({ n, maxTokens, temperature, tools }) => [n, maxTokens, temperature, tools])).toEqual([
      [4, 50, 0.9, []],
      [2, 50, 0.9, []],
    ]);
    expect(requests[0]!.seed).not.toBe(requests[1]!.seed);
  });

  it('records who wrote it, from what, as which tokens, and the task with its lineage', async () => {
    const { sampler } = author('now');
    const [, second] = await writer(options(), () => sampler).write([brief(0)], how());
    expect(second).toMatchObject({
      epoch: 2,
      seedId: seed.id,
      author: 'environment',
      context: environmentContext(brief(0)),
      verdict: { kind: 'accepted' },
      task: { seedId: seed.id, rootId: seed.id, origin: 'generated', epoch: 2 },
    });
    expect(second!.turn).toEqual({ prompt: Int32Array.of(7), tokens: Int32Array.of(1), logprobs: Float32Array.of(-1) });
  });

  it('marks what a teacher wrote', async () => {
    const { sampler } = author('teacher');
    const [first] = await writer(options(), () => sampler).write([brief(0)], how({ author: 'teacher' }));
    expect(first).toMatchObject({ author: 'teacher', task: { origin: 'teacher' } });
  });

  it('lets the simulator as it was at the start write its share, exact on average', async () => {
    const { write } = writer(options(), () => author('now').sampler);
    const briefs = Array.from({ length: 1000 }, (_, slot) => brief(slot));
    const written = await write(briefs, how({ explorationShare: 0.1 }));
    const explored = written.filter((g) => g.author === 'initial');
    expect(written).toHaveLength(4000);
    // 0.1 of 4 is 0 or 1 a brief, 1 with probability 0.4: four standard deviations are 62.
    expect(Math.abs(explored.length - 400)).toBeLessThan(62);
    for (const { text, author: by } of written) expect(text.includes('"first ')).toBe(by === 'initial');
    expect(new Set(written.map((g) => g.id)).size).toBe(4000);
  });

  it('explores never at share 0 and always at share 1', async () => {
    const { write } = writer(options(), () => author('now').sampler);
    const authors = async (explorationShare: number) =>
      new Set((await write([brief(0), brief(1)], how({ explorationShare }))).map((g) => g.author));
    expect(await authors(0)).toEqual(new Set(['environment']));
    expect(await authors(1)).toEqual(new Set(['initial']));
  });

  it('writes the same whatever runs beside it', async () => {
    const engine = scriptedEngine({ scripts: TOY_SCRIPTS, checkpoints: '' });
    const reference = await engine.reference('environment');
    const sampler = await engine.sampler('environment');
    const briefs = Array.from({ length: 12 }, (_, slot) => brief(slot));
    const write = (concurrency: number, some: Brief[]) =>
      writer(options({ concurrency, reference, benchmark: toyBenchmark() }), () => sampler).write(
        some,
        how({ explorationShare: 0.3 }),
      );
    const one = await write(1, briefs);
    expect(await write(16, briefs)).toEqual(one);
    expect([...(await write(2, briefs.slice(0, 5))), ...(await write(2, briefs.slice(5)))]).toEqual(one);
  });

  it('uses the benchmark for its prompt and its reading where it has its own', async () => {
    const { sampler, requests } = author('now');
    const context = [{ role: 'user' as const, content: 'Make one up.' }];
    const own = writer(
      options({ benchmark: { context: () => context, read: () => ({ problem: 'no' }) } }),
      () => sampler,
    );
    const [first] = await own.write([brief(0)], how());
    expect(requests[0]!.messages).toBe(context);
    expect(first).toMatchObject({ context, task: null, verdict: { reason: 'benchmark', detail: 'no' } });
    expect(own.context(brief(0))).toBe(context);
  });
});

describe('an engine in trouble', () => {
  it('that refuses leaves as many rejected generations as were asked for, with its reason', async () => {
    const refuse: Sampler = { version: 'v', sample: () => Promise.reject(new Error('503 overloaded')) };
    const written = await writer(options(), () => refuse).write([brief(0)], how({ explorationShare: 0.25 }));
    expect(written.map((g) => g.id)).toEqual(['2.0.0', '2.0.1', '2.0.2', '2.0.3']);
    const failed = written.filter((g) => g.author === 'environment');
    expect(failed).toHaveLength(3);
    for (const generation of failed) {
      expect(generation).toMatchObject({
        text: '',
        task: null,
        verdict: { kind: 'rejected', reason: 'error', detail: '503 overloaded' },
      });
      expect(generation.turn.tokens).toHaveLength(0);
    }
    expect(written.find((g) => g.author === 'initial')!.verdict.kind).toBe('accepted');
  });

  it('that returns too few leaves the rest rejected', async () => {
    const { sampler } = author('now');
    const few: Sampler = { version: 'v', sample: (request) => sampler.sample({ ...request, n: 1 }) };
    const written = await writer(options(), () => few).write([brief(0, { count: 3 })], how());
    expect(written.map((g) => (g.verdict.kind === 'rejected' ? g.verdict.detail : 'accepted'))).toEqual([
      'accepted',
      'the engine returned fewer samples than were asked for',
      'the engine returned fewer samples than were asked for',
    ]);
  });

  it('that cut a generation off has it recorded as truncated, tokens and all', async () => {
    const engine = scriptedEngine({ scripts: TOY_SCRIPTS, checkpoints: '' });
    const sampler = await engine.sampler('environment');
    const [first] = await writer(options({ maxTokens: 2 }), () => sampler).write([brief(0)], how());
    expect(first).toMatchObject({ task: null, verdict: { reason: 'truncated' } });
    expect(first!.turn.tokens).toHaveLength(2);
  });

  it('is left alone when the run is cancelled: nothing is recorded', async () => {
    const controller = new AbortController();
    const { sampler, requests } = author('now');
    const cancelling: Sampler = {
      version: 'v',
      sample(request) {
        controller.abort(new Error('stopped'));
        request.signal!.throwIfAborted();
        return sampler.sample(request);
      },
    };
    const { write } = writer(options({ concurrency: 1 }), () => cancelling);
    await expect(write([brief(0)], how({ signal: controller.signal }))).rejects.toThrow('stopped');
    expect(requests).toHaveLength(0);
  });
});

import { appendFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TOY_SCRIPTS } from '../../benchmarks/toy/scripts.ts';
import { type ConfigInput, loadConfig } from '../../config.ts';
import type { Datum, SampleRequest, TrainingEngine } from '../../core/engine.ts';
import { createRunFolder, play } from '../../run.ts';
import { digest } from '../../store/index.ts';
import { scriptedEngine } from '../scripted/index.ts';
import { RecordingError, recordingEngine, replayEngine } from './index.ts';
import { callKey, decode, encode } from './recording.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'genenv-replay-'));
const scripted = () => scriptedEngine({ scripts: TOY_SCRIPTS, checkpoints: folder() });

const request = (seed: number): SampleRequest => ({
  messages: [{ role: 'user', content: 'Ring the red bell 3 times.' }],
  tools: [],
  n: 2,
  maxTokens: 10,
  temperature: 1,
  seed,
});

/** Everything that can be asked of an engine, once. */
async function askAll(engine: TrainingEngine) {
  const trainer = await engine.trainer('agent');
  const reference = await engine.reference('agent');
  const answers: unknown[] = [await (await engine.sampler('agent')).sample(request(1))];
  const prompt = await trainer.encode(request(1).messages, []);
  const data: Datum[] = [
    {
      tokens: Int32Array.of(...prompt, 1, 0, 1),
      weights: Float32Array.of(...prompt.map(() => 0), 1, 1, 1),
      advantages: new Float32Array(prompt.length + 3).fill(0.3),
    },
  ];
  answers.push(prompt, await reference.logprobs(data), await reference.sample(request(2)), await trainer.forward(data));
  for (let step = 0; step < 3; step++) {
    answers.push(
      await trainer.forwardBackward(data, { kind: 'crossEntropy' }),
      await trainer.optimStep({ learningRate: 0.1 }),
    );
  }
  const published = await trainer.publish('agent-1');
  answers.push(published.version, await published.sample(request(1)), await trainer.save('agent-1'));
  return answers;
}

async function record(path: string): Promise<unknown[]> {
  await using engine = recordingEngine(scripted(), path);
  return await askAll(engine);
}

describe('a recording', () => {
  it('answers everything that was asked with exactly what was answered', async () => {
    const path = join(folder(), 'calls.jsonl');
    const recorded = await record(path);
    expect(recorded).toEqual(await askAll(scripted()));
    await using engine = await replayEngine(path);
    expect(await askAll(engine)).toEqual(recorded);
  });

  it('gives the next answer to a question asked again, then the last one for ever', async () => {
    const path = join(folder(), 'calls.jsonl');
    await record(path);
    const trainer = await (await replayEngine(path)).trainer('agent');
    const norms: number[] = [];
    for (let i = 0; i < 5; i++) norms.push((await trainer.optimStep({ learningRate: 0.1 })).gradNorm);
    expect(new Set(norms.slice(0, 3)).size).toBe(3);
    expect(norms.slice(2)).toEqual([norms[2], norms[2], norms[2]]);
  });

  it('does not know the answer to a question that was never asked, and says so', async () => {
    const path = join(folder(), 'calls.jsonl');
    await record(path);
    const engine = await replayEngine(path);
    const message = /no answer to this sample of the agent: replay the configuration it was made with/;
    await expect((await engine.sampler('agent')).sample(request(99))).rejects.toThrow(message);
    await expect((await engine.sampler('agent')).sample({ ...request(1), temperature: 0 })).rejects.toThrow(message);
    const published = await (await engine.trainer('agent')).publish('agent-9');
    await expect(published.sample(request(1))).rejects.toThrow(message);
    await expect((await engine.sampler('environment')).sample(request(1))).rejects.toThrow('of the environment');
  });

  it('is not there: the error names it and how to make one', async () => {
    await expect(replayEngine('/nowhere/calls.jsonl')).rejects.toThrow(
      new RecordingError('There is no recording /nowhere/calls.jsonl. Make one with engine.record.'),
    );
  });

  it('cut short at any byte still answers with all that is whole', async () => {
    const path = join(folder(), 'calls.jsonl');
    await record(path);
    const bytes = readFileSync(path);
    const whole = readFileSync(path, 'utf8').trimEnd().split('\n').length;
    const [first] = await askAll(await replayEngine(path));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: bytes.length }), async (length) => {
        const cut = join(folder(), 'cut.jsonl');
        writeFileSync(cut, bytes.subarray(0, length));
        const lines = bytes.subarray(0, length).toString('utf8').split('\n').length - 1;
        const engine = await replayEngine(cut);
        const sampled = (await engine.sampler('agent')).sample(request(1));
        // The first line says that there is a teacher, the second is the first answer.
        if (lines >= 2) expect(await sampled).toEqual(first);
        else
          await sampled
            .then((answer) => expect(answer).toEqual(first))
            .catch((error) => expect(error.message).toContain('no answer'));
        expect(lines).toBeLessThanOrEqual(whole);
      }),
      { numRuns: 40 },
    );
  });

  it('that ends in half a line is continued on a line of its own', async () => {
    const path = join(folder(), 'calls.jsonl');
    appendFileSync(path, '{"key":"abc","answer":{"prompt":{"$int');
    const { teacher: _, ...plain } = scripted();
    const engine = recordingEngine(plain, path);
    const recorded = await askAll(engine);
    await engine[Symbol.asyncDispose]();
    expect(await askAll(await replayEngine(path))).toEqual(recorded);
  });

  it('whose half line ends in a brace is no answer', async () => {
    const path = join(folder(), 'calls.jsonl');
    const { signal: _, ...question } = request(1);
    writeFileSync(path, `{"key":"${callKey('agent', 'sample', ['agent-initial', question])}","answer":{"prompt":{}`);
    const engine = await replayEngine(path);
    await expect((await engine.sampler('agent')).sample(request(1))).rejects.toThrow('no answer');
  });

  it('is the same question with and without a signal to cancel it', async () => {
    const path = join(folder(), 'calls.jsonl');
    await record(path);
    const sampler = await (await replayEngine(path)).sampler('agent');
    const signal = new AbortController().signal;
    expect(await sampler.sample({ ...request(1), signal })).toEqual(await sampler.sample(request(1)));
  });

  it('that cannot be made is an error before anything is asked', () => {
    expect(() => recordingEngine(scripted(), '/nowhere/calls.jsonl')).toThrow(
      /The recording \/nowhere\/calls.jsonl cannot be written: ENOENT.*Check engine.record\./,
    );
  });

  it.skipIf(!existsSync('/dev/full'))(
    'on a full disk does not disturb the run, and is reported when it ends',
    async () => {
      const engine = recordingEngine(scripted(), '/dev/full');
      const answers = await askAll(engine);
      expect(answers).toEqual(await askAll(scripted()));
      await expect(engine[Symbol.asyncDispose]()).rejects.toThrow(/The recording \/dev\/full is incomplete: ENOSPC/);
    },
  );
});

describe('a whole run', () => {
  const small: ConfigInput = {
    engine: 'scripted',
    epochs: 2,
    benchmark: { name: 'toy', baseTasks: 6 },
    generation: { seedsPerEpoch: 4 },
    evaluation: { tasks: 4 },
    curriculum: { rollouts: 4 },
  };
  const run = async (overrides: ConfigInput) => {
    const { config } = loadConfig({ overrides: { ...small, ...overrides } });
    const at = join(folder(), 'run');
    createRunFolder(at, config);
    const signal = new AbortController().signal;
    for await (const _ of play(at, config, { stop: signal, signal }));
    return digest(at);
  };

  it.each(['genenv', 'teacher-offline'] as const)(
    'of %s is recorded undisturbed and replayed without its models',
    async (variant) => {
      const path = join(folder(), 'calls.jsonl');
      const plain = await run({ variant });
      expect(await run({ variant, engine: { kind: 'scripted', record: path } })).toBe(plain);
      expect(await run({ variant, engine: { kind: 'replay', recording: path } })).toBe(plain);
    },
  );
});

describe('the format', () => {
  it('keeps ids and log-probs bit for bit, wherever they are', () => {
    fc.assert(
      fc.property(fc.int32Array(), fc.float32Array(), (ids, logprobs) => {
        const shifted = new Int32Array(Int32Array.of(9, ...ids).buffer, 4);
        const value = { a: [{ ids: shifted }], logprobs, text: 'ü\n😀', none: null };
        const back = decode(encode(value)) as typeof value;
        expect(back.a[0]!.ids).toEqual(Int32Array.from(ids));
        expect(new Uint32Array(back.logprobs.buffer)).toEqual(new Uint32Array(logprobs.slice().buffer));
        expect(back).toMatchObject({ text: 'ü\n😀', none: null });
      }),
    );
  });

  it('names a question by its content, not by the order of its fields', () => {
    expect(callKey('agent', 'sample', { a: 1, b: [2] })).toBe(callKey('agent', 'sample', { b: [2], a: 1 }));
    const keys = [
      callKey('agent', 'sample', { a: 1 }),
      callKey('environment', 'sample', { a: 1 }),
      callKey('agent', 'forward', { a: 1 }),
      callKey('agent', 'sample', { a: 2 }),
      callKey('agent', 'sample', Int32Array.of(1)),
      callKey('agent', 'sample', Float32Array.of(1)),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });
});

/** A server as part of a run: it writes the tasks, fails in between, and leaves no trace of its key. */
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toyBenchmark } from '../../benchmarks/toy/index.ts';
import { TOY_SCRIPTS } from '../../benchmarks/toy/scripts.ts';
import { type ConfigInput, loadConfig } from '../../config.ts';
import type { Message } from '../../core/types.ts';
import { openSampling } from '../../open-engine.ts';
import { createRunFolder, play, type TrainEvent } from '../../run.ts';
import { digest } from '../../store/index.ts';
import { scriptedEngine } from '../scripted/index.ts';
import { chat, choice, KEY, type Reply, request, send, testServer } from './fixtures.ts';

const folder = () => join(mkdtempSync(join(tmpdir(), 'genenv-openai-')), 'run');
const never = new AbortController().signal;

beforeAll(() => {
  process.env.GENENV_TEST_KEY = KEY;
});
afterAll(() => {
  delete process.env.GENENV_TEST_KEY;
});

/** The toy world's untrained simulator behind the protocol: the same question has the same answer. */
async function simulator(): Promise<Reply> {
  const sampler = await scriptedEngine({ scripts: TOY_SCRIPTS, checkpoints: folder() }).sampler('environment');
  return async ({ path, headers, body }, response) => {
    if (headers.authorization !== `Bearer ${KEY}`) return send(response, 401, { error: { message: 'No.' } });
    if (path.endsWith('/models')) return send(response, 200, { data: [{ id: 'm' }] });
    if (!Array.isArray(body.messages)) return send(response, 404, {});
    const known = body.messages.length > 1 || String(body.messages[0]?.content).length > 60;
    if (!known) return send(response, 200, chat([choice('One, two.')]));
    const { samples } = await sampler.sample(
      request({ messages: body.messages as Message[], n: Number(body.n ?? 1), seed: Number(body.seed) }),
    );
    return send(response, 200, chat(samples.map(({ text }) => choice(text))));
  };
}

const configOf = (url: string, more: ConfigInput = {}) =>
  loadConfig({
    overrides: {
      engine: 'scripted',
      variant: 'genenv-random',
      epochs: 2,
      benchmark: { name: 'toy', baseTasks: 6 },
      generation: { seedsPerEpoch: 4 },
      evaluation: { tasks: 4 },
      curriculum: { rollouts: 4 },
      writer: { url, model: 'm', keyEnv: 'GENENV_TEST_KEY', inputPrice: 1, outputPrice: 2 },
      ...more,
    },
  }).config;

async function run(at: string, config: ReturnType<typeof configOf>) {
  if (!existsSync(at)) createRunFolder(at, config);
  const events: TrainEvent[] = [];
  for await (const event of play(at, config, { stop: never, signal: never })) events.push(event);
  return events;
}

/** The last words of a run. */
const summaryOf = (events: TrainEvent[]) => events.find((event) => event.type === 'summary')!;

const filesIn = (at: string): string[] =>
  readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe('a server that writes the tasks', () => {
  it.each(['genenv-random', 'genenv-static', 'teacher-offline'] as const)(
    'of %s is paid for and leaves no key behind',
    async (variant) => {
      await using server = await testServer(await simulator());
      const at = folder();
      const events = await run(at, configOf(server.url, { variant }));
      const { writer, ledger } = summaryOf(events);
      expect(ledger.generations).toBeGreaterThan(0);
      expect(ledger.rejectedGenerations).toBeLessThan(ledger.generations / 2);
      expect(writer!.requests).toBeGreaterThan(8);
      expect(writer!.cost).toBeCloseTo((writer!.promptTokens + 2 * writer!.completionTokens) / 1e6, 9);
      for (const file of filesIn(at)) expect(readFileSync(file).includes(KEY), file).toBe(false);
      expect(JSON.stringify(events)).not.toContain(KEY);
    },
  );

  it('may stumble: the run ends as if nothing had happened', async () => {
    const good = await simulator();
    await using server = await testServer(good);
    const config = configOf(server.url);
    const undisturbed = folder();
    await run(undisturbed, config);

    const faults: Reply[] = [
      (_, response) => send(response, 429, {}, { 'retry-after': '0' }),
      (_asked, _response, socket) => socket.destroy(),
      (_, response) => send(response, 200, '<html>'),
    ];
    let turn = 0;
    server.reply = (...args) => {
      const fault = ++turn % 7 === 0 ? faults.pop() : undefined;
      return (fault ?? good)(...args);
    };
    const disturbed = folder();
    await run(disturbed, config);
    expect(faults).toHaveLength(0);
    expect(digest(disturbed)).toBe(digest(undisturbed));
  });

  it('that takes the key away in the middle stops the run, which is resumed with nothing lost', async () => {
    const good = await simulator();
    await using server = await testServer(good);
    const config = configOf(server.url);
    const undisturbed = folder();
    const whole = summaryOf(await run(undisturbed, config));

    let left = 14;
    server.reply = (asked, response, socket) =>
      left-- > 0 ? good(asked, response, socket) : send(response, 401, { error: { message: `Key ${KEY} expired` } });
    const at = folder();
    const error = await run(at, config).catch((reason) => reason);
    expect(error).toMatchObject({ name: 'EngineStopped', message: /set the environment variable GENENV_TEST_KEY/ });
    expect(String(error)).not.toContain(KEY);

    server.reply = good;
    const resumed = summaryOf(await run(at, config));
    expect(digest(at)).toBe(digest(undisturbed));
    expect(resumed.ledger).toEqual(whole.ledger);
    expect(resumed.writer!.requests).toBeGreaterThan(8);
  });

  it('is not needed any more once a fixed set stands', async () => {
    const server = await testServer(await simulator());
    const at = folder();
    const config = configOf(server.url, { variant: 'genenv-static', epochs: 1 });
    await run(at, config);
    await server[Symbol.asyncDispose]();
    expect(summaryOf(await run(at, { ...config, epochs: 2 }))).toMatchObject({ status: 'finished', epochs: 2 });
  });

  it('is refused where the simulator is trained, with what to do instead', () => {
    expect(() => configOf('http://localhost:1', { variant: 'genenv' })).toThrow(
      /writer\.url names a server in place of the simulator.* Use the variant genenv-random, genenv-static or teacher-offline, or remove writer/,
    );
    expect(configOf('http://localhost:1', { variant: 'base' }).variant).toBe('base');
  });
});

describe('a server as the engine', () => {
  const { config } = loadConfig({
    overrides: { engine: { kind: 'openai', url: 'http://localhost:1', model: 'org/m' }, benchmark: { name: 'toy' } },
  });

  it('cannot train, which is said before a folder is made', async () => {
    const at = folder();
    expect(() => createRunFolder(at, config)).toThrow(/engine\.kind openai only samples.*genenv eval.*under writer/);
    expect(existsSync(at)).toBe(false);
    await expect(play(at, config, { stop: never, signal: never }).next()).rejects.toThrow('only samples');
  });

  it('has models by name, not by path', () => {
    expect(config.engine).toMatchObject({ model: 'org/m', keyEnv: 'OPENAI_API_KEY', mode: 'chat' });
  });

  it('is opened for sampling, as any other engine is', async () => {
    await using server = await testServer(await simulator());
    const kinds: ConfigInput['engine'][] = [
      { kind: 'openai', url: server.url, model: 'm', keyEnv: 'GENENV_TEST_KEY' },
      'scripted',
    ];
    for (const engine of kinds) {
      const { config: each } = loadConfig({ overrides: { engine, benchmark: { name: 'toy' } } });
      await using opened = await openSampling(each, { benchmark: toyBenchmark() });
      const sampler = await opened.sampler('agent');
      const [task] = await toyBenchmark().base();
      const { samples } = await sampler.sample(request({ messages: task!.prompt, n: 2, maxTokens: 100 }));
      expect(samples).toHaveLength(2);
    }
  });
});

describe('the settings of a server', () => {
  const problem = (writer: object) => {
    try {
      configOf('http://localhost:1', { writer: { url: 'http://localhost:1', model: 'm', ...writer } });
    } catch (error) {
      return String((error as Error).message);
    }
    return '';
  };

  it('never repeat a key that stands in the wrong place', () => {
    for (const keyEnv of [KEY, 'hf_abcdef', '']) {
      expect(problem({ keyEnv })).toContain(
        'must be the name of an environment variable in capitals, not the key itself',
      );
      expect(problem({ keyEnv })).not.toContain(keyEnv || KEY);
    }
    const url = `https://user:${KEY}@host/v1`;
    expect(problem({ url })).toContain('must be an http or https address without user, key or query');
    expect(problem({ url })).not.toContain(KEY);
    expect(problem({ headers: { Authorization: `Bearer ${KEY}` } })).toContain('write Authorization: $NAME_OF_IT');
    expect(problem({ headers: { Authorization: `Bearer ${KEY}` } })).not.toContain(KEY);
  });

  it.each([
    [{ url: 'localhost:8000' }, 'writer.url must be an http or https address'],
    [{ url: 'http://h/?key=1' }, 'writer.url must be an http or https address'],
    [{ headers: { a: 1 } }, 'writer.headers must be a mapping of header names to text'],
    [{ headers: 'x' }, 'writer.headers must be a mapping (got "x")'],
    [{ mode: 'chta' }, 'Did you mean "chat"?'],
    [{ maxConcurrency: 0 }, 'writer.maxConcurrency must be at least 1'],
  ])('%o are refused with what is wrong', (writer, message) => {
    expect(problem(writer)).toContain(message);
  });

  it('are needed in full', () => {
    expect(() => loadConfig({ overrides: { variant: 'genenv-static', writer: { model: 'm' } } })).toThrow(
      'writer.url is needed: Address of an OpenAI-compatible server',
    );
  });
});

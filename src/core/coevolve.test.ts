import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toyBenchmark, toyDraft } from '../benchmarks/toy/index.ts';
import { TOY_SCRIPTS } from '../benchmarks/toy/scripts.ts';
import { scriptedEngine } from '../engines/scripted/index.ts';
import { agentPolicy } from '../policies/agent.ts';
import { environmentPolicy } from '../policies/environment.ts';
import { writer } from '../policies/write-tasks.ts';
import { createRun, digest, openJournal, openReader, type RunReader } from '../store/index.ts';
import { coevolve, type Game } from './coevolve.ts';
import type { Sample, Sampler } from './engine.ts';
import { ENV_UPDATES } from './env-update.ts';
import type { RunEvent } from './events.ts';
import type { Journal } from './journal.ts';
import { createRng } from './rng.ts';
import type { Task } from './types.ts';
import { VARIANTS, type VariantName } from './variants.ts';

interface Setting {
  variant?: VariantName;
  concurrency?: number;
  /** Stands in for what the environment writes, or for what the agent answers. */
  writes?: Sampler;
  answers?: Sampler;
  update?: keyof typeof ENV_UPDATES;
  base?: Task[];
  game?: Partial<Game>;
}

/** A small game in a run folder, put together from real parts as a new process would. */
async function open(folder: string, journal: Journal, setting: Setting = {}): Promise<Game> {
  const { variant = 'genenv', concurrency = 4, writes, answers, update = 'rwr', base } = setting;
  const benchmark = toyBenchmark({ baseTasks: 4, validationTasks: 3, testTasks: 2 });
  const engine = scriptedEngine({ scripts: TOY_SCRIPTS, checkpoints: join(folder, 'checkpoints') });
  const signal = new AbortController().signal;
  const agentTrainer = await engine.trainer('agent');
  const agent = await agentPolicy({
    trainer: answers ? { ...agentTrainer, publish: async () => answers } : agentTrainer,
    reference: await engine.reference('agent'),
    benchmark,
    limits: { maxTokens: 100, maxTurns: 1, tokenBudget: 100, successThreshold: 'auto' },
    concurrency,
    optimizer: { learningRate: 0.05 },
    advantage: 'grpo',
    clipLow: 0.2,
    clipHigh: 0.2,
    klCoef: 0.001,
  });
  const trainer = await engine.trainer('environment');
  const reference = await engine.reference('environment');
  const writing = {
    benchmark,
    concurrency,
    temperature: 1,
    maxTokens: 100,
    reference: writes ? { ...reference, ...writes } : reference,
  };
  const environment = await environmentPolicy({
    ...writing,
    trainer: writes ? { ...trainer, publish: async () => writes } : trainer,
    optimizer: { learningRate: 0.5 },
    loss: { kind: 'crossEntropy', klCoef: 0.02 },
    maxKl: 2,
  });
  return {
    run: 'test',
    epochs: 2,
    rng: createRng(7),
    journal,
    agent,
    environment,
    teacher: writer(writing, () => engine.teacher()),
    base: async () => base ?? (await benchmark.base()),
    validation: () => benchmark.validation(),
    test: () => benchmark.test!(),
    envUpdate: ENV_UPDATES[update],
    curriculum: {
      alpha: 0.5,
      kMin: 0.1,
      beta: 4,
      lambda: 1,
      reward: 'bandMass',
      filter: 'soft',
      minKept: 0.25,
      quota: 1,
      successScope: 'task',
      shrinkage: 2,
    },
    draw: {
      variant: VARIANTS[variant],
      variations: 2,
      seedsPerEpoch: 6,
      baseShare: 0.2,
      replayShare: 0.1,
      evolveSeeds: true,
      historyEpochs: 3,
      target: { alpha: 0.5, kMin: 0.1 },
      fixedSetSize: (n) => Math.round(n * (variant === 'teacher-offline' ? 1.76 : 5)),
    },
    rollouts: { count: 4, temperature: 1 },
    generation: { explorationShare: 0.3 },
    agentBatches: { size: 4, passes: 1, maxStaleness: 1, reuseShare: 0.5 },
    envBatches: { size: 4, passes: 1, probes: 3 },
    evaluation: { every: 1, tasks: 'all', count: 2, temperature: 1, test: true },
    stepSize: 4,
    stop: signal,
    signal,
    ...setting.game,
  };
}

function newRun(): string {
  const folder = mkdtempSync(join(tmpdir(), 'genenv-coevolve-'));
  createRun(folder, {});
  return folder;
}

/** Plays a run until it ends or is stopped; `wrap` may get between the loop and its journal. */
async function play(folder: string, setting: Setting = {}, wrap = (journal: Journal): Journal => journal) {
  using journal = openJournal(folder, { now: () => 0 });
  const events: RunEvent[] = [];
  for await (const event of coevolve(await open(folder, wrap(journal), setting))) events.push(event);
  return events;
}

interface Played extends Disposable {
  folder: string;
  events: RunEvent[];
  run: RunReader;
}

async function whole(setting: Setting = {}): Promise<Played> {
  const folder = newRun();
  const events = await play(folder, setting);
  const run = openReader(folder);
  return { folder, events, run, [Symbol.dispose]: () => run[Symbol.dispose]() };
}

const digestOf = async (setting: Setting) => {
  using played = await whole(setting);
  return digest(played.folder);
};

/** The state that every disturbed run must end in. */
let undisturbed: Promise<string> | undefined;
const expectedDigest = () => {
  undisturbed ??= digestOf({});
  return undisturbed;
};

class Killed extends Error {}

/** Dies at the n-th commit: before it or right after it. */
const dyingAt =
  (n: number, when: 'before' | 'after') =>
  (journal: Journal): Journal => {
    let commits = 0;
    return {
      ...journal,
      commit(at, writes) {
        commits++;
        if (commits === n && when === 'before') throw new Killed();
        journal.commit(at, writes);
        if (commits === n) throw new Killed();
      },
    };
  };

describe('the events of a run', () => {
  it('are a start, every phase of every epoch in the order of Algorithm 1, and an end', async () => {
    using played = await whole({ game: { stepSize: 100, epochs: 1 } });
    const { run } = played;
    const told = played.events.map((event) => {
      switch (event.type) {
        case 'phase':
        case 'progress':
          return `${event.epoch} ${event.phase} ${event.done}/${event.units}`;
        case 'epoch':
          return `epoch ${event.epoch}`;
        default:
          return event.type;
      }
    });
    const once = (place: string) => [`${place} 0/1`, `${place} 1/1`];
    const fresh = [...run.written(1)].length;
    const attempts = [...run.outcomes(1)].length;
    expect(told).toEqual([
      'start',
      ...once('0 prepare'),
      '0 generate 0/0',
      '0 generate 0/0',
      '0 evaluate 0/3',
      '0 evaluate 3/3',
      ...once('0 aggregate'),
      'epoch 0',
      '1 generate 0/4',
      '1 generate 4/4',
      `1 rollout 0/${attempts}`,
      `1 rollout ${attempts}/${attempts}`,
      ...once('1 score'),
      ...once('1 updateAgent'),
      ...once('1 updateEnv'),
      '1 evaluate 0/5',
      '1 evaluate 5/5',
      ...once('1 aggregate'),
      'epoch 1',
      'end',
    ]);
    expect(fresh).toBeGreaterThan(0);
    expect(attempts).toBe(fresh + 2);
    expect(played.events[0]).toEqual({ type: 'start', run: 'test', resumed: false, epoch: 0, epochs: 1 });
    expect(played.events.at(-1)).toEqual({ type: 'end', run: 'test', status: 'finished', epoch: 1 });
  });

  it('give the numbers of each epoch, held-out success from before the first', async () => {
    using played = await whole();
    const { run } = played;
    const epochs = played.events.filter((e) => e.type === 'epoch');
    expect(epochs.map((e) => e.epoch)).toEqual([0, 1, 2]);
    const told = Object.keys(epochs[0]!.metrics).filter((key) => !key.startsWith('ledger/'));
    expect(told).toEqual(['val/responseTokens', 'val/reward', 'val/successRate']);
    for (const { metrics } of epochs.slice(1)) {
      for (const key of [
        'env/successRate',
        'env/usefulShare',
        'env/successSpread',
        'env/diversity',
        'env/kl',
        'agent/reward',
        'agent/steps',
        'val/successRate',
      ])
        expect(metrics).toHaveProperty([key]);
    }
    const { ledger } = epochs[2]!;
    expect(ledger).toEqual(run.ledger());
    expect(ledger).toMatchObject({ generations: 18, validationRollouts: 22, invalidRollouts: 0 });
  });
});

describe('after a run', () => {
  it('both pools hold what the epochs left: judged tasks, and kept generations with their weights', async () => {
    using played = await whole();
    const { run } = played;
    const outcomes = [1, 2].flatMap((epoch) => [...run.outcomes(epoch)]);
    const agent = [...run.pool('agent')];
    expect(new Set(agent.map((e) => e.memberId))).toEqual(new Set(outcomes.map((o) => o.taskId)));
    const kept = [1, 2].flatMap((epoch) => [...run.scores(epoch)].filter((s) => s.kept));
    expect([...run.pool('environment')].map(({ memberId, weight }) => [memberId, weight])).toEqual(
      kept.map((s) => [s.generationId, s.weight]),
    );
    expect(kept.length).toBeGreaterThan(0);
  });

  it('every score follows from the attempts at its task', async () => {
    using played = await whole({ game: { epochs: 1 } });
    const { run } = played;
    const rates = new Map([...run.outcomes(1, 'fresh')].map((o) => [o.taskId, o]));
    const seeds = new Map<string | null, { successes: number; attempts: number }>();
    for (const o of rates.values()) {
      const sum = seeds.get(o.seedId) ?? { successes: 0, attempts: 0 };
      seeds.set(o.seedId, { successes: sum.successes + o.successes, attempts: sum.attempts + o.attempts });
    }
    const scores = [...run.scores(1)];
    expect(scores.map((s) => s.generationId)).toEqual([...run.generationHeads(1)].map((h) => h.id));
    for (const { taskId, successRate, kept, weight } of scores) {
      const own = taskId === null ? undefined : rates.get(taskId);
      if (!own) {
        expect([successRate, kept, weight]).toEqual([0, false, 0]);
        continue;
      }
      // Two attempts' worth of the seed's mean, as set.
      const seed = seeds.get(own.seedId)!;
      const expected = (own.successes + (2 * seed.successes) / seed.attempts) / (own.attempts + 2);
      expect(successRate).toBeCloseTo(expected, 12);
    }
  });

  it('only the last checkpoint of each player is left on disk', async () => {
    using played = await whole();
    const { run } = played;
    const left = readdirSync(join(played.folder, 'checkpoints')).sort();
    expect(left).toEqual([`${run.checkpoint('agent')!.ref}.json`, `${run.checkpoint('environment')!.ref}.json`]);
    expect(left).toEqual(['agent-2.json', 'environment-2.json']);
  });

  it('a task is attempted at most once an epoch', async () => {
    using played = await whole({ game: { epochs: 3 } });
    const { run } = played;
    for (const epoch of [1, 2, 3]) {
      const ids = [...run.outcomes(epoch)].map((o) => o.taskId);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  it('playing it again changes nothing and ends at once', async () => {
    using played = await whole();
    const before = digest(played.folder);
    const events = await play(played.folder);
    expect(events.map((e) => e.type)).toEqual(['start', 'epoch', 'end']);
    expect(events[0]).toMatchObject({ resumed: true, epoch: 2 });
    expect(digest(played.folder)).toBe(before);
  });

  it('more epochs can follow', async () => {
    // Without the test split, which a run that ended twice would have been judged on twice.
    const evaluation = { every: 1, tasks: 'all', count: 2, temperature: 1, test: false } as const;
    using played = await whole({ game: { evaluation } });
    const events = await play(played.folder, { game: { evaluation, epochs: 3 } });
    expect(events.at(-1)).toMatchObject({ status: 'finished', epoch: 3 });
    expect(await digestOf({ game: { evaluation, epochs: 3 } })).toBe(digest(played.folder));
  });
});

describe('the same state comes of', () => {
  it('any concurrency and any size of step', async () => {
    const expected = await expectedDigest();
    for (const [concurrency, stepSize] of [
      [1, 1],
      [16, 3],
      [2, 1000],
    ] as const) {
      expect(await digestOf({ concurrency, game: { stepSize } })).toBe(expected);
    }
    expect(await digestOf({ game: { rng: createRng(8) } })).not.toBe(expected);
  });

  // Takes a few seconds: the run is killed twice at each of its commits, and finished each time.
  it.each(['before', 'after'] as const)('a run killed %s any one of its commits and resumed', async (when) => {
    const expected = await expectedDigest();
    for (let n = 1; ; n++) {
      const folder = newRun();
      const died = await play(folder, {}, dyingAt(n, when)).then(
        () => false,
        (error: unknown) => {
          if (!(error instanceof Killed)) throw error;
          return true;
        },
      );
      if (!died) {
        expect(n).toBeGreaterThan(20);
        break;
      }
      const [start] = await play(folder);
      expect(start).toMatchObject({ type: 'start', resumed: n > 1 || when === 'after' });
      expect(digest(folder), `killed ${when} commit ${n}`).toBe(expected);
    }
  });

  it('a run killed again and again, at every second commit', async () => {
    const folder = newRun();
    let lives = 0;
    for (let isOver = false; !isOver; lives++) {
      isOver = await play(folder, {}, dyingAt(2, 'before')).then(
        () => true,
        () => false,
      );
    }
    expect(lives).toBeGreaterThan(10);
    expect(digest(folder)).toBe(await expectedDigest());
  });

  it('a run cancelled inside a step, which is abandoned at once', async () => {
    const folder = newRun();
    const controller = new AbortController();
    const events: RunEvent[] = [];
    const cancelled = async () => {
      using journal = openJournal(folder, { now: () => 0 });
      for await (const event of coevolve(await open(folder, journal, { game: { signal: controller.signal } }))) {
        events.push(event);
        if (event.type === 'progress' && event.epoch === 1 && event.phase === 'rollout')
          controller.abort(new Error('stop now'));
      }
    };
    await expect(cancelled()).rejects.toThrow('stop now');
    expect(events.at(-1)).toMatchObject({ type: 'progress', phase: 'rollout', done: 4 });
    await play(folder);
    expect(digest(folder)).toBe(await expectedDigest());
  });

  it('a run stopped politely: the step is finished and committed, and the run says where', async () => {
    const folder = newRun();
    const stop = new AbortController();
    const stopAt = async (epoch: number, phase: string) => {
      using journal = openJournal(folder, { now: () => 0 });
      const events: RunEvent[] = [];
      for await (const event of coevolve(await open(folder, journal, { game: { stop: stop.signal } }))) {
        events.push(event);
        if (event.type === 'phase' && event.epoch === epoch && event.phase === phase) stop.abort();
      }
      return { events, cursor: journal.cursor()! };
    };
    const { events, cursor } = await stopAt(1, 'rollout');
    expect(events.slice(-2).map((e) => e.type)).toEqual(['progress', 'end']);
    expect(events.at(-1)).toEqual({ type: 'end', run: 'test', status: 'stopped', epoch: 1 });
    expect(cursor).toMatchObject({ epoch: 1, phase: 'rollout', done: 4 });
    await play(folder);
    expect(digest(folder)).toBe(await expectedDigest());
  });
});

describe('the variants', () => {
  const generations = (run: RunReader, epoch: number) => [...run.generationHeads(epoch)].length;

  it('genenv writes every epoch and trains the environment', async () => {
    using played = await whole();
    const { run } = played;
    expect([0, 1, 2].map((epoch) => generations(run, epoch))).toEqual([0, 8, 10]);
    expect(run.checkpoint('environment')!.ref).toBe('environment-2');
    expect(run.metrics(1)).toHaveProperty(['env/steps']);
  });

  it('genenv-random writes every epoch and never trains the environment', async () => {
    using played = await whole({ variant: 'genenv-random' });
    const { run } = played;
    expect([0, 1, 2].map((epoch) => generations(run, epoch))).toEqual([0, 8, 8]); // Base seeds only, and there are four.
    expect(run.checkpoint('environment')!.ref).toBe('environment-0');
    expect(run.checkpoint('agent')!.ref).toBe('agent-2');
    expect(run.metrics(1)).not.toHaveProperty(['env/steps']);
  });

  it('genenv-static writes five variations of each base task before training, and never again', async () => {
    using played = await whole({ variant: 'genenv-static' });
    const { run } = played;
    expect([0, 1, 2].map((epoch) => generations(run, epoch))).toEqual([20, 0, 0]);
    const perSeed = new Map<string, number>();
    for (const { seedId } of run.generationHeads(0)) perSeed.set(seedId, (perSeed.get(seedId) ?? 0) + 1);
    expect([...perSeed.values()]).toEqual([5, 5, 5, 5]);
    expect(run.checkpoint('environment')!.ref).toBe('environment-0');
    expect(new Set([...run.outcomes(1)].map((o) => o.role))).toEqual(new Set(['base', 'fixed']));
    expect(run.metrics(1)).toHaveProperty(['env/successRate']);
  });

  it('teacher-offline has the teacher alone write 1.76 times the base set, once', async () => {
    using played = await whole({ variant: 'teacher-offline' });
    const { run } = played;
    expect([0, 1, 2].map((epoch) => generations(run, epoch))).toEqual([7, 0, 0]);
    const authors = [...run.generationHeads(0)].map(({ id }) => run.generation(id)!.author);
    expect(new Set(authors)).toEqual(new Set(['teacher']));
  });

  it('base writes nothing and attempts base tasks only', async () => {
    using played = await whole({ variant: 'base' });
    const { run } = played;
    expect([0, 1, 2].map((epoch) => generations(run, epoch))).toEqual([0, 0, 0]);
    expect(new Set([...run.outcomes(2)].map((o) => o.role))).toEqual(new Set(['base']));
    expect(run.ledger()).toMatchObject({ generations: 0, environmentTokens: 0, tasks: 4 });
    expect(run.checkpoint('agent')!.ref).toBe('agent-2');
  });

  it.each(['genenv-static', 'teacher-offline', 'base', 'genenv-random'] as const)(
    'of %s survive a kill in the middle too',
    async (variant) => {
      const expected = await digestOf({ variant });
      for (const n of [2, 4, 7, 12]) {
        const folder = newRun();
        await expect(play(folder, { variant }, dyingAt(n, 'before'))).rejects.toThrow(Killed);
        await play(folder, { variant });
        expect(digest(folder)).toBe(expected);
      }
    },
  );

  it.each(['grpo', 'hindsight'] as const)('trained by %s run, and survive a kill', async (update) => {
    const expected = await digestOf({ update });
    expect(expected).not.toBe(await expectedDigest());
    const folder = newRun();
    await expect(play(folder, { update }, dyingAt(15, 'before'))).rejects.toThrow(Killed);
    await play(folder, { update });
    expect(digest(folder)).toBe(expected);
  });
});

describe('when things go wrong the run still finishes, with the reasons on record', () => {
  const sampler = (text: (seed: number, i: number) => string): Sampler => ({
    version: 'stand-in',
    async sample({ n, seed }) {
      const samples = Array.from({ length: n }, (_, i): Sample => {
        return { text: text(seed, i), tokens: Int32Array.of(1), logprobs: Float32Array.of(-0.1), stop: 'stop' };
      });
      return { prompt: Int32Array.of(1, 0), samples };
    },
  });
  const notes = (events: RunEvent[]) => events.flatMap((e) => (e.type === 'note' ? [`${e.epoch} ${e.kind}`] : []));
  const rejections = (run: RunReader, epoch: number) => [...run.generationHeads(epoch)].map((h) => h.rejected);

  it('an environment that only writes noise', async () => {
    using played = await whole({ writes: sampler((seed, i) => `noise ${seed} ${i}`) });
    const { run } = played;
    expect(played.events.at(-1)).toMatchObject({ status: 'finished' });
    expect(new Set([...rejections(run, 1), ...rejections(run, 2)])).toEqual(new Set(['notJson']));
    expect(run.metrics(1)).toMatchObject({ 'env/rejectedShare': 1, 'env/keptShare': 0 });
    expect(run.metrics(1)).not.toHaveProperty(['env/successRate']);
    expect(notes(played.events)).toContain('1 noSignal');
    expect(run.ledger()).toMatchObject({ generations: 18, rejectedGenerations: 18 });
    expect([...run.outcomes(1)].every((o) => o.role === 'base')).toBe(true);
  });

  it('an environment whose engine is down', async () => {
    const down: Sampler = { version: 'down', sample: () => Promise.reject(new Error('503')) };
    using played = await whole({ writes: down });
    const { run } = played;
    expect(played.events.at(-1)).toMatchObject({ status: 'finished' });
    expect(new Set(rejections(run, 2))).toEqual(new Set(['error']));
    expect(run.generation('2.0.0')!.verdict).toEqual({ kind: 'rejected', reason: 'error', detail: '503' });
  });

  it('an agent whose engine is down: no task is judged, the generated ones are quarantined', async () => {
    const down: Sampler = { version: 'down', sample: () => Promise.reject(new Error('503')) };
    using played = await whole({ answers: down });
    const { run } = played;
    expect(played.events.at(-1)).toMatchObject({ status: 'finished' });
    const fresh = [...run.outcomes(1, 'fresh')];
    expect(fresh.length).toBeGreaterThan(3);
    for (const { taskId, attempts, invalid } of fresh) {
      expect([attempts, invalid]).toEqual([0, 4]);
      expect(run.passport(taskId)?.quarantine).toMatchObject({ reason: 'no rollout of it could be evaluated' });
    }
    expect(run.metrics(1)).toMatchObject({ 'rollout/invalidShare': 1, 'env/keptShare': 0 });
    expect(notes(played.events)).toEqual(['1 noSignal', '1 noSignal', '2 noSignal', '2 noSignal']);
    expect([...run.pool('agent')]).toEqual([]);
    const { rollouts, invalidRollouts } = run.ledger();
    expect(invalidRollouts).toBe(rollouts);
    expect(run.checkpoint('agent')!.ref).toBe('agent-0');
  });

  it('an agent that always succeeds: nothing to learn, nothing in the band', async () => {
    const perfect: Sampler = {
      version: 'perfect',
      async sample({ messages, n }) {
        const { eval: spec } = toyDraft(messages[0]!.content);
        const text = JSON.stringify(spec.kind === 'toolCalls' ? spec.target : []);
        return {
          prompt: Int32Array.of(0),
          samples: Array.from({ length: n }, () => ({
            text,
            tokens: Int32Array.of(1),
            logprobs: Float32Array.of(0),
            stop: 'stop' as const,
          })),
        };
      },
    };
    using played = await whole({ answers: perfect });
    const { run } = played;
    expect(run.metrics(2)).toMatchObject({
      'env/successRate': 1,
      'env/solvedShare': 1,
      'env/usefulShare': 0,
      'agent/steps': 0,
    });
    expect(notes(played.events)).toEqual(['1 noSignal', '2 noSignal']);
  });

  it('an empty base set', async () => {
    using played = await whole({ base: [] });
    const { run } = played;
    expect(played.events.at(-1)).toMatchObject({ status: 'finished', epoch: 2 });
    expect(notes(played.events)).toEqual(['1 noSignal', '1 noSignal', '2 noSignal', '2 noSignal']);
    expect(run.ledger()).toMatchObject({ tasks: 0, rollouts: 0, generations: 0 });
    expect(run.metrics(2)).toHaveProperty(['val/successRate']);
  });

  it('one task written over and over: one of each epoch counts, however the steps are cut', async () => {
    const same = JSON.stringify(toyDraft('Ring the glass bell 5 times.'));
    const digests: string[] = [];
    for (const stepSize of [1, 100]) {
      using played = await whole({ writes: sampler(() => same), game: { stepSize } });
      const { run } = played;
      for (const epoch of [1, 2]) {
        expect(rejections(run, epoch).filter((r) => r === null)).toHaveLength(1);
        expect(rejections(run, epoch).filter((r) => r === 'duplicate')).toHaveLength(7);
      }
      digests.push(digest(played.folder));
    }
    const killed = newRun();
    const setting = { writes: sampler(() => same), game: { stepSize: 1 } };
    const isMidGeneration = (journal: Journal) => journal.cursor()?.phase === 'generate' && journal.cursor()!.epoch > 0;
    const dying = (journal: Journal): Journal => ({
      ...journal,
      commit(at, writes) {
        journal.commit(at, writes);
        if (isMidGeneration(journal)) throw new Killed();
      },
    });
    for (let isOver = false; !isOver; ) {
      isOver = await play(killed, setting, dying).then(
        () => true,
        () => false,
      );
    }
    digests.push(digest(killed));
    expect(new Set(digests).size).toBe(1);
  });

  it.each(['validation', 'test'] as const)('a %s task written as a new one: it is not trained on', async (split) => {
    const [held] = (await toyBenchmark()[split]!()) as [Task];
    const { prompt, tools, eval: spec } = held;
    using played = await whole({ writes: sampler(() => JSON.stringify({ prompt, tools, eval: spec })) });
    const { run } = played;
    expect(new Set([...rejections(run, 1), ...rejections(run, 2)])).toEqual(new Set(['copy']));
    for (const epoch of [1, 2]) expect([...run.outcomes(epoch)].map((o) => o.taskId)).not.toContain(held.id);
  });

  it("a base that cannot be read is the caller's to know, and nothing is committed", async () => {
    const folder = newRun();
    const failing: Setting = { game: { base: () => Promise.reject(new Error('seeds.jsonl:3  not JSON')) } };
    await expect(play(folder, failing)).rejects.toThrow('seeds.jsonl:3  not JSON');
    using run = openReader(folder);
    expect(run.cursor()).toBeUndefined();
  });
});

it('held-out tasks are attempted when it is time, and at the end in any case', async () => {
  using played = await whole({
    game: { epochs: 5, evaluation: { every: 2, tasks: 2, count: 1, temperature: 0, test: true } },
  });
  const { run } = played;
  const evaluated = [0, 1, 2, 3, 4, 5].map((epoch) => [...run.outcomes(epoch, 'validation')].length);
  expect(evaluated).toEqual([2, 0, 2, 0, 2, 2]);
  const tested = [0, 1, 2, 3, 4, 5].map((epoch) => [...run.outcomes(epoch, 'test')].length);
  expect(tested).toEqual([0, 0, 0, 0, 0, 2]);
});

describe('the test split', () => {
  it('is measured once, and changes nothing that anybody learns', async () => {
    const played = async (test: boolean) => {
      using with_ = await whole({ game: { evaluation: { every: 1, tasks: 'all', count: 2, temperature: 1, test } } });
      const { run } = with_;
      const states = run.checkpoints().map(({ player, sha256 }) => `${player} ${sha256}`);
      const [last, before] = [run.metrics(2), run.metrics(1)];
      return { states, pool: [...run.pool('agent')], last, before };
    };
    const [tested, untested] = [await played(true), await played(false)];
    expect(tested.states).toEqual(untested.states);
    expect(tested.pool).toEqual(untested.pool);
    expect(tested.last).toHaveProperty('test/successRate');
    expect(tested.last).toHaveProperty('test/reward');
    expect(tested.before).not.toHaveProperty('test/successRate');
    expect(untested.last).not.toHaveProperty('test/successRate');
    expect(tested.last['val/successRate']).toBe(untested.last['val/successRate']);
  });

  it('adds to what held-out tasks cost, and to nothing else', async () => {
    using played = await whole();
    const { run } = played;
    const spent = (epoch: number) => run.metrics(epoch)['ledger/validationRollouts']!;
    expect([0, 1, 2].map(spent)).toEqual([6, 12, 22]);
    expect(run.metrics(2)['ledger/rollouts']).toBe(run.ledger().rollouts);
    expect(run.metrics(1)['ledger/tasks']).toBeLessThan(run.ledger().tasks);
  });
});

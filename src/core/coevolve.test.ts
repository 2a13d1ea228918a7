import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { digest, type RunReader } from '../store/index.ts';
import { digestOf, play, whole } from './fixtures.ts';

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

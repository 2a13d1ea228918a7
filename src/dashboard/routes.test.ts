import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostileRun, judgedRun, playRun, tempFolder } from '../fixtures.ts';
import { openJournal } from '../store/index.ts';
import type {
  BatchPage,
  BinnedSeries,
  ComparePage,
  EpochPage,
  GenerationView,
  LiveUpdate,
  MetricList,
  Overview,
  PassportPage,
  PoolPage,
  RejectionPage,
  RolloutPage,
  RunList,
  TaskListPage,
  TokenTexts,
  VotePage,
} from './api.ts';
import { HOSTILE } from './fixtures.ts';
import { routes } from './routes.ts';
import { openRunIndex, type RunIndex } from './run-index.ts';

let index: RunIndex;
let folder: string;

beforeAll(async () => {
  folder = tempFolder();
  await playRun(join(folder, 'otter'), { epochs: 3 });
  await playRun(join(folder, 'halted'), { seed: 2, variant: 'genenv-random', epochs: 3, stopAt: '1 epoch' });
  await playRun(join(folder, 'pair', 'genenv-7'), { seed: 7, epochs: 1 });
  writeFileSync(join(folder, 'pair', 'compare.json'), '{}');
  hostileRun(join(folder, 'hostile'), HOSTILE);
  mkdirSync(join(folder, 'broken'));
  writeFileSync(join(folder, 'broken', 'run.sqlite'), 'this is no database, only some text that is long enough');
  index = openRunIndex(folder);
}, 60_000);
afterAll(() => index[Symbol.dispose]());

const request = (path: string) =>
  routes({ index, assets: new Map(), host: '127.0.0.1' }).request(path, { headers: { host: 'localhost' } });
async function get<T>(path: string): Promise<T> {
  const answer = await request(path);
  expect(answer.status, path).toBe(200);
  return (await answer.json()) as T;
}
const aTask = async (search: string) => (await get<TaskListPage>(`/api/runs/otter/tasks?${search}`)).tasks[0]!;

describe('the list of runs', () => {
  it('has every run, those of comparisons by their path, and says why one can not be read', async () => {
    const { runs } = await get<RunList>('/api/runs');
    expect(runs.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'broken unreadable',
      'halted stopped',
      'hostile finished',
      'otter finished',
      'pair/genenv-7 finished',
    ]);
    expect(runs[0]).toMatchObject({ reason: expect.stringContaining('damaged') });
    expect(runs[3]).toMatchObject({ variant: 'genenv', engine: 'scripted', epochs: { done: 3, of: 3 }, seed: 1 });
  });

  it('is empty where the folder is missing', async () => {
    using none = openRunIndex(join(folder, 'nowhere'));
    const answer = await routes({ index: none, assets: new Map(), host: 'localhost' }).request('/api/runs', {
      headers: { host: 'localhost' },
    });
    expect(await answer.json()).toMatchObject({ runs: [] });
  });
});

describe('the overview', () => {
  it('counts in every epoch what the metrics say of it', async () => {
    const { head, epochs } = await get<Overview>('/api/runs/otter/overview');
    expect(head).toMatchObject({ id: 'otter', status: 'finished', maxKl: 2 });
    expect(epochs.map(({ epoch }) => epoch)).toEqual([0, 1, 2, 3]);
    for (const { metrics, facts } of epochs.slice(1)) {
      const judged = facts!.tasks.filter(([, n]) => n > 0);
      const sum = (of: (row: [number, number, number]) => number) => judged.reduce((total, row) => total + of(row), 0);
      expect(sum(([k, , tasks]) => k * tasks) / sum(([, n, tasks]) => n * tasks)).toBeCloseTo(
        metrics['env/successRate']!,
      );
      expect(facts!.kept / facts!.scored).toBeCloseTo(metrics['env/keptShare']!);
      const all = Object.values(facts!.verdicts).reduce((a, b) => a + b, 0);
      expect(1 - facts!.verdicts.accepted! / all).toBeCloseTo(metrics['env/rejectedShare']!);
    }
  });

  it('of a run in a comparison is found by its encoded path', async () => {
    expect((await get<Overview>('/api/runs/pair%2Fgenenv-7/overview')).head.seed).toBe(7);
  });

  it('says what the store says of a damaged run', async () => {
    const answer = await request('/api/runs/broken/overview');
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ error: expect.stringContaining('damaged') });
  });

  it('of a run that is just being made is not there yet', async () => {
    mkdirSync(join(folder, 'newborn'));
    writeFileSync(join(folder, 'newborn', 'run.sqlite'), '');
    expect((await request('/api/runs/newborn/overview')).status).toBe(404);
    rmSync(join(folder, 'newborn'), { recursive: true });
  });
});

describe('live updates', () => {
  it('come from rows that another writer commits', async () => {
    await playRun(join(folder, 'growing'), { epochs: 1 });
    const answer = await request('/api/runs/growing/live?from=0');
    const reader = answer.body!.getReader();
    const text = new TextDecoder();
    let buffer = '';
    const next = async (): Promise<LiveUpdate> => {
      for (;;) {
        const match = /event: update\ndata: (.*)\n/.exec(buffer);
        if (match) {
          buffer = buffer.slice(match.index + match[0].length);
          return JSON.parse(match[1]!);
        }
        buffer += text.decode((await reader.read()).value, { stream: true });
      }
    };
    expect((await next()).head.status).toBe('finished');
    using journal = openJournal(join(folder, 'growing'), { now: Date.now });
    journal.commit(
      { epoch: 2, phase: 'aggregate', done: 1, units: 1 },
      {
        metrics: [{ key: 'env/successRate', epoch: 2, step: 0, value: 0.5 }],
        notes: [{ kind: 'odd', epoch: 2, detail: 'x' }],
      },
    );
    let update = await next();
    while (!update.epochs.some(({ epoch }) => epoch === 2)) update = await next();
    expect(update.epochs.find(({ epoch }) => epoch === 2)?.metrics).toEqual({ 'env/successRate': 0.5 });
    expect(update.head.status).toBe('running');
    await reader.cancel();
  });
});

describe('from a point to the reason', () => {
  it('an epoch has batches, a batch has variations, a variation has a passport and rollouts', async () => {
    const page = await get<EpochPage>('/api/runs/otter/epochs/2');
    const batch = page.batches.find(({ tasks }) => tasks > 0)!;
    const { variations } = await get<BatchPage>(`/api/runs/otter/epochs/2/batches/${batch.seedId}`);
    const judged = variations.filter(({ attempts }) => attempts !== null);
    expect(judged.reduce((sum, { successes }) => sum + successes!, 0)).toBe(batch.successes);
    expect(variations).toHaveLength(batch.generations);
    const passport = await get<PassportPage>(`/api/runs/otter/tasks/${judged[0]!.taskId}`);
    expect(passport.relatives.line.map(({ id }) => id)).toEqual([...new Set([batch.seedId, judged[0]!.taskId])]);
    const rollouts = await get<RolloutPage>(`/api/runs/otter/tasks/${judged[0]!.taskId}/rollouts?epoch=2`);
    expect(rollouts.traces).toHaveLength(4);
    expect(rollouts.traces[0]!.turns[0]!.tokens).toHaveLength(rollouts.traces[0]!.turns[0]!.logprobs.length);
    const generation = await get<GenerationView>(`/api/runs/otter/generations/${judged[0]!.generationId}`);
    expect(generation.taskId).toBe(judged[0]!.taskId);
  });

  it('what is not there is said to be missing', async () => {
    for (const path of [
      'epochs/99',
      'epochs/1/batches/t-none',
      'tasks/t-none',
      'tasks/t-none/rollouts',
      'generations/9.9.9',
    ]) {
      const answer = await request(`/api/runs/otter/${path}`);
      expect(answer.status, path).toBe(404);
      expect(await answer.json()).toMatchObject({ error: expect.any(String) });
    }
  });
});

describe('the list of tasks', () => {
  it('is filtered by text, difficulty, verdict, epoch, origin and shape', async () => {
    const list = async (search: string) => (await get<TaskListPage>(`/api/runs/otter/tasks?${search}`)).tasks;
    const { id, words, structure } = await aTask('origin=generated&epoch=2');
    expect((await list(`search=${id.slice(0, 12)}`)).map((task) => task.id)).toEqual([id]);
    expect((await list(`search=${encodeURIComponent(words!.toUpperCase())}`)).some((task) => task.id === id)).toBe(
      true,
    );
    const hard = await list('from=0&to=0');
    expect(hard.length).toBeGreaterThan(0);
    expect(hard.every(({ successes }) => successes === 0)).toBe(true);
    const kept = await list('verdict=kept');
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.every((task) => task.kept === 1)).toBe(true);
    expect((await list('verdict=filtered')).every((task) => task.kept === 0)).toBe(true);
    expect((await list('epoch=2&origin=generated')).every((task) => task.epoch === 2)).toBe(true);
    expect(
      (await list(`structure=${encodeURIComponent(structure)}`)).every((task) => task.structure === structure),
    ).toBe(true);
    expect(await list('search=%25%25%25')).toEqual([]);
  });

  it('comes in pages, newest first, without gap or repetition', async () => {
    const seen: number[] = [];
    let before = '';
    for (;;) {
      const { tasks, more } = await get<TaskListPage>(`/api/runs/otter/tasks?limit=50${before}`);
      seen.push(...tasks.map(({ row }) => row));
      if (!more) break;
      before = `&before=${tasks.at(-1)!.row}`;
    }
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => b - a));
    expect(seen.length).toBeGreaterThan(100);
  });

  it('refuses questions that make no sense, and says which part', async () => {
    for (const search of [
      'epoch=-1',
      'epoch=x',
      'verdict=nice',
      'from=2',
      'limit=100000',
      `search=${'x'.repeat(501)}`,
    ]) {
      const answer = await request(`/api/runs/otter/tasks?${search}`);
      expect(answer.status, search).toBe(400);
      expect(await answer.json()).toMatchObject({ error: expect.stringContaining(search.split('=')[0]!) });
    }
  });

  it('knows what was rejected, and why', async () => {
    const { rejections } = await get<RejectionPage>('/api/runs/hostile/rejections?reason=notJson');
    expect(rejections).toMatchObject([{ id: '1.0.1', reason: 'notJson' }]);
  });
});

describe('metrics', () => {
  it('are listed, and sent as series that a screen can show', async () => {
    const { metrics } = await get<MetricList>('/api/runs/otter/metrics');
    expect(metrics.find(({ key }) => key === 'agent/stepReward')).toMatchObject({ perStep: true });
    const [rate, none] = await get<BinnedSeries[]>('/api/runs/otter/series?key=env/successRate&key=no/such');
    expect(rate).toMatchObject({ epoch: [1, 2, 3], size: 1 });
    expect(none).toMatchObject({ points: 0, mean: [] });
  });

  it('pools grow to the size they have now', async () => {
    const { growth } = await get<PoolPage>('/api/runs/otter/pools');
    const { head } = await get<Overview>('/api/runs/otter/overview');
    const sum = (name: 'agent' | 'environment') => growth.reduce((total, row) => total + row[name], 0);
    expect({ agent: sum('agent'), environment: sum('environment') }).toEqual(head.pools);
  });
});

describe('comparing', () => {
  it('gives a metric of each run with its settings and what it had spent', async () => {
    const page = await get<ComparePage>('/api/compare?run=otter&run=halted&run=gone&key=env/successRate');
    expect(page.missing).toEqual(['gone']);
    expect(page.runs.map(({ id, settings }) => [id, settings.variant])).toEqual([
      ['otter', 'genenv'],
      ['halted', 'genenv-random'],
    ]);
    const { points } = page.runs[0]!;
    expect(points.map(({ epoch }) => epoch)).toEqual([1, 2, 3]);
    expect(points.every((point, i) => i === 0 || point.tokens > points[i - 1]!.tokens)).toBe(true);
  });
});

it('hostile text comes through as it is, as JSON', async () => {
  const { task, quarantine } = await get<PassportPage>('/api/runs/hostile/tasks/t-b1');
  expect(task.prompt[0]!.content).toBe(`${HOSTILE}\n${HOSTILE}`);
  expect(quarantine?.reason).toBe(HOSTILE);
  const search = encodeURIComponent("'; DROP TABLE tasks; --");
  const { tasks } = await get<TaskListPage>(`/api/runs/hostile/tasks?search=${search}`);
  expect(tasks).toHaveLength(2);
});

describe('the version of a comparison', () => {
  const version = async (...runs: string[]) =>
    (await get<{ version: string }>(`/api/compare/version?${runs.map((id) => `run=${id}`).join('&')}`)).version;

  it('changes with a commit of any of its runs, and only then', async () => {
    const before = await version('halted', 'otter');
    expect(await version('halted', 'otter')).toBe(before);
    {
      using journal = openJournal(join(folder, 'halted'), { now: () => 0 });
      const at = journal.cursor()!;
      journal.commit(at, { notes: [{ kind: 'test', epoch: at.epoch, detail: 'another look' }] });
    }
    const after = await version('halted', 'otter');
    expect(after).not.toBe(before);
    expect(await version('halted', 'otter')).toBe(after);
    expect(await version('nobody', 'broken')).toBe('gone; unreadable');
  });
});

describe('what a rollout is made of', () => {
  const calls = (name: string) => [{ name, args: {} }];
  beforeAll(() =>
    judgedRun(join(folder, 'judged'), [
      {
        id: 't-calls',
        spec: { kind: 'toolCalls', target: [{ name: 'ring', args: {} }] },
        ended: ['light', 'light', 'ring', 'light'].map((name) => ({
          answer: calls(name),
          reward: Number(name === 'ring'),
        })),
      },
      {
        id: 't-world',
        spec: { kind: 'world', world: 'room', goal: 'a lit lamp' },
        ended: [{ answer: 'done', reward: 0.5, terms: [{ name: 'the lamp is on', score: 0, detail: 'it is off' }] }],
      },
    ]),
  );

  it('has the text of its tokens where the run has a tokenizer, and a reason where not', async () => {
    const { texts } = await get<TokenTexts>('/api/runs/judged/tasks/t-calls/rollouts/text');
    expect(texts).toEqual(Array(4).fill(['ring', ' the', ' bell']));
    const { id } = await aTask('origin=generated');
    expect((await get<TokenTexts>(`/api/runs/otter/tasks/${id}/rollouts/text`)).why).toContain('scripted');
    const [written] = (await get<PassportPage>(`/api/runs/otter/tasks/${id}`)).generations;
    expect((await get<TokenTexts>(`/api/runs/otter/generations/${written!.id}/text`)).why).toContain('scripted');
    expect((await request('/api/runs/judged/tasks/nobody/rollouts/text')).status).toBe(404);
    expect((await request('/api/runs/judged/generations/9.9.9/text')).status).toBe(404);
  });

  it('has what the judge of a world said', async () => {
    const { traces } = await get<RolloutPage>('/api/runs/judged/tasks/t-world/rollouts');
    expect(traces[0]!.terms).toEqual([{ name: 'the lamp is on', score: 0, detail: 'it is off' }]);
  });

  it('is a vote, and votes against the label are told', async () => {
    const page = await get<VotePage>('/api/runs/judged/tasks/t-calls/votes');
    expect(page).toMatchObject({ answered: 4, silent: 0, others: 0, skipped: 0, against: { count: 3 } });
    expect(page.votes.map(({ answer, count, right }) => [answer, count, right])).toEqual([
      [calls('light'), 3, false],
      [calls('ring'), 1, true],
    ]);
    expect((await request('/api/runs/judged/tasks/nobody/votes')).status).toBe(404);
    expect(await get<VotePage>('/api/runs/hostile/tasks/t-b1/votes')).toMatchObject({ answered: 1, silent: 1 });
  });
});

import { describe, expect, it } from 'vitest';
import { toyBenchmark, toyDraft } from '../benchmarks/toy/index.ts';
import { digest, openReader, type RunReader } from '../store/index.ts';
import type { Sample, Sampler } from './engine.ts';
import type { RunEvent } from './events.ts';
import { Killed, newRun, play, type Setting, whole } from './fixtures.ts';
import type { Journal } from './journal.ts';
import type { Task } from './types.ts';

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

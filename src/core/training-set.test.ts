import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  at,
  newJournal,
  sampleGeneration,
  sampleGroup,
  sampleTask,
  sampleTrace,
  variation,
} from '../store/fixtures.ts';
import type { RunJournal } from '../store/index.ts';
import type { DrawSettings } from './draw.ts';
import { ENV_UPDATES } from './env-update.ts';
import type { EnvironmentPlayer } from './players.ts';
import { createRng } from './rng.ts';
import type { WeightedRecord } from './rwr.ts';
import { type AgentBatching, evenBatches, groupBatches, recordBatches } from './training-set.ts';
import type { Group, Message, Score } from './types.ts';
import { VARIANTS } from './variants.ts';

describe('evenBatches', () => {
  it('keeps every item once and in order, in batches that differ by at most one', () => {
    fc.assert(
      fc.property(fc.nat({ max: 300 }), fc.integer({ min: 1, max: 100 }), (count, size) => {
        const items = Array.from({ length: count }, (_, i) => i);
        const batches = evenBatches(items, size);
        expect(batches.flat()).toEqual(items);
        const sizes = batches.map((b) => b.length);
        if (count > 0) expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        expect(batches).toHaveLength(count === 0 ? 0 : Math.max(1, Math.round(count / size)));
      }),
    );
  });

  it('gives no last batch of one', () => {
    expect(evenBatches([1, 2, 3, 4, 5], 4)).toEqual([[1, 2, 3, 4, 5]]);
    expect(evenBatches([1, 2, 3, 4, 5, 6], 4).map((b) => b.length)).toEqual([3, 3]);
    expect(evenBatches([], 4)).toEqual([]);
  });
});

describe('what the agent learns from', () => {
  const how = (changes: Partial<AgentBatching> = {}): AgentBatching => ({
    size: 4,
    passes: 1,
    maxStaleness: 0,
    reuseShare: 0,
    ...changes,
  });

  /** Ten groups an epoch; the tokens of each say where it is from. Even ones have both outcomes, odd ones do not. */
  function fill(journal: RunJournal, epochs: number) {
    for (let epoch = 1; epoch <= epochs; epoch++) {
      const groups = Array.from({ length: 10 }, (_, i): Group => {
        const mark = Int32Array.of(epoch, i);
        const traces = [0, 1].map((index) =>
          sampleTrace(index, {
            reward: i % 2 === 0 ? index : 1,
            turns: [{ prompt: Int32Array.of(1), tokens: mark, logprobs: Float32Array.of(-1, -2) }],
          }),
        );
        return { epoch, role: i < 8 ? 'fresh' : 'replay', task: variation(`task-${i}`, 1), traces };
      });
      const held = { ...groups[0]!, role: 'validation' as const, task: sampleTask('held', { origin: 'validation' }) };
      journal.commit(at(epoch), { groups: [...groups, held] });
    }
  }
  const marks = (batches: Iterable<ReturnType<RunJournal['experience']>[]>) =>
    [...batches].map((batch) => batch.map((group) => [...group![0]!.turns[0]!.tokens].join('.')));

  it('are the groups of the epoch whose rewards differ, shuffled, every one once', () => {
    using journal = newJournal();
    fill(journal, 2);
    const batches = marks(groupBatches(journal, 2, how({ size: 3 }), createRng(1)));
    expect(batches.map((b) => b.length)).toEqual([2, 3]);
    expect(batches.flat().sort()).toEqual(['2.0', '2.2', '2.4', '2.6', '2.8']);
    expect(batches).toEqual(marks(groupBatches(journal, 2, how({ size: 3 }), createRng(1))));
    expect(batches).not.toEqual(marks(groupBatches(journal, 2, how({ size: 3 }), createRng(2))));
  });

  it('come in another order in every pass', () => {
    using journal = newJournal();
    fill(journal, 1);
    const [first, second] = marks(groupBatches(journal, 1, how({ size: 5, passes: 2 }), createRng(3)));
    expect(second).not.toEqual(first);
    expect(second!.toSorted()).toEqual(first!.toSorted());
  });

  it('include a share of older groups only where they may be stale, and never too old ones', () => {
    using journal = newJournal();
    fill(journal, 4);
    const epochsOf = (changes: Partial<AgentBatching>) =>
      marks(groupBatches(journal, 4, how({ size: 100, ...changes }), createRng(1)))
        .flat()
        .map((mark) => mark[0]);
    expect(new Set(epochsOf({ reuseShare: 1 }))).toEqual(new Set(['4']));
    const reused = epochsOf({ maxStaleness: 2, reuseShare: 0.4 });
    expect(reused).toHaveLength(7);
    expect(reused.filter((e) => e === '4')).toHaveLength(5);
    for (const epoch of epochsOf({ maxStaleness: 2, reuseShare: 1 })) expect(['2', '3', '4']).toContain(epoch);
    expect(epochsOf({ maxStaleness: 9, reuseShare: 1 })).toHaveLength(10);
  });

  it('are nothing when there is nothing', () => {
    using journal = newJournal();
    expect([...groupBatches(journal, 1, how({ maxStaleness: 3, reuseShare: 1 }), createRng(1))]).toEqual([]);
  });
});

describe('what the environment learns from', () => {
  const draw: DrawSettings = {
    variant: VARIANTS.genenv,
    variations: 4,
    seedsPerEpoch: 1,
    baseShare: 0,
    replayShare: 0,
    evolveSeeds: false,
    historyEpochs: 1,
    target: { alpha: 0.5, kMin: 0.1 },
    fixedSetSize: () => 0,
  };
  /** An environment that only has to say what it would be shown. */
  const environment = {
    context: ({ slot, target }): Message[] => [{ role: 'user', content: `slot ${slot}, about ${target.alpha}` }],
    encode: async (context: readonly Message[]) => Int32Array.from(context[0]!.content, (c) => c.charCodeAt(0)),
  } as Pick<EnvironmentPlayer, 'context' | 'encode'> as EnvironmentPlayer; // No update asks for more.

  const score = (generationId: string, weight: number, successRate = 0.5): Score => ({
    generationId,
    taskId: null,
    successRate,
    envReward: 1,
    kept: weight > 0,
    weight,
  });

  function open(
    weights: number[],
    update: keyof typeof ENV_UPDATES = 'rwr',
    envBatches = { size: 100, passes: 1, probes: 3 },
  ) {
    const journal = newJournal();
    const generations = weights.map((_, i) =>
      sampleGeneration(`1.${i}.0`, null, {
        context: [{ role: 'user', content: `context ${i}` }],
        turn: { prompt: Int32Array.of(i), tokens: Int32Array.of(100 + i), logprobs: Float32Array.of(-i) },
      }),
    );
    journal.commit(at(1), { tasks: [sampleTask('base-0')], generations });
    journal.commit(at(1, 2), { scores: weights.map((weight, i) => score(`1.${i}.0`, weight, i / 10)) });
    const seeds = () => weights.map((_, slot) => ({ slot, seedId: 'base-0', count: 1 }));
    const source = {
      journal,
      environment,
      envUpdate: ENV_UPDATES[update],
      curriculum: {
        alpha: 0.5,
        kMin: 0.1,
        beta: 1,
        lambda: 1,
        reward: 'bell',
        filter: 'none',
        minKept: 0,
        quota: 1,
      } as const,
      draw,
      envBatches,
    };
    return { journal, ...recordBatches(source, 1, seeds, createRng(1)) };
  }
  const read = async (batches: () => AsyncIterable<WeightedRecord[]>) => {
    const all: WeightedRecord[][] = [];
    for await (const batch of batches()) all.push(batch);
    return all;
  };

  it('are the generations with a weight, of either sign, as they were written', async () => {
    const { journal, batches } = open([1, 0, -0.5, 2]);
    using _ = journal;
    const [records] = await read(batches);
    expect(records!.toSorted((a, b) => a.weight - b.weight)).toEqual(
      [
        [2, -0.5],
        [0, 1],
        [3, 2],
      ].map(([i, weight]) => ({
        weight,
        turn: { prompt: Int32Array.of(i!), tokens: Int32Array.of(100 + i!), logprobs: Float32Array.of(-i!) },
      })),
    );
  });

  it('can be read again, the same, for a step that is tried again', async () => {
    const { journal, batches } = open([1, 2, 3, 4, 5, 6], 'rwr', { size: 2, passes: 2, probes: 0 });
    using _ = journal;
    const first = await read(batches);
    expect(first.map((b) => b.length)).toEqual([2, 2, 2, 2, 2, 2]);
    expect(await read(batches)).toEqual(first);
  });

  it('come with contexts to measure the KL on, from all generations, and no more than there are', () => {
    const some = open([0, 0, 0, 0, 0, 1]);
    expect(some.probes).toHaveLength(3);
    for (const [message] of some.probes) expect(message!.content).toMatch(/^context \d$/);
    expect(open([1, 1], 'rwr', { size: 1, passes: 1, probes: 64 }).probes).toHaveLength(2);
    expect(open([]).probes).toEqual([]);
  });

  it('in hindsight answer the question for the rate that was achieved', async () => {
    const { journal, batches } = open([1, 1, 1], 'hindsight');
    using _ = journal;
    const [records] = await read(batches);
    const prompts = records!.map(({ turn }) => `${turn.tokens[0]}: ${String.fromCharCode(...turn.prompt)}`);
    expect(prompts.sort()).toEqual(['100: slot 0, about 0', '101: slot 1, about 0.1', '102: slot 2, about 0.2']);
  });

  it('are none when nothing has a weight', async () => {
    const { journal, batches } = open([0, 0]);
    using _ = journal;
    expect(await read(batches)).toEqual([]);
  });
});

it('groups in the store are what the agent wrote', () => {
  using journal = newJournal();
  const group = sampleGroup(1, sampleTask('base-0'), 'base', 4);
  journal.commit(at(1), { groups: [group] });
  const [batch] = [...groupBatches(journal, 1, { size: 1, passes: 1, maxStaleness: 0, reuseShare: 0 }, createRng(1))];
  expect(batch).toEqual([group.traces.map(({ reward, valid, turns }) => ({ reward, valid, turns }))]);
});

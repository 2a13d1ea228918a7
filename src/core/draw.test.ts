import { describe, expect, it } from 'vitest';
import { at, newJournal, sampleGeneration, sampleGroup, sampleTask, variation } from '../store/fixtures.ts';
import type { RunJournal } from '../store/index.ts';
import { briefOf, type DrawSettings, drawAttempts, drawFixedSet, drawSeeds } from './draw.ts';
import type { PoolEntry } from './journal.ts';
import { createRng } from './rng.ts';
import type { Role } from './types.ts';
import { VARIANTS } from './variants.ts';

const settings = (changes: Partial<DrawSettings> = {}): DrawSettings => ({
  variant: VARIANTS.genenv,
  variations: 4,
  seedsPerEpoch: 20,
  baseShare: 0.2,
  replayShare: 0.1,
  evolveSeeds: false,
  historyEpochs: 2,
  target: { alpha: 0.5, kMin: 0.1 },
  fixedSetSize: (base) => 5 * base,
  ...changes,
});

const baseTasks = (count: number) => Array.from({ length: count }, (_, i) => sampleTask(`base-${i}`));
const inPool = (memberId: string, weight = 1): PoolEntry => ({ pool: 'agent', memberId, epoch: 1, weight });
const rng = (name = 'draw') => createRng(name);

/** A run with this many base tasks and, as if of epoch 1, pooled variations; `fresh` ones are written in epoch 2. */
function journalOf({ base = 40, pooled = 0, fresh = 0 }): RunJournal {
  const journal = newJournal();
  const old = Array.from({ length: pooled }, (_, i) => variation(`old-${i}`, 1));
  journal.commit(at(0), { tasks: [...baseTasks(base), sampleTask('held-out', { origin: 'validation' })] });
  journal.commit(at(1), {
    generations: old.map((task, i) => sampleGeneration(`1.${i}.0`, task)),
    pool: old.map((task) => inPool(task.id)),
  });
  const now = Array.from({ length: fresh }, (_, i) => variation(`new-${i}`, 2));
  journal.commit(at(2), { generations: now.map((task, i) => sampleGeneration(`2.${i}.0`, task)) });
  return journal;
}

describe('the seeds of an epoch', () => {
  it('leave room for base data and replay, and are different base tasks, numbered in order', () => {
    using journal = journalOf({});
    const seeds = drawSeeds(journal, settings(), 2, rng());
    // 80 attempts: 16 base, 8 replay, 56 fresh, which are 14 seeds of 4 variations.
    expect(seeds).toHaveLength(14);
    expect(seeds.map((s) => s.slot)).toEqual(seeds.map((_, i) => i));
    expect(new Set(seeds.map((s) => s.seedId)).size).toBe(14);
    for (const { seedId, count } of seeds) expect([seedId.startsWith('base-'), count]).toEqual([true, 4]);
  });

  it('are the same for the same stream, and others for another', () => {
    using journal = journalOf({});
    const draw = (name: string) => drawSeeds(journal, settings(), 2, rng(name)).map((s) => s.seedId);
    expect(draw('a')).toEqual(draw('a'));
    expect(draw('a')).not.toEqual(draw('b'));
  });

  it('are drawn evenly from the base set', () => {
    using journal = journalOf({ base: 10 });
    const counts = new Map<string, number>();
    for (let i = 0; i < 500; i++) {
      for (const { seedId } of drawSeeds(journal, settings({ seedsPerEpoch: 4 }), 1, rng(`${i}`))) {
        counts.set(seedId, (counts.get(seedId) ?? 0) + 1);
      }
    }
    // 3 of 10 in each of 500 draws: 150 each, four standard deviations are 41.
    expect(counts.size).toBe(10);
    for (const count of counts.values()) expect(Math.abs(count - 150)).toBeLessThan(41);
  });

  it('are as many as there are when more are asked for', () => {
    using journal = journalOf({ base: 3 });
    expect(drawSeeds(journal, settings({ seedsPerEpoch: 100 }), 1, rng())).toHaveLength(3);
  });

  it('of all base tasks are counted over the whole base set', () => {
    using journal = journalOf({ base: 10 });
    expect(drawSeeds(journal, settings({ seedsPerEpoch: 'all' }), 1, rng())).toHaveLength(7);
    const alone = settings({ seedsPerEpoch: 'all', baseShare: 0, replayShare: 0 });
    expect(drawSeeds(journal, alone, 1, rng())).toHaveLength(10);
  });

  it('are at least one, and none from an empty base set', () => {
    using journal = journalOf({});
    expect(
      drawSeeds(journal, settings({ seedsPerEpoch: 1, baseShare: 0.9, replayShare: 0.05 }), 1, rng()),
    ).toHaveLength(1);
    using empty = journalOf({ base: 0 });
    expect(drawSeeds(empty, settings({ seedsPerEpoch: 'all' }), 1, rng())).toEqual([]);
  });

  it("that evolve are most of them from the agent's pool, and fill up with base tasks while it is small", () => {
    const kinds = (journal: RunJournal) => {
      const ids = drawSeeds(journal, settings({ evolveSeeds: true }), 2, rng()).map((s) => s.seedId);
      expect(new Set(ids).size).toBe(14);
      return [ids.filter((id) => id.startsWith('base-')).length, ids.filter((id) => id.startsWith('old-')).length];
    };
    using large = journalOf({ pooled: 50 });
    expect(kinds(large)).toEqual([3, 11]);
    using small = journalOf({ pooled: 2 });
    expect(kinds(small)).toEqual([12, 2]);
    using none = journalOf({ pooled: 0 });
    expect(kinds(none)).toEqual([14, 0]);
  });

  it.each(['genenv', 'genenv-random'] as const)('evolve only where the variant adapts: %s', (name) => {
    using journal = journalOf({ pooled: 50 });
    const seeds = drawSeeds(journal, settings({ evolveSeeds: true, variant: VARIANTS[name] }), 2, rng());
    expect(seeds.filter(({ seedId }) => seedId.startsWith('old-'))).toHaveLength(name === 'genenv' ? 11 : 0);
    expect(seeds).toHaveLength(14);
  });

  it('that evolve are what was solved about half the time, and never a quarantined task', () => {
    using journal = journalOf({});
    const tasks = ['likely', 'unlikely', 'retired'].map((id) => variation(id, 1));
    journal.commit(at(2, 2), {
      tasks,
      pool: [inPool('likely', 0.5), inPool('unlikely', 1), inPool('retired', 0.5)],
      quarantine: [{ taskId: 'retired', epoch: 1, reason: 'broken' }],
    });
    const evolved = Array.from({ length: 200 }, (_, i) =>
      drawSeeds(journal, settings({ seedsPerEpoch: 3, evolveSeeds: true }), 2, rng(`${i}`))
        .map((s) => s.seedId)
        .filter((id) => !id.startsWith('base-')),
    ).flat();
    expect(evolved).not.toContain('retired');
    expect(evolved.filter((id) => id === 'likely').length / evolved.length).toBeGreaterThan(0.9);
  });

  it.each([
    { epochs: 'two easy ones', rates: [0.9, 0.9], seeds: 'hard' },
    { epochs: 'two hard ones', rates: [0.1, 0.1], seeds: 'easy' },
    { epochs: 'an easy one that was answered by a hard one', rates: [0.9, 0.1], seeds: 'hard' },
  ])('that evolve are $seeds ones after $epochs', ({ rates, seeds }) => {
    using journal = journalOf({});
    journal.commit(at(3, 3), {
      tasks: [variation('hard', 1), variation('easy', 1)],
      pool: [inPool('hard', 0.1), inPool('easy', 0.9)],
      metrics: rates.map((value, i) => ({ key: 'env/successRate', epoch: i + 1, step: 0, value })),
    });
    const evolved = Array.from({ length: 100 }, (_, i) =>
      drawSeeds(journal, settings({ seedsPerEpoch: 3, evolveSeeds: true }), 3, rng(`${i}`)).map((s) => s.seedId),
    )
      .flat()
      .filter((id) => !id.startsWith('base-'));
    expect(evolved.filter((id) => id === seeds).length / evolved.length).toBeGreaterThan(0.9);
  });

  it.each(['genenv-static', 'teacher-offline', 'base'] as const)('are none in %s', (name) => {
    using journal = journalOf({});
    expect(drawSeeds(journal, settings({ variant: VARIANTS[name] }), 1, rng())).toEqual([]);
  });
});

describe('the fixed set', () => {
  const counts = (base: number, size: number, variant = VARIANTS['genenv-static']) => {
    using journal = journalOf({ base });
    return drawFixedSet(journal, settings({ variant, fixedSetSize: () => size }));
  };

  it('varies every base task equally often', () => {
    expect(counts(4, 20)).toEqual([0, 1, 2, 3].map((slot) => ({ slot, seedId: `base-${slot}`, count: 5 })));
  });

  it.each([
    [10, 18],
    [10, 33],
    [7, 3],
    [64, 113],
    [3, 1],
  ])('spreads what does not divide: %i base tasks, %i variations', (base, size) => {
    const draws = counts(base, size);
    expect(draws.reduce((sum, d) => sum + d.count, 0)).toBe(size);
    for (const { count } of draws) expect([Math.floor(size / base), Math.ceil(size / base)]).toContain(count);
    for (const { slot, seedId, count } of draws) expect([seedId, count > 0]).toEqual([`base-${slot}`, true]);
  });

  it('is empty without base tasks, and where tasks are fresh or none', () => {
    expect(counts(0, 20)).toEqual([]);
    expect(counts(4, 20, VARIANTS.genenv)).toEqual([]);
    expect(counts(4, 20, VARIANTS.base)).toEqual([]);
  });
});

describe('what the agent attempts', () => {
  const roles = (journal: RunJournal, changes: Partial<DrawSettings> = {}) => {
    const attempts = drawAttempts(journal, settings(changes), 2, rng());
    expect(new Set(attempts.map((a) => a.taskId)).size).toBe(attempts.length);
    expect(attempts.some((a) => a.taskId === 'held-out')).toBe(false);
    const count = (role: Role) => attempts.filter((a) => a.role === role).length;
    return { fresh: count('fresh'), base: count('base'), replay: count('replay'), fixed: count('fixed'), attempts };
  };

  it('are all new tasks, then base data, then replay, in the shares of the settings', () => {
    using journal = journalOf({ pooled: 50, fresh: 56 });
    const { attempts, ...counts } = roles(journal);
    expect(counts).toEqual({ fresh: 56, base: 16, replay: 8, fixed: 0 });
    expect(attempts.map((a) => a.role)).toEqual([
      ...Array(56).fill('fresh'),
      ...Array(16).fill('base'),
      ...Array(8).fill('replay'),
    ]);
    expect(attempts.slice(0, 56).map((a) => a.taskId)).toEqual(Array.from({ length: 56 }, (_, i) => `new-${i}`));
  });

  it('make up for rejected generations by replay, unless there is to be none', () => {
    using journal = journalOf({ pooled: 70, fresh: 3 });
    expect(roles(journal)).toMatchObject({ fresh: 3, base: 16, replay: 61 });
    expect(roles(journal, { replayShare: 0 })).toMatchObject({ fresh: 3, base: 16, replay: 0 });
  });

  it('are what there is when the pools are small', () => {
    using journal = journalOf({ base: 2, pooled: 1, fresh: 5 });
    expect(roles(journal)).toMatchObject({ fresh: 5, base: 2, replay: 1 });
  });

  it('hold no task twice, whatever pools it is in: the first reason counts', () => {
    using journal = journalOf({ base: 3, fresh: 2 });
    journal.commit(at(2, 2), { pool: ['base-0', 'base-1', 'base-2', 'new-0', 'new-1'].map((id) => inPool(id)) });
    expect(roles(journal, { baseShare: 0.4, replayShare: 0.4 })).toMatchObject({ fresh: 2, base: 3, replay: 0 });
  });

  it('of a fixed set are that set and the base data, drawn anew every epoch', () => {
    using journal = newJournal();
    const set = Array.from({ length: 20 }, (_, i) => variation(`fixed-${i}`, 0));
    journal.commit(at(0), {
      tasks: baseTasks(4),
      generations: set.map((task, i) => sampleGeneration(`0.${i}.0`, task)),
    });
    const all = roles(journal, { variant: VARIANTS['genenv-static'], seedsPerEpoch: 6 });
    expect(all).toMatchObject({ fresh: 0, base: 4, replay: 0, fixed: 20 });
    const draw = (name: string) =>
      drawAttempts(journal, settings({ variant: VARIANTS['teacher-offline'], seedsPerEpoch: 2 }), 2, rng(name));
    expect(draw('a')).toHaveLength(8);
    expect(draw('a')).not.toEqual(draw('b'));
  });

  it('without synthetic data are base tasks only', () => {
    using journal = journalOf({ base: 40, pooled: 10, fresh: 5 });
    expect(roles(journal, { variant: VARIANTS.base, seedsPerEpoch: 5 })).toMatchObject({
      fresh: 0,
      base: 20,
      replay: 0,
      fixed: 0,
    });
  });
});

describe('a brief', () => {
  it('tells the seed, its lineage in the window, and how the last epoch went', () => {
    using journal = journalOf({});
    for (let epoch = 1; epoch <= 4; epoch++) {
      journal.commit(at(epoch, 3), {
        groups: [
          sampleGroup(epoch, variation(`lineage-${epoch}`, epoch)),
          sampleGroup(epoch, sampleTask('base-0'), 'base'),
          sampleGroup(epoch, sampleTask(`other-${epoch}`), 'fresh'),
        ],
        metrics: [{ key: 'env/successRate', epoch, step: 0, value: epoch / 10 }],
      });
    }
    const brief = briefOf(journal, settings(), { slot: 3, seedId: 'base-0', count: 2 }, 4);
    expect(brief).toEqual({
      slot: 3,
      seed: sampleTask('base-0'),
      count: 2,
      lineage: [
        { epoch: 2, successes: 4, attempts: 8 },
        { epoch: 3, successes: 4, attempts: 8 },
      ],
      overall: expect.closeTo(0.3, 12),
      target: { alpha: 0.5, kMin: 0.1 },
    });
  });

  it('has no history at the start, or when none is wanted', () => {
    using journal = journalOf({});
    expect(briefOf(journal, settings(), { slot: 0, seedId: 'base-1', count: 1 }, 1)).toMatchObject({
      lineage: [],
      overall: undefined,
    });
    journal.commit(at(3), { groups: [sampleGroup(3, variation('recent', 3))] });
    const blind = settings({ historyEpochs: 0 });
    expect(briefOf(journal, blind, { slot: 0, seedId: 'base-0', count: 1 }, 4).lineage).toEqual([]);
  });

  it('of a seed that the journal lost says that the file is damaged', () => {
    using journal = journalOf({});
    expect(() => briefOf(journal, settings(), { slot: 0, seedId: 'gone', count: 1 }, 1)).toThrow(
      "The run's store has no task gone, but its pool names it: the file is damaged.",
    );
  });
});

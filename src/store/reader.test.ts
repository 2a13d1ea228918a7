import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Connection } from './connection.ts';
import { at, newJournal, sampleGeneration, sampleGroup, sampleTask, tempFolder, variation } from './fixtures.ts';
import { openJournal } from './journal.ts';
import { openReader } from './reader.ts';
import { runFile } from './run-file.ts';

const base = sampleTask('base-0');

describe('a reader', () => {
  it('follows a run while it is written, without holding the writer up', () => {
    using journal = newJournal();
    using reader = openReader(journal.folder);
    expect(reader.cursor()).toBeUndefined();
    expect(reader.meta()).toEqual({ seed: 7 });
    const metric = (epoch: number) => ({ key: 'env/successRate', epoch, step: 0, value: epoch / 10 });
    journal.commit(at(1), { metrics: [metric(1), { key: 'agent/kl', epoch: 1, step: 1, value: 0 }] });
    const [first, second] = reader.metricRows();
    expect([first?.value, second?.key]).toEqual([0.1, 'agent/kl']);
    journal.commit(at(2), { metrics: [metric(2)], groups: [sampleGroup(2, base)] });
    expect(reader.metricRows({ after: second!.row })).toEqual([{ row: 3, ...metric(2) }]);
    expect(reader.metricRows({ prefix: 'env/', limit: 1 }).map(({ epoch }) => epoch)).toEqual([1]);
    expect(reader.metricKeys()).toEqual(['agent/kl', 'env/successRate']);
    expect(reader.cursor()).toEqual(at(2));
    expect(reader.ledger().rollouts).toBe(8);
    expect(reader.trace(2, 'base-0', 3)).toEqual(sampleGroup(2, base).traces[3]);
    expect(reader.trace(2, 'base-0', 8)).toBeUndefined();
    expect(reader.trace(1, 'base-0', 0)).toBeUndefined();
    for (const _ of reader.outcomes(2)) journal.commit(at(2, 2), { metrics: [metric(3)] });
    expect(reader.metric('env/successRate', 9)).toBe(0.3);
  });

  it('sees a metric that was written again as a new row', () => {
    using journal = newJournal();
    using reader = openReader(journal.folder);
    const point = { key: 'k', epoch: 1, step: 0 };
    journal.commit(at(1), { metrics: [{ ...point, value: 1 }] });
    const seen = reader.metricRows().at(-1)!.row;
    journal.commit(at(1), { metrics: [{ ...point, value: 2 }] });
    expect(reader.metricRows({ after: seen }).map(({ value }) => value)).toEqual([2]);
    expect(reader.metricRows()).toHaveLength(1);
  });

  it('finds tasks by page, origin, epoch, words of the prompt and the beginning of an id', () => {
    using journal = newJournal();
    using reader = openReader(journal.folder);
    const odd = sampleTask('odd', { prompt: [{ role: 'user', content: 'say "100%_" \\ twice\n\0' }], epoch: 3 });
    journal.commit(at(1), { tasks: [base, variation('a1', 1), variation('a2', 2), odd] });
    const ids = (query?: Parameters<typeof reader.tasks>[0]) => reader.tasks(query).map(({ id }) => id);
    expect(ids()).toEqual(['base-0', 'a1', 'a2', 'odd']);
    expect(ids({ limit: 2 })).toEqual(['base-0', 'a1']);
    expect(ids({ after: reader.tasks()[1]!.row, limit: 1 })).toEqual(['a2']);
    expect(ids({ origin: 'generated', epoch: 2 })).toEqual(['a2']);
    expect(ids({ search: 'WEATHER in a' })).toEqual(['a1', 'a2']);
    expect(ids({ search: '"100%_" \\ t' })).toEqual(['odd']);
    expect(ids({ search: '00__' })).toEqual([]);
    expect(ids({ search: 'role' })).toEqual([]);
    expect(ids({ search: 'ba' })).toEqual(['base-0']);
    expect(() => ids({ search: '\0' })).toThrow(/can't be/);
  });

  it('gives a task its passport', () => {
    using journal = newJournal();
    using reader = openReader(journal.folder);
    const child = variation('child', 1);
    const grandchild = sampleTask('grandchild', { ...variation('grandchild', 2), seedId: 'child' });
    const generation = sampleGeneration('1.0.0', child);
    const score = { generationId: '1.0.0', taskId: 'child', successRate: 0.5, envReward: 1, kept: true, weight: 0.7 };
    const entry = { pool: 'environment', memberId: '1.0.0', epoch: 1, weight: 0.7 } as const;
    journal.commit(at(1), { tasks: [base], generations: [generation], groups: [sampleGroup(1, child)] });
    journal.commit(at(1, 2), { scores: [score], pool: [entry] });
    journal.commit(at(2), {
      generations: [sampleGeneration('2.0.0', grandchild, { seedId: 'child' })],
      groups: [sampleGroup(2, child, 'replay', 2)],
      quarantine: [{ taskId: 'child', epoch: 2, reason: 'the label is wrong' }],
    });
    const passport = reader.passport('child')!;
    expect(passport.task).toEqual(child);
    expect(passport.lineage.map(({ id }) => id)).toEqual(['base-0', 'child']);
    expect(passport.variations).toBe(1);
    expect(passport.generations).toEqual([generation]);
    expect(passport.outcomes.map(({ epoch, role, successes, attempts }) => [epoch, role, successes, attempts])).toEqual(
      [
        [1, 'fresh', 4, 8],
        [2, 'replay', 1, 2],
      ],
    );
    expect(passport.scores).toEqual([{ epoch: 1, ...score }]);
    expect(passport.pools).toEqual([entry]);
    expect(passport.quarantine).toEqual({ taskId: 'child', epoch: 2, reason: 'the label is wrong' });
    expect(reader.passport('grandchild')!.lineage.map(({ id }) => id)).toEqual(['base-0', 'child', 'grandchild']);
    expect(reader.passport('nobody')).toBeUndefined();
  });

  it('lists notes with their wall time, and checkpoints', () => {
    using journal = newJournal();
    using reader = openReader(journal.folder);
    const note = { kind: 'resume', epoch: 1, detail: 'after \0 and \ud800' };
    const checkpoint = { player: 'agent', ref: 'agent-1', sha256: 'ab' } as const;
    journal.commit(at(1), { notes: [note], checkpoints: [checkpoint] });
    expect(reader.notes()).toEqual([{ row: 1, timeMs: 1_700_000_000_000, ...note }]);
    expect(reader.notes({ after: 1 })).toEqual([]);
    expect(reader.checkpoints()).toEqual([{ row: 1, epoch: 1, phase: 'rollout', done: 1, ...checkpoint }]);
  });

  it('can not write', () => {
    using journal = newJournal();
    using db = new Connection(runFile(journal.folder), 10);
    db.exec('PRAGMA query_only = ON');
    expect(() => db.exec('DELETE FROM meta')).toThrow(/could not be read or written/);
  });
});

describe('a bad file', () => {
  const opened = (folder: string) => () => openReader(folder).ledger();

  it('that is missing', () => {
    const folder = tempFolder();
    expect(opened(join(folder, 'nowhere'))).toThrow(/There is no folder .*nowhere/);
    expect(opened(folder)).toThrow(/holds no run: it has no run.sqlite/);
  });

  it('that is empty, garbage or a folder', () => {
    const folder = tempFolder();
    writeFileSync(runFile(folder), '');
    expect(opened(folder)).toThrow(/holds no run/);
    writeFileSync(runFile(folder), 'not a database, '.repeat(300));
    expect(opened(folder)).toThrow(/is damaged or not a GenEnv run/);
    expect(() => openJournal(folder, { now: () => 0 })).toThrow(/is damaged or not a GenEnv run/);
    const other = tempFolder();
    mkdirSync(runFile(other));
    expect(opened(other)).toThrow(/could not be read or written/);
  });

  it('that was cut short', () => {
    const journal = newJournal();
    journal.commit(at(1), { tasks: Array.from({ length: 300 }, (_, i) => sampleTask(`t${i}`)) });
    journal[Symbol.dispose]();
    const copy = tempFolder();
    writeFileSync(runFile(copy), readFileSync(runFile(journal.folder)));
    expect(openReader(copy).ledger().tasks).toBe(0);
    const cut = tempFolder();
    writeFileSync(runFile(cut), readFileSync(runFile(journal.folder)));
    truncateSync(runFile(cut), 20_000);
    expect(opened(cut)).toThrow(/is damaged or not a GenEnv run/);
  });

  it('of a newer version', () => {
    const journal = newJournal();
    journal[Symbol.dispose]();
    using db = new Connection(runFile(journal.folder), 10);
    db.exec('PRAGMA user_version = 99');
    const said = /is of version 99; this GenEnv reads versions up to 1\. Update it/;
    expect(opened(journal.folder)).toThrow(said);
    expect(() => openJournal(journal.folder, { now: () => 0 })).toThrow(said);
  });
});

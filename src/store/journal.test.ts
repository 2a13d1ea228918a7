import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../core/types.ts';
import {
  at,
  newJournal,
  sampleGeneration,
  sampleGroup,
  sampleTask,
  sampleTrace,
  tempFolder,
  variation,
} from './fixtures.ts';
import { createRun, openJournal } from './journal.ts';
import { isBeingWritten } from './lock.ts';

const now = () => 0;
const base = sampleTask('base-0');

describe('a run', () => {
  it('is created once', () => {
    const folder = join(tempFolder(), 'deep', 'run');
    createRun(folder, { seed: 7, config: { alpha: 0.5 } });
    expect(() => createRun(folder, { seed: 8 })).toThrow(/already holds a run/);
    using journal = openJournal(folder, { now });
    expect(journal.meta()).toEqual({ seed: 7, config: { alpha: 0.5 } });
    journal.setMeta('status', 'finished');
    expect(journal.meta().status).toBe('finished');
    expect(journal.cursor()).toBeUndefined();
  });

  it('can be created where a creation was cut short', () => {
    const folder = tempFolder();
    expect(() => openJournal(folder, { now })).toThrow(/no run\.sqlite/);
    writeFileSync(join(folder, 'run.sqlite'), '');
    expect(() => openJournal(folder, { now })).toThrow(/holds no run/);
    createRun(folder, { seed: 1 });
    using journal = openJournal(folder, { now });
    expect(journal.meta()).toEqual({ seed: 1 });
  });

  it('needs a folder it can make', () => {
    const file = join(tempFolder(), 'file');
    writeFileSync(file, '');
    expect(() => createRun(file, {})).toThrow(/could not be made/);
    expect(() => createRun(join(file, 'run'), {})).toThrow(/could not be made/);
  });

  it('has one writer', () => {
    expect(isBeingWritten(tempFolder())).toBe(false);
    const journal = newJournal();
    expect(() => openJournal(journal.folder, { now })).toThrow(/being written by another process/);
    expect(isBeingWritten(journal.folder)).toBe(true);
    journal[Symbol.dispose]();
    expect(isBeingWritten(journal.folder)).toBe(false);
    openJournal(journal.folder, { now })[Symbol.dispose]();
  });

  it('refuses use after it was closed, and leaves no write-ahead log to replay', () => {
    const journal = newJournal();
    journal.commit(at(1), { tasks: [base] });
    journal[Symbol.dispose]();
    journal[Symbol.dispose]();
    expect(() => journal.task('base-0')).toThrow(/was closed/);
    expect(statSync(join(journal.folder, 'run.sqlite-wal'), { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  });
});

describe('a commit', () => {
  it('brings everything back as it was', () => {
    using journal = newJournal();
    const task = variation('a', 1);
    const accepted = sampleGeneration('1.0.0', task);
    const rejected = sampleGeneration('1.0.1', null);
    const group = sampleGroup(1, task);
    journal.commit(at(1, 3), {
      tasks: [base],
      generations: [accepted, rejected],
      groups: [group],
      checkpoints: [{ player: 'agent', ref: 'agent-1', sha256: 'ab' }],
    });
    expect(journal.cursor()).toEqual(at(1, 3));
    expect(journal.task('a')).toEqual(task);
    expect(journal.task('none')).toBeUndefined();
    expect(journal.generation('1.0.0')).toEqual(accepted);
    expect(journal.generation('1.0.1')).toEqual(rejected);
    expect(journal.group(1, 'a')).toEqual(group);
    expect(journal.group(2, 'a')).toBeUndefined();
    expect(journal.checkpoint('agent')).toEqual({ player: 'agent', ref: 'agent-1', sha256: 'ab' });
    expect(journal.checkpoint('environment')).toBeUndefined();
    expect([...journal.generationHeads(1)]).toEqual([
      { id: '1.0.0', seedId: 'base-0', rootId: 'base-0', taskId: 'a', rejected: null },
      { id: '1.0.1', seedId: 'base-0', rootId: 'base-0', taskId: null, rejected: 'notJson' },
    ]);
  });

  it('brings back any text and any id', () => {
    using journal = newJournal();
    let n = 0;
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    const json = fc.jsonValue({ stringUnit: 'binary', maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)));
    fc.assert(
      fc.property(text, json, fc.int32Array(), fc.float32Array(), (text, json, ids, logprobs) => {
        n += 1;
        const task = sampleTask(`hostile-${n}`, {
          prompt: [{ role: 'user', content: text, toolCalls: [{ name: text, args: { json } }] }],
          tools: [{ name: text, description: text, parameters: { json } }],
          eval: { kind: 'json', target: json },
          features: { [text]: n },
        });
        const generation = sampleGeneration(`1.${n}.0`, task, {
          context: [{ role: 'system', content: text }],
          text,
          turn: { prompt: ids, tokens: ids, logprobs },
          verdict: { kind: 'accepted', repaired: text },
        });
        journal.commit(at(1), { generations: [generation] });
        expect(journal.generation(generation.id)).toEqual(generation);
      }),
    );
  });

  it('leaves nothing when any part of it fails', () => {
    using journal = newJournal();
    journal.commit(at(1), { tasks: [base] });
    const before = journal.ledger();
    const good = { generations: [sampleGeneration('2.0.0', variation('b', 2))], groups: [sampleGroup(2, base)] };
    expect(() =>
      journal.commit(at(2), { ...good, metrics: [{ key: 'env/successRate', epoch: 2, step: 0, value: Number.NaN }] }),
    ).toThrow('Refused to store metric env/successRate of epoch 2, step 0: it is NaN, and must be a finite number.');
    expect(() => journal.commit(at(2), { ...good, groups: [sampleGroup(2, base), sampleGroup(2, base)] })).toThrow(
      /Nothing of it was written/,
    );
    expect(journal.cursor()).toEqual(at(1));
    expect(journal.ledger()).toEqual(before);
    expect(journal.task('b')).toBeUndefined();
    expect(journal.generation('2.0.0')).toBeUndefined();
    expect([...journal.outcomes(2)]).toEqual([]);
    journal.commit(at(2), good);
    expect(journal.generation('2.0.0')?.context).toEqual(good.generations[0]!.context);
  });

  it('refuses numbers that are not finite, and names them', () => {
    using journal = newJournal();
    const score = { generationId: '1.0.0', taskId: null, successRate: 0, envReward: 0, kept: true, weight: 0 };
    const group = { ...sampleGroup(1, base), traces: [sampleTrace(3, { reward: Number.NaN })] };
    expect(() => journal.commit(at(1), { groups: [group] })).toThrow(/reward of trace 3 of task base-0/);
    expect(() => journal.commit(at(1), { scores: [{ ...score, weight: Number.POSITIVE_INFINITY }] })).toThrow(
      /weight of generation 1\.0\.0: it is Infinity/,
    );
    expect(() => journal.commit(at(1), { scores: [{ ...score, successRate: Number.NaN }] })).toThrow(/success rate/);
    expect(() => journal.commit(at(1), { tasks: [sampleTask('x', { features: { depth: Number.NaN } })] })).toThrow(
      /feature depth of task x/,
    );
    const entry = { pool: 'agent', memberId: 'a', epoch: 1, weight: Number.NaN } as const;
    expect(() => journal.commit(at(1), { pool: [entry] })).toThrow(/weight of a in the agent pool/);
    expect(() => journal.commit(at(1.5), {})).toThrow(/Nothing of it was written/);
    expect(() => journal.commit(at(1), { tasks: [sampleTask('a\0b')] })).toThrow(/can't be a name/);
    expect(journal.cursor()).toBeUndefined();
  });
});

describe('tasks', () => {
  it('stream in order of birth, by origin and epoch', () => {
    using journal = newJournal();
    journal.commit(at(1), { tasks: [base, variation('a', 1), sampleTask('v', { origin: 'validation' })] });
    journal.commit(at(2), { tasks: [variation('b', 2), base] });
    const ids = (...args: Parameters<typeof journal.heads>) => [...journal.heads(...args)].map((head) => head.id);
    expect(ids(['base', 'generated'], 2)).toEqual(['base-0', 'a']);
    expect(ids(['base', 'generated'], 3)).toEqual(['base-0', 'a', 'b']);
    expect(ids(['validation'], 3)).toEqual(['v']);
    expect(ids([], 3)).toEqual([]);
    expect([...journal.heads(['generated'], 2)]).toEqual([
      { id: 'a', rootId: 'base-0', origin: 'generated', epoch: 1, structure: 'weather(city)' },
    ]);
  });

  it('are written in every epoch that writes them, once each', () => {
    using journal = newJournal();
    const [a, b] = [variation('a', 1), variation('b', 1)];
    journal.commit(at(1), { tasks: [base], generations: [sampleGeneration('1.0.0', b), sampleGeneration('1.0.1', a)] });
    journal.commit(at(1, 2), { generations: [sampleGeneration('1.1.0', b), sampleGeneration('1.1.1', null)] });
    journal.commit(at(2), { generations: [sampleGeneration('2.0.0', { ...a, epoch: 2 })] });
    const ids = (epoch: number) => [...journal.written(epoch)].map((head) => head.id);
    expect(ids(1)).toEqual(['b', 'a']);
    expect(ids(2)).toEqual(['a']);
    expect([...journal.written(2)][0]?.epoch).toBe(1);
    expect(ids(3)).toEqual([]);
  });
});

describe('outcomes', () => {
  it('count valid traces only, and leave validation apart', () => {
    using journal = newJournal();
    const broken = sampleTrace(2, { valid: false, stop: 'error', error: 'timeout', reward: 0, turns: [] });
    const group = {
      epoch: 1,
      role: 'fresh',
      task: variation('a', 1),
      traces: [sampleTrace(0), sampleTrace(1), broken],
    };
    journal.commit(at(1), { groups: [{ ...group, role: 'fresh' }, sampleGroup(1, base, 'validation', 2)] });
    const expected: Outcome = {
      taskId: 'a',
      seedId: 'base-0',
      rootId: 'base-0',
      role: 'fresh',
      structure: 'weather(city)',
      successes: 1,
      attempts: 2,
      invalid: 1,
      meanReward: 0.5,
      varied: true,
      responseTokens: 20,
      promptTokens: 20,
    };
    expect([...journal.outcomes(1)]).toEqual([expected]);
    expect([...journal.outcomes(1, 'validation')].map((outcome) => outcome.taskId)).toEqual(['base-0']);
    expect(journal.ledger()).toEqual({
      tasks: 1,
      rollouts: 3,
      invalidRollouts: 1,
      agentTokens: 60,
      environmentTokens: 0,
      generations: 0,
      rejectedGenerations: 0,
      validationRollouts: 2,
    });
  });

  it('give a lineage its success by epoch over fresh tasks', () => {
    using journal = newJournal();
    for (const epoch of [1, 2, 3]) {
      const tasks = [variation(`a${epoch}`, epoch), variation(`b${epoch}`, epoch)];
      const groups = [...tasks.map((task) => sampleGroup(epoch, task)), sampleGroup(epoch, base, 'base')];
      journal.commit(at(epoch), { groups });
    }
    expect(journal.lineage('base-0', 1, 3)).toEqual([
      { epoch: 1, successes: 8, attempts: 16 },
      { epoch: 2, successes: 8, attempts: 16 },
    ]);
    expect(journal.ledger().tasks).toBe(7);
  });

  it('tell the roles of one task in one epoch apart', () => {
    using journal = newJournal();
    journal.commit(at(1), { groups: [sampleGroup(1, base, 'base', 2), sampleGroup(1, base, 'replay', 3)] });
    expect(journal.group(1, 'base-0')?.role).toBe('base');
    expect(journal.group(1, 'base-0', 'replay')?.traces).toHaveLength(3);
  });
});

describe('experience', () => {
  it('is a group without its words, in the order of its traces', () => {
    using journal = newJournal();
    const traces = [2, 0, 1].map((index) =>
      sampleTrace(index, {
        valid: index !== 1,
        messages: [{ role: 'assistant', content: 'x', tokens: Int32Array.of(index) }],
      }),
    );
    journal.commit(at(1), { groups: [{ epoch: 1, role: 'replay', task: base, traces }] });
    const expected = [0, 1, 2].map((index) => {
      const { reward, turns } = sampleTrace(index);
      return { reward, valid: index !== 1, turns };
    });
    expect(journal.experience(1, 'base-0')).toEqual(expected);
    expect(journal.group(1, 'base-0')?.traces).toEqual([traces[1], traces[2], traces[0]]);
    expect(journal.experience(2, 'base-0')).toBeUndefined();
  });

  it('of the environment is the turn of a generation', () => {
    using journal = newJournal();
    const generation = sampleGeneration('1.0.0', null);
    journal.commit(at(1), { generations: [generation] });
    expect(journal.turn('1.0.0')).toEqual(generation.turn);
    expect(journal.turn('1.0.1')).toBeUndefined();
  });
});

describe('pools', () => {
  it('keep the order of entry, the last weight, and no quarantined member', () => {
    using journal = newJournal();
    const [a, b] = [variation('a', 1), variation('b', 1)];
    journal.commit(at(1), {
      generations: [sampleGeneration('1.0.0', a), sampleGeneration('1.0.1', b)],
      pool: [
        { pool: 'agent', memberId: 'a', epoch: 1, weight: 1 },
        { pool: 'agent', memberId: 'b', epoch: 1, weight: 2 },
        { pool: 'environment', memberId: '1.0.0', epoch: 1, weight: 3 },
        { pool: 'environment', memberId: '1.0.1', epoch: 1, weight: 4 },
      ],
    });
    journal.commit(at(2), { pool: [{ pool: 'agent', memberId: 'a', epoch: 2, weight: 0.5 }] });
    expect([...journal.pool('agent')]).toEqual([
      { pool: 'agent', memberId: 'a', epoch: 2, weight: 0.5 },
      { pool: 'agent', memberId: 'b', epoch: 1, weight: 2 },
    ]);
    journal.commit(at(2, 2), { quarantine: [{ taskId: 'a', epoch: 2, reason: 'wrong label\0' }] });
    expect([...journal.pool('agent')].map((entry) => entry.memberId)).toEqual(['b']);
    expect([...journal.pool('environment')].map((entry) => entry.memberId)).toEqual(['1.0.1']);
  });
});

describe('scores and metrics', () => {
  it('belong to an epoch', () => {
    using journal = newJournal();
    const score = { generationId: '1.0.0', taskId: 'a', successRate: 0.5, envReward: 1, kept: true, weight: 0.1 + 0.2 };
    journal.commit(at(1), {
      scores: [score, { ...score, generationId: '1.0.1', taskId: null, kept: false, weight: 0 }],
      metrics: [
        { key: 'env/successRate', epoch: 1, step: 0, value: 0.25 },
        { key: 'agent/kl', epoch: 1, step: 3, value: 9 },
      ],
    });
    journal.commit(at(3), { metrics: [{ key: 'env/successRate', epoch: 3, step: 0, value: 0.5 }] });
    expect([...journal.scores(1)].map(({ kept, weight }) => [kept, weight])).toEqual([
      [true, 0.1 + 0.2],
      [false, 0],
    ]);
    expect([...journal.scores(2)]).toEqual([]);
    expect(journal.metric('env/successRate', 2)).toBe(0.25);
    expect(journal.metric('env/successRate', 3)).toBe(0.5);
    expect(journal.metric('env/successRate', 0)).toBeUndefined();
    expect(journal.metric('agent/kl', 1)).toBeUndefined();
    expect(journal.metrics(1)).toEqual({ 'env/successRate': 0.25 });
  });
});

describe('a stream', () => {
  it('shows what was there when it began, whatever is committed meanwhile', () => {
    using journal = newJournal();
    const many = Array.from({ length: 1200 }, (_, i) => sampleTask(`t${i}`));
    journal.commit(at(1), { tasks: many });
    let seen = 0;
    for (const head of journal.heads(['base'], 9)) {
      expect(head.id).toBe(`t${seen}`);
      if (seen % 100 === 0) journal.commit(at(1, seen), { tasks: [sampleTask(`late${seen}`)] });
      seen += 1;
    }
    expect(seen).toBe(1200);
    expect([...journal.heads(['base'], 9)]).toHaveLength(1212);
  });

  it('can be left in the middle', () => {
    using journal = newJournal();
    journal.commit(at(1), { tasks: Array.from({ length: 600 }, (_, i) => sampleTask(`t${i}`)) });
    for (const head of journal.heads(['base'], 9)) {
      if (head.id === 't3') break;
    }
    journal.commit(at(1, 2), { tasks: [sampleTask('next')] });
    expect(journal.task('next')).toBeDefined();
  });
});

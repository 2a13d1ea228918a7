import { describe, expect, it } from 'vitest';
import type { Cursor, Ledger, Phase } from './core/journal.ts';
import { completedEpochs, summarise } from './summary.ts';

const ledger: Ledger = {
  tasks: 1,
  rollouts: 2,
  invalidRollouts: 3,
  agentTokens: 4,
  environmentTokens: 5,
  generations: 6,
  rejectedGenerations: 7,
  validationRollouts: 8,
};
const curriculum = { alpha: 0.5, kMin: 0.1 } as Parameters<typeof summarise>[1]['curriculum'];
const at = (epoch: number, phase: Phase): Cursor => ({ epoch, phase, done: 1, units: 1 });

/** Journals that hold nothing but these numbers. */
const journal = (epochs: Record<string, number>[], cursor: Cursor | undefined) => ({
  metrics: (epoch: number) => epochs[epoch] ?? {},
  ledger: () => ledger,
  cursor: () => cursor,
});

describe('a summary', () => {
  const epochs = [
    { 'val/successRate': 0.2 },
    { 'env/successRate': 0.14, 'env/usefulShare': 0.5, 'val/successRate': 0.5, 'agent/responseTokens': 9 },
    { 'env/successRate': 0.4, 'env/usefulShare': 0.6, 'agent/responseTokens': 8 },
    { 'env/successRate': 0.55, 'env/usefulShare': 0.7, 'val/successRate': 0.4, 'agent/responseTokens': 7 },
  ];

  it('tells where each number began and ended, and how long it was in the band', () => {
    const end = { type: 'end', run: 'brisk-otter', status: 'finished', epoch: 3 } as const;
    expect(summarise(journal(epochs, at(3, 'aggregate')), { curriculum }, end, 1.23456)).toEqual({
      type: 'summary',
      run: 'brisk-otter',
      status: 'finished',
      epochs: 3,
      generatedSuccess: { first: 0.14, last: 0.55, shareInBand: 2 / 3 },
      usefulGroups: { first: 0.5, last: 0.7 },
      validation: { first: 0.2, last: 0.4, best: 0.5 },
      test: null,
      responseLength: { first: 9, last: 7 },
      diversity: { first: null, last: null },
      ledger,
      seconds: 1.235,
    });
  });

  it('leaves out an epoch that is not over', () => {
    const end = { type: 'end', run: 'x', status: 'stopped', epoch: 3 } as const;
    const summary = summarise(journal(epochs, at(3, 'evaluate')), { curriculum }, end, 1);
    expect(summary).toMatchObject({ status: 'stopped', epochs: 2, generatedSuccess: { first: 0.14, last: 0.4 } });
  });

  it('has nulls where there are no numbers, and stays JSON', () => {
    const end = { type: 'end', run: 'x', status: 'stopped', epoch: 0 } as const;
    const summary = summarise(journal([], undefined), { curriculum }, end, 0);
    expect(summary).toMatchObject({
      epochs: 0,
      generatedSuccess: { first: null, last: null, shareInBand: null },
      usefulGroups: { first: null, last: null },
      validation: { first: null, last: null, best: null },
      responseLength: { first: null, last: null },
    });
    expect(JSON.parse(JSON.stringify(summary))).toEqual(summary);
  });
});

describe('completed epochs', () => {
  it.each<[Cursor | undefined, number]>([
    [undefined, 0],
    [at(0, 'prepare'), 0],
    [at(0, 'aggregate'), 0],
    [at(1, 'generate'), 0],
    [at(1, 'aggregate'), 1],
    [at(4, 'rollout'), 3],
    [at(4, 'aggregate'), 4],
  ])('at %j are %i', (cursor, count) => {
    expect(completedEpochs({ cursor: () => cursor })).toBe(count);
  });
});

import { describe, expect, it } from 'vitest';
import type { LiveUpdate } from './api.ts';
import { mergeUpdates, paced } from './paced.ts';

const settled = () => new Promise((done) => setImmediate(done));

describe('updates to a slow reader', () => {
  it('wait for the one under way, and become one', async () => {
    const sent: number[] = [];
    const waiting: (() => void)[] = [];
    const send = paced<number>(
      (update) => {
        sent.push(update);
        return new Promise<void>((done) => waiting.push(done));
      },
      (a, b) => a + b,
    );
    for (const update of [1, 10, 100, 1000]) send(update);
    expect(sent).toEqual([1]);
    waiting.shift()!();
    await settled();
    expect(sent).toEqual([1, 1110]);
    waiting.shift()!();
    await settled();
    send(5);
    expect(sent).toEqual([1, 1110, 5]);
  });

  it('go on after one that failed', async () => {
    const sent: number[] = [];
    const send = paced<number>(
      async (update) => {
        sent.push(update);
        throw new Error('gone');
      },
      (_, later) => later,
    );
    send(1);
    await settled();
    send(2);
    expect(sent).toEqual([1, 2]);
  });

  it('have every epoch once, as it was last, with the last count of it', () => {
    const facts = { scored: 1 } as never;
    const update = (epochs: LiveUpdate['epochs'], status: string) => ({ head: { status }, epochs, notes: [] }) as never;
    const earlier = update(
      [
        { epoch: 1, metrics: { a: 1 }, facts },
        { epoch: 3, metrics: {}, facts: null },
      ],
      'running',
    );
    const later = update([{ epoch: 1, metrics: { a: 2 }, facts: null }], 'finished');
    expect(mergeUpdates(earlier, later)).toEqual({
      head: { status: 'finished' },
      epochs: [
        { epoch: 1, metrics: { a: 2 }, facts },
        { epoch: 3, metrics: {}, facts: null },
      ],
      notes: [],
    });
  });
});

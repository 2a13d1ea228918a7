import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapPool } from './map-pool.ts';

/** Work that ends when the test says so, and tells how much of it runs. */
function gates(count: number) {
  const open: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  const promises = Array.from(
    { length: count },
    () => new Promise<void>((resolve, reject) => void open.push({ resolve, reject })),
  );
  return { open, wait: (i: number) => promises[i]! };
}

const turns = async (count: number) => {
  for (let i = 0; i < count; i++) await Promise.resolve();
};

describe('mapPool', () => {
  it('gives results in the order of the inputs, whatever order they were finished in', async () => {
    const { open, wait } = gates(4);
    const result = mapPool(['a', 'b', 'c', 'd'], 4, async (item, i) => {
      await wait(i);
      return `${item}${i}`;
    });
    for (const i of [2, 0, 3, 1]) {
      open[i]!.resolve();
      await turns(3);
    }
    expect(await result).toEqual(['a0', 'b1', 'c2', 'd3']);
  });

  it('never runs more than the limit at once, and always as many as it may', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 5 }), { maxLength: 30 }),
        fc.integer({ min: 1, max: 8 }),
        async (delays, limit) => {
          let running = 0;
          let most = 0;
          const results = await mapPool(delays, limit, async (delay, i) => {
            most = Math.max(most, ++running);
            await turns(delay);
            running--;
            return i;
          });
          expect(results).toEqual(delays.map((_, i) => i));
          expect(most).toBe(Math.min(limit, delays.length));
          expect(running).toBe(0);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('starts nothing after an error, waits for what runs, and throws the first error', async () => {
    const { open, wait } = gates(3);
    const started: number[] = [];
    const ended: number[] = [];
    let settled = false;
    const result = mapPool([0, 1, 2, 3, 4], 3, async (_, i) => {
      started.push(i);
      await wait(i);
      ended.push(i);
    });
    const outcome = result
      .catch((error: unknown) => error)
      .finally(() => {
        settled = true;
      });
    open[1]!.reject(new Error('first'));
    await turns(10);
    expect(settled).toBe(false);
    open[2]!.reject(new Error('second'));
    open[0]!.resolve();
    expect(await outcome).toEqual(new Error('first'));
    expect(started).toEqual([0, 1, 2]);
    expect(ended).toEqual([0]);
  });

  it('treats work that throws before its first await like work that rejects', async () => {
    const boom = () => {
      throw new Error('at once');
    };
    await expect(mapPool([1, 2], 2, boom)).rejects.toThrow('at once');
  });

  it('does not start anything once cancelled, and rejects with the reason', async () => {
    const controller = new AbortController();
    const started: number[] = [];
    const result = mapPool(
      [0, 1, 2, 3],
      1,
      async (item) => {
        started.push(item);
        if (item === 1) controller.abort(new Error('enough'));
      },
      controller.signal,
    );
    await expect(result).rejects.toThrow('enough');
    expect(started).toEqual([0, 1]);
  });

  it('maps nothing to nothing', async () => {
    expect(await mapPool([], 4, async () => 1)).toEqual([]);
  });
});

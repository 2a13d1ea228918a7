import { expect, it } from 'vitest';
import { WorkerPool } from './pool.ts';

const program = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);
const start = (code: string) => new WorkerPool({ workers: 1, threads: 1, maxRows: 1, entry: program(code) });
const ask = (pool: WorkerPool) => pool.call(0, 'reduce', { gradients: [], range: { from: 0, to: 0 } });

it('rejects what a dying worker was doing, and everything after, with the reason', async () => {
  await using pool = start(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', () => { throw new Error('out of memory, say'); });
  `);
  await expect(ask(pool)).rejects.toThrow('worker 0 of the local engine is gone: out of memory, say');
  await expect(ask(pool)).rejects.toThrow('out of memory, say');
});

it('says so when a thread simply ends', async () => {
  await using pool = start(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', () => process.exit(7));
  `);
  await expect(ask(pool)).rejects.toThrow('its thread ended with code 7');
});

import { describe, expect, it } from 'vitest';
import { CallOrder } from './call-order.ts';
import { Futures, type Outcome } from './futures.ts';
import { Refusal } from './refusal.ts';

const here = new AbortController().signal;
const said = (value: string): Outcome => ({ kind: 'plain', value: { value } });
const futures = (limits: { pending?: number; results?: number; resultBytes?: number } = {}, errors: unknown[] = []) =>
  new Futures('start', { pending: 9, results: 9, resultBytes: 1e6, ...limits, onError: (error) => errors.push(error) });

describe('futures', () => {
  it('wait for their result, and say after a while that there is none yet', async () => {
    const all = futures();
    let finish: (outcome: Outcome) => void = () => {};
    const id = all.open(() => new Promise((resolve) => (finish = resolve)));
    expect(await all.retrieve(id, 5, here)).toBeNull();
    const held = all.retrieve(id, 60_000, here);
    finish(said('done'));
    expect(await held).toEqual(said('done'));
    expect(await all.retrieve(id, 0, here)).toEqual(said('done'));
  });

  it('are not waited for by a client that has gone', async () => {
    const all = futures();
    const id = all.open(() => new Promise(() => {}));
    const gone = new AbortController();
    const held = all.retrieve(id, 60_000, gone.signal);
    gone.abort();
    expect(await held).toBeNull();
  });

  it('fail with a reason: the client’s when it asked for nonsense, the server’s own otherwise', async () => {
    const errors: unknown[] = [];
    const all = futures({}, errors);
    const failing = (error: Error) =>
      all.retrieve(
        all.open(async () => Promise.reject(error)),
        1000,
        here,
      );
    expect(await failing(new RangeError('too long'))).toEqual({ kind: 'failed', error: 'too long', category: 'user' });
    expect(await failing(new Error('a worker died'))).toMatchObject({ category: 'server' });
    expect(errors).toHaveLength(1);
  });

  it('are kept up to a number, those that were read going first, and a lost one is told from an unknown one', async () => {
    const all = futures({ results: 2 });
    const ids = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      ids.push(all.open(async () => said(name)));
      await new Promise((resolve) => setImmediate(resolve));
      if (name === 'b') await all.retrieve(ids[1]!, 0, here);
    }
    const statuses = await Promise.all(
      [...ids, 'start.99', 'other.1'].map((id) =>
        all.retrieve(id, 0, here).then(
          () => 200,
          (error: Refusal) => error.status,
        ),
      ),
    );
    // b was read and went first, then a as the oldest.
    expect(statuses).toEqual([410, 410, 200, 200, 404, 410]);
  });

  it('are kept up to an amount of memory, and the newest always', async () => {
    const all = futures({ resultBytes: 10_000 });
    const large = (): Outcome => {
      const tokens = new Int32Array(2000);
      return {
        kind: 'sample',
        value: { sequences: [{ stop_reason: 'stop', tokens, logprobs: new Float32Array(2000) }] },
      };
    };
    const first = all.open(async () => large());
    await new Promise((resolve) => setImmediate(resolve));
    expect(await all.retrieve(first, 0, here)).not.toBeNull();
    const second = all.open(async () => large());
    await new Promise((resolve) => setImmediate(resolve));
    await expect(all.retrieve(first, 0, here)).rejects.toThrow(/is gone/);
    expect(await all.retrieve(second, 0, here)).not.toBeNull();
  });

  it('are taken on up to a number', () => {
    const all = futures({ pending: 1 });
    all.checkRoom();
    all.open(() => new Promise(() => {}));
    expect(() => all.checkRoom()).toThrow(/try again/);
  });
});

describe('the order of calls', () => {
  it('is that of their numbers, one at a time, whatever fails and whatever was refused', async () => {
    const all = futures();
    const order = new CallOrder(all, 5000);
    const log: string[] = [];
    const submit = (seq: number, fails = false) =>
      order.submit(seq, 'forward', async () => {
        log.push(`${seq} begins`);
        await new Promise((resolve) => setTimeout(resolve, 3));
        log.push(`${seq} ends`);
        if (fails) throw new Refusal(400, 'no');
        return said(String(seq));
      });
    const ids = [submit(4), submit(2, true), submit(5)];
    order.skip(3);
    ids.push(submit(1));
    const outcomes = await Promise.all(ids.map((id) => all.retrieve(id, 5000, here)));
    expect(log).toEqual([1, 2, 4, 5].flatMap((seq) => [`${seq} begins`, `${seq} ends`]));
    expect(outcomes.map((outcome) => outcome?.kind)).toEqual(['plain', 'failed', 'plain', 'plain']);
    expect(order.known(4, 'forward')).toBe(ids[0]);
    expect(() => order.known(4, 'optim_step')).toThrow(/was forward/);
    expect(() => order.known(3, 'forward')).toThrow(/refused or given up/);
    expect(order.known(6, 'forward')).toBeNull();
  });

  it('ends with those that wait told why', async () => {
    const all = futures();
    const order = new CallOrder(all, 5000);
    const id = order.submit(2, 'forward', async () => said('never'));
    await order.close(new Refusal(404, 'unloaded'));
    expect(await all.retrieve(id, 1000, here)).toEqual({ kind: 'failed', error: 'unloaded', category: 'user' });
    expect(() => order.submit(1, 'forward', async () => said('never'))).toThrow('unloaded');
  });
});

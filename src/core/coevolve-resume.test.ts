import { describe, expect, it } from 'vitest';
import { digest, openJournal } from '../store/index.ts';
import { coevolve } from './coevolve.ts';
import type { RunEvent } from './events.ts';
import { digestOf, dyingAt, Killed, newRun, open, play } from './fixtures.ts';
import { createRng } from './rng.ts';

/** The state that every disturbed run must end in. */
let undisturbed: Promise<string> | undefined;
const expectedDigest = () => {
  undisturbed ??= digestOf({});
  return undisturbed;
};

describe('the same state comes of', () => {
  it('any concurrency and any size of step', async () => {
    const expected = await expectedDigest();
    for (const [concurrency, stepSize] of [
      [1, 1],
      [16, 3],
      [2, 1000],
    ] as const) {
      expect(await digestOf({ concurrency, game: { stepSize } })).toBe(expected);
    }
    expect(await digestOf({ game: { rng: createRng(8) } })).not.toBe(expected);
  });

  // Takes a few seconds: the run is killed twice at each of its commits, and finished each time.
  it.each(['before', 'after'] as const)('a run killed %s any one of its commits and resumed', async (when) => {
    const expected = await expectedDigest();
    for (let n = 1; ; n++) {
      const folder = newRun();
      const died = await play(folder, {}, dyingAt(n, when)).then(
        () => false,
        (error: unknown) => {
          if (!(error instanceof Killed)) throw error;
          return true;
        },
      );
      if (!died) {
        expect(n).toBeGreaterThan(20);
        break;
      }
      const [start] = await play(folder);
      expect(start).toMatchObject({ type: 'start', resumed: n > 1 || when === 'after' });
      expect(digest(folder), `killed ${when} commit ${n}`).toBe(expected);
    }
  });

  it('a run killed again and again, at every second commit', async () => {
    const folder = newRun();
    let lives = 0;
    for (let isOver = false; !isOver; lives++) {
      isOver = await play(folder, {}, dyingAt(2, 'before')).then(
        () => true,
        () => false,
      );
    }
    expect(lives).toBeGreaterThan(10);
    expect(digest(folder)).toBe(await expectedDigest());
  });

  it('a run cancelled inside a step, which is abandoned at once', async () => {
    const folder = newRun();
    const controller = new AbortController();
    const events: RunEvent[] = [];
    const cancelled = async () => {
      using journal = openJournal(folder, { now: () => 0 });
      for await (const event of coevolve(await open(folder, journal, { game: { signal: controller.signal } }))) {
        events.push(event);
        if (event.type === 'progress' && event.epoch === 1 && event.phase === 'rollout')
          controller.abort(new Error('stop now'));
      }
    };
    await expect(cancelled()).rejects.toThrow('stop now');
    expect(events.at(-1)).toMatchObject({ type: 'progress', phase: 'rollout', done: 4 });
    await play(folder);
    expect(digest(folder)).toBe(await expectedDigest());
  });

  it('a run stopped politely: the step is finished and committed, and the run says where', async () => {
    const folder = newRun();
    const stop = new AbortController();
    const stopAt = async (epoch: number, phase: string) => {
      using journal = openJournal(folder, { now: () => 0 });
      const events: RunEvent[] = [];
      for await (const event of coevolve(await open(folder, journal, { game: { stop: stop.signal } }))) {
        events.push(event);
        if (event.type === 'phase' && event.epoch === epoch && event.phase === phase) stop.abort();
      }
      return { events, cursor: journal.cursor()! };
    };
    const { events, cursor } = await stopAt(1, 'rollout');
    expect(events.slice(-2).map((e) => e.type)).toEqual(['progress', 'end']);
    expect(events.at(-1)).toEqual({ type: 'end', run: 'test', status: 'stopped', epoch: 1 });
    expect(cursor).toMatchObject({ epoch: 1, phase: 'rollout', done: 4 });
    await play(folder);
    expect(digest(folder)).toBe(await expectedDigest());
  });

  it.each(['genenv-static', 'teacher-offline', 'base', 'genenv-random'] as const)(
    'a run of %s killed in the middle and resumed',
    async (variant) => {
      const expected = await digestOf({ variant });
      for (const n of [2, 4, 7, 12]) {
        const folder = newRun();
        await expect(play(folder, { variant }, dyingAt(n, 'before'))).rejects.toThrow(Killed);
        await play(folder, { variant });
        expect(digest(folder)).toBe(expected);
      }
    },
  );

  it.each(['grpo', 'hindsight', 'none'] as const)(
    'a run whose environment learns by %s, killed and resumed',
    async (update) => {
      const expected = await digestOf({ update });
      expect(expected).not.toBe(await expectedDigest());
      const folder = newRun();
      await expect(play(folder, { update }, dyingAt(15, 'before'))).rejects.toThrow(Killed);
      await play(folder, { update });
      expect(digest(folder)).toBe(expected);
    },
  );
});

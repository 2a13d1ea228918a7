import { describe, expect, it } from 'vitest';
import { newJournal } from '../store/fixtures.ts';
import type { RunEvent } from './events.ts';
import type { Cursor, Journal, Phase, Writes } from './journal.ts';
import { once, phase, type StepContext, Stopped } from './steps.ts';
import type { Checkpoint } from './types.ts';

function open() {
  const journal = newJournal();
  const commits: Cursor[] = [];
  const discarded: string[] = [];
  const stop = new AbortController();
  const context: StepContext = {
    journal: {
      ...journal,
      commit(at, writes) {
        journal.commit(at, writes);
        commits.push(at);
      },
    } satisfies Journal,
    stop: stop.signal,
    discard: async ({ player, ref }) => void discarded.push(`${player} ${ref}`),
  };
  return { journal, commits, discarded, stop, context, [Symbol.dispose]: () => journal[Symbol.dispose]() };
}

async function collect(events: AsyncGenerator<RunEvent>): Promise<RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const numbers = (count: number) => () => Array.from({ length: count }, (_, i) => i);
const nothing = async (): Promise<Writes> => ({});

describe('a phase', () => {
  it('goes through its items in steps, and commits each with the number done', async () => {
    using run = open();
    const seen: number[][] = [];
    const events = await collect(
      phase(run.context, 1, 'rollout', numbers(5), 2, async (items) => {
        seen.push(items);
        return {};
      }),
    );
    expect(seen).toEqual([[0, 1], [2, 3], [4]]);
    expect(run.commits).toEqual([2, 4, 5].map((done) => ({ epoch: 1, phase: 'rollout', done, units: 5 })));
    expect(
      events.map((e) => (e.type === 'phase' || e.type === 'progress' ? `${e.type} ${e.done}/${e.units}` : e.type)),
    ).toEqual(['phase 0/5', 'progress 2/5', 'progress 4/5', 'progress 5/5']);
  });

  it('without items commits once, so that the cursor moves past it', async () => {
    using run = open();
    let asked: number[] | undefined;
    await collect(
      phase(run.context, 1, 'generate', numbers(0), 4, async (items) => {
        asked = items;
        return {};
      }),
    );
    expect(asked).toEqual([]);
    expect(run.commits).toEqual([{ epoch: 1, phase: 'generate', done: 0, units: 0 }]);
    expect(await collect(phase(run.context, 1, 'generate', numbers(0), 4, nothing))).toEqual([]);
  });

  it('goes on where the last commit ended', async () => {
    using run = open();
    run.journal.commit({ epoch: 2, phase: 'rollout', done: 3, units: 5 }, {});
    const seen: number[][] = [];
    const events = await collect(
      phase(run.context, 2, 'rollout', numbers(5), 1, async (items) => {
        seen.push(items);
        return {};
      }),
    );
    expect(seen).toEqual([[3], [4]]);
    expect(events[0]).toMatchObject({ type: 'phase', done: 3, units: 5 });
  });

  it.each<[number, Phase, boolean]>([
    [1, 'aggregate', false],
    [2, 'generate', false],
    [2, 'rollout', true],
    [2, 'score', true],
    [3, 'generate', true],
  ])('that comes before epoch 2, rollout: %s %s runs %s', async (epoch, name, runs) => {
    using run = open();
    run.journal.commit({ epoch: 2, phase: 'rollout', done: 0, units: 1 }, {});
    let ran = false;
    await collect(
      phase(run.context, epoch, name, numbers(1), 1, async () => {
        ran = true;
        return {};
      }),
    );
    expect(ran).toBe(runs);
  });

  it('that is over does not even list its items', async () => {
    using run = open();
    run.journal.commit({ epoch: 1, phase: 'score', done: 1, units: 1 }, {});
    const fail = () => {
      throw new Error('listed');
    };
    expect(await collect(phase(run.context, 1, 'rollout', fail, 1, nothing))).toEqual([]);
  });

  it('stops after the step in which it was asked to, with that step committed', async () => {
    using run = open();
    const events: RunEvent[] = [];
    const walk = async () => {
      for await (const event of phase(run.context, 1, 'rollout', numbers(6), 2, async (items) => {
        if (items[0] === 2) run.stop.abort();
        return {};
      }))
        events.push(event);
    };
    const error = await walk().catch((e: unknown) => e);
    expect(error).toBeInstanceOf(Stopped);
    expect((error as Stopped).at).toEqual({ epoch: 1, phase: 'rollout', done: 4, units: 6 });
    expect(run.journal.cursor()).toEqual({ epoch: 1, phase: 'rollout', done: 4, units: 6 });
    expect(events.at(-1)).toMatchObject({ type: 'progress', done: 4 });
  });

  it('whose work fails commits nothing of that step', async () => {
    using run = open();
    const failing = phase(run.context, 1, 'rollout', numbers(4), 2, async (items) => {
      if (items[0] === 2) throw new Error('broken');
      return {};
    });
    await expect(collect(failing)).rejects.toThrow('broken');
    expect(run.journal.cursor()).toMatchObject({ done: 2 });
  });

  it('tells the notes of a step after it is committed', async () => {
    using run = open();
    const events = await collect(
      once(run.context, 3, 'updateEnv', () => ({ notes: [{ kind: 'klCap', epoch: 3, detail: 'too far' }] })),
    );
    expect(events.map((e) => e.type)).toEqual(['phase', 'note', 'progress']);
    expect(events[1]).toEqual({ type: 'note', kind: 'klCap', epoch: 3, detail: 'too far' });
    expect(run.commits).toEqual([{ epoch: 3, phase: 'updateEnv', done: 1, units: 1 }]);
  });
});

describe('checkpoints', () => {
  const saved = (ref: string): Checkpoint => ({ player: 'agent', ref, sha256: 'x' });

  it('take the place of older ones, which are discarded once the commit is through', async () => {
    using run = open();
    await collect(once(run.context, 0, 'prepare', () => ({ checkpoints: [saved('agent-0')] })));
    expect(run.discarded).toEqual([]);
    await collect(once(run.context, 1, 'updateAgent', () => ({ checkpoints: [saved('agent-1')] })));
    expect(run.discarded).toEqual(['agent agent-0']);
    await collect(once(run.context, 2, 'updateAgent', () => ({})));
    expect(run.discarded).toEqual(['agent agent-0']);
  });

  it('saved again under the same name are kept', async () => {
    using run = open();
    await collect(once(run.context, 0, 'prepare', () => ({ checkpoints: [saved('agent-0')] })));
    await collect(once(run.context, 1, 'updateAgent', () => ({ checkpoints: [saved('agent-0')] })));
    expect(run.discarded).toEqual([]);
  });

  it('are not discarded when the commit fails', async () => {
    using run = open();
    await collect(once(run.context, 0, 'prepare', () => ({ checkpoints: [saved('agent-0')] })));
    const full: StepContext = {
      ...run.context,
      journal: {
        ...run.context.journal,
        commit: () => {
          throw new Error('disk full');
        },
      },
    };
    await expect(collect(once(full, 1, 'updateAgent', () => ({ checkpoints: [saved('agent-1')] })))).rejects.toThrow(
      'disk full',
    );
    expect(run.discarded).toEqual([]);
    expect(run.journal.checkpoint('agent')?.ref).toBe('agent-0');
  });
});

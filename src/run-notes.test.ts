/** What an engine says while a run goes on reaches people at once and the store with the next step. */
import { expect, it } from 'vitest';
import type { RunEvent } from './core/events.ts';
import type { Writes } from './core/journal.ts';
import { runNotes } from './run-notes.ts';
import type { RunJournal } from './store/index.ts';

const at = { epoch: 1, phase: 'rollout', done: 1, units: 1 } as const;

it('shows a note while a step is still under way, and passes events and the end on', async () => {
  const notes = runNotes(() => 3);
  let finish = () => {};
  async function* events(): AsyncGenerator<RunEvent, string> {
    yield { type: 'phase', epoch: 3, phase: 'rollout', done: 0, units: 1 };
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    yield { type: 'end', run: 'r', status: 'finished', epoch: 3 };
    return 'over';
  }
  const shown = notes.shown(events());
  expect(await shown.next()).toMatchObject({ value: { type: 'phase' } });
  const next = shown.next();
  notes.notice('serverAway', 'gone');
  expect(await next).toEqual({ done: false, value: { type: 'note', kind: 'serverAway', epoch: 3, detail: 'gone' } });
  const last = shown.next();
  finish();
  expect(await last).toMatchObject({ value: { type: 'end' } });
  expect(await shown.next()).toEqual({ done: true, value: 'over' });
});

it('writes a note once, before those of the step it fell into', () => {
  const notes = runNotes(() => 1);
  const written: Writes[] = [];
  const journal = notes.written({
    commit: (_: unknown, writes: Writes) => written.push(writes),
  } as unknown as RunJournal);
  notes.notice('serverAway', 'gone');
  journal.commit(at, { notes: [{ kind: 'klCap', epoch: 1, detail: 'over' }] });
  journal.commit(at, {});
  expect(written.map((w) => w.notes?.map(({ kind }) => kind))).toEqual([['serverAway', 'klCap'], []]);
});

it('passes a failure on', async () => {
  const notes = runNotes(() => 1);
  async function* events(): AsyncGenerator<RunEvent, void> {
    yield { type: 'phase', epoch: 1, phase: 'rollout', done: 0, units: 1 };
    throw new Error('stopped');
  }
  const shown = notes.shown(events());
  await shown.next();
  await expect(shown.next()).rejects.toThrow('stopped');
});

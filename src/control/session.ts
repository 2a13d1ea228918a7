/** The run's side of live control: between two steps it reads what was asked, does it, and says so. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cursor } from '../core/journal.ts';
import { type ChangesOnRecord, type ControlledJournal, changesOnRecord } from './changes-on-record.ts';
import { openMailbox, type Request } from './mailbox.ts';
import { type Answer, closePanel, writePanel } from './panel.ts';
import { hashToken } from './token.ts';
import type { Tuning } from './tuning.ts';

export interface ControlOptions {
  folder: string;
  journal: ControlledJournal;
  configured: Omit<Tuning, 'banned'>;
  /** Absent: nobody may steer the run, and nothing is read. What was changed before stays changed. */
  token?: string | undefined;
  /** Either ends a pause. */
  stop: AbortSignal;
  signal: AbortSignal;
}

/** Something was asked, and done or refused. */
export interface ControlEvent {
  type: 'control';
  epoch: number;
  who: string;
  accepted: boolean;
  detail: string;
  /** What will be in force once all that was accepted is. */
  settings: { alpha: number; epochs: number };
}

export interface Control extends Disposable {
  readonly tuning: Tuning;
  /** Aborts when the run was asked to stop and its phase is over. */
  readonly stop: AbortSignal;
  /** Call it between two steps: reads requests, and returns when the run may go on. */
  between(): AsyncGenerator<ControlEvent>;
  /** How long the run has been paused in this process. */
  pausedSeconds(): number;
}

export function openControl({ folder, journal, configured, token, stop, signal }: ControlOptions): Control {
  closePanel(folder);
  const changes = changesOnRecord(journal, configured);
  // A kill may have come between a boundary and what was to hold from there.
  changes.apply();
  if (token === undefined) return unattended(changes);

  const mailbox = openMailbox(folder, token);
  const stopped = new AbortController();
  const answers: Answer[] = [];
  let paused = false;
  let stopping = false;
  let pausedMs = 0;

  const show = () => {
    const { tuning, all } = changes;
    writePanel(folder, {
      tokenHash: hashToken(token),
      paused,
      stopping,
      at: journal.cursor() ?? null,
      settings: { ...tuning, banned: [...tuning.banned] },
      configured,
      changes: all,
      answers,
    });
  };

  const event = (cursor: Cursor, who: string, accepted: boolean, detail: string): ControlEvent => {
    const { alpha, epochs } = changes.latest();
    return { type: 'control', epoch: cursor.epoch, who, accepted, detail, settings: { alpha, epochs } };
  };

  const handle = (request: Request, cursor: Cursor): ControlEvent => {
    const { accepted, detail } = changes.decide(request, cursor);
    const { kind } = request.action;
    if (accepted && kind === 'pause') paused = true;
    // What is to stop after this phase must first reach its end.
    if (accepted && (kind === 'resume' || kind === 'stop')) paused = false;
    if (accepted && kind === 'stop') stopping = true;
    answers.push({ id: request.id, accepted, message: detail });
    answers.splice(0, answers.length - ANSWERS);
    return event(cursor, request.who, accepted, detail);
  };

  function* takeRequests(): Generator<ControlEvent> {
    const cursor = journal.cursor();
    const taken = cursor ? mailbox.take() : [];
    for (const request of taken) {
      if ('refused' in request) yield event(cursor!, 'unknown', false, request.refused);
      else yield handle(request, cursor!);
    }
    if (changes.apply() || taken.length > 0) show();
  }

  show();
  return {
    tuning: changes.tuning,
    stop: stopped.signal,
    pausedSeconds: () => pausedMs / 1000,
    async *between() {
      yield* takeRequests();
      const started = performance.now();
      while (paused && !stop.aborted && !signal.aborted) {
        await sleep(POLL_MS);
        yield* takeRequests();
      }
      pausedMs += performance.now() - started;
      const cursor = journal.cursor();
      if (stopping && cursor && cursor.done >= cursor.units) stopped.abort();
    },
    // The panel stays: whoever asked the run to stop reads the answer when it has stopped.
    [Symbol.dispose]: () => mailbox[Symbol.dispose](),
  };
}

/** How often a paused run looks for requests. */
const POLL_MS = 100;
/** Answers that are kept for those who asked. */
const ANSWERS = 50;

/** A run that nobody may steer still brings into force what was accepted before it was killed. */
function unattended(changes: ChangesOnRecord): Control {
  return {
    tuning: changes.tuning,
    stop: new AbortController().signal,
    pausedSeconds: () => 0,
    // biome-ignore lint/correctness/useYield: there is nothing to tell.
    async *between() {
      changes.apply();
    },
    [Symbol.dispose]: () => {},
  };
}

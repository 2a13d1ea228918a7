/**
 * The changes of a run as its store keeps them, and what is in force by them. A change is put on record when it is accepted
 * and comes into force at its place; both are commits, so a killed run goes on with exactly what it had.
 */
import type { Cursor, Journal, Quarantine, Writes } from '../core/journal.ts';
import type { Json } from '../core/types.ts';
import type { ControlAction } from './action.ts';
import { ControlError } from './errors.ts';
import { checkEpochs, checkLimits } from './limits.ts';
import type { Request } from './mailbox.ts';
import { effectiveFrom, isReached, playing } from './place.ts';
import { told } from './told.ts';
import { assign, CHANGES_KEY, type Change, readChanges, settingOf, type Tuning, tuningOf } from './tuning.ts';

export type ControlledJournal = Pick<Journal, 'cursor' | 'commit' | 'heads'> & { meta(): Record<string, Json> };

export interface ChangesOnRecord {
  readonly all: readonly Change[];
  /** In force now; the same object throughout, so that the loop reads it anew when it needs it. */
  readonly tuning: Tuning;
  /** With everything that was accepted, whether its place has come or not. */
  latest(): Omit<Tuning, 'banned'>;
  /** Checks a request and puts it on record with a note, refused ones too. */
  decide(request: Request, cursor: Cursor): { accepted: boolean; detail: string };
  /** Brings changes into force whose place has come; says whether there were any. */
  apply(): boolean;
}

export function changesOnRecord(journal: ControlledJournal, configured: Omit<Tuning, 'banned'>): ChangesOnRecord {
  const changes = readChanges(journal.meta());
  const tuning = tuningOf(configured, changes);
  const latest = () => {
    const ahead = { ...tuning, learningRate: { ...tuning.learningRate } };
    for (const change of changes)
      if (change.kind === 'set' && !change.inForce) assign(ahead, change.setting, change.new);
    return ahead;
  };

  const asChange = ({ who, timeMs, action }: Request, cursor: Cursor): Change | undefined => {
    checkLimits(action, configured);
    if (action.kind !== 'set' && action.kind !== 'ban') return undefined;
    const by = { who, timeMs, from: effectiveFrom(action, cursor), inForce: false };
    if (action.kind === 'ban') {
      checkBan(journal, action.structure, changes);
      return { ...by, ...action };
    }
    const { setting, value } = action;
    if (setting === 'epochs') checkEpochs(value, cursor);
    return { ...by, kind: 'set', setting, old: settingOf(latest(), setting), new: value };
  };

  const judge = (request: Request, cursor: Cursor) => {
    try {
      const change = asChange(request, cursor);
      if (change) changes.push(change);
      return { accepted: true, detail: change ? told(change) : DONE[request.action.kind as keyof typeof DONE] };
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      return { accepted: false, detail: error.message };
    }
  };

  return {
    all: changes,
    tuning,
    latest,
    decide(request, cursor) {
      const verdict = judge(request, cursor);
      const detail = `${request.who}: ${verdict.accepted ? '' : 'refused: '}${verdict.detail}`;
      const note = { kind: 'control', epoch: cursor.epoch, detail };
      journal.commit(cursor, { notes: [note], meta: recorded(changes) });
      return verdict;
    },
    apply() {
      const cursor = journal.cursor();
      const due = cursor ? changes.filter((c) => !c.inForce && isReached(c.from, playing(cursor))) : [];
      if (!cursor || due.length === 0) return false;
      for (const change of due) change.inForce = true;
      const next = tuningOf({ ...configured, epochs: tuning.epochs }, changes);
      for (const change of due) if (change.kind === 'set' && change.setting === 'epochs') next.epochs = change.new;
      const quarantine = due.flatMap((c) => (c.kind === 'ban' ? tasksOf(journal, c) : []));
      journal.commit(cursor, { quarantine, meta: { ...recorded(changes), ...withEpochs(journal, next.epochs) } });
      Object.assign(tuning, next);
      return true;
    },
  };
}

const recorded = (changes: readonly Change[]): Writes['meta'] => ({ [CHANGES_KEY]: changes as unknown as Json });

/** The stored configuration says how long the run is: whoever reads it, and a later resume, go by that. */
function withEpochs(journal: ControlledJournal, epochs: number): Writes['meta'] {
  const { config } = journal.meta();
  return typeof config === 'object' && config !== null ? { config: { ...config, epochs } } : {};
}

/** Held-out tasks are no part of a ban: they measure, and nobody learns from them. */
const TRAINED_ON = ['base', 'generated', 'teacher'] as const;

function checkBan(journal: ControlledJournal, structure: string, changes: readonly Change[]): void {
  const banned = new Set(changes.flatMap((c) => (c.kind === 'ban' ? [c.structure] : [])));
  const name = JSON.stringify(structure);
  if (banned.has(structure)) throw new ControlError('invalid', `${name} is banned already.`);
  let found = false;
  let left = false;
  for (const head of journal.heads(TRAINED_ON, Number.MAX_SAFE_INTEGER)) {
    found ||= head.structure === structure;
    left ||= head.origin === 'base' && head.structure !== structure && !banned.has(head.structure);
    if (found && left) return;
  }
  if (!found) throw new ControlError('invalid', `No task of the run has the structure ${name}.`);
  throw new ControlError('limit', `No base task would be left: all that are not banned have the structure ${name}.`);
}

function tasksOf(journal: ControlledJournal, ban: Extract<Change, { kind: 'ban' }>): Quarantine[] {
  const quarantine: Quarantine[] = [];
  for (const { id, structure } of journal.heads(TRAINED_ON, Number.MAX_SAFE_INTEGER)) {
    if (structure !== ban.structure) continue;
    quarantine.push({ taskId: id, epoch: ban.from.epoch, reason: `its structure was banned by ${ban.who}` });
  }
  return quarantine;
}

const DONE: Record<Exclude<ControlAction['kind'], 'set' | 'ban'>, string> = {
  pause: 'pause',
  resume: 'go on',
  stop: 'stop after this phase',
};

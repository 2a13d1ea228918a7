/**
 * Actions on their way from the page to running runs. What came of one is on record in the run's store; until it is, the
 * desk remembers who asked for it and when.
 */
import {
  type ControlAction,
  type ControlState,
  controlState,
  isTokenOf,
  limitTexts,
  readChanges,
  requestControl,
  sinceWhen,
  told,
} from '../control.ts';
import type { NoteRow, RunReader } from '../store/index.ts';
import type { ControlEventRow, ControlRequest, SteeringPage } from './api.ts';

export interface ControlDesk {
  page(reader: RunReader, token: string | undefined): SteeringPage;
  /** @throws ControlError where it is known at once that the run can't or won't. */
  send(reader: RunReader, token: string, request: ControlRequest): { id: string };
}

interface Sent {
  id: string;
  who: string;
  timeMs: number;
  action: ControlAction;
  /** The last note there was when it was sent: the answer is a later one. */
  after: number;
}

const EVENTS = 50;

export function openControlDesk({ who, now = Date.now }: { who: string; now?: () => number }): ControlDesk {
  const sentTo = new Map<string, Sent[]>();

  /** Those without an answer. A run drains its mailbox at once, so the first answer that fits is the answer. */
  const unanswered = (folder: string, notes: readonly NoteRow[]) => {
    const left = (sentTo.get(folder) ?? []).filter((sent) => !notes.some((note) => answers(note, sent)));
    sentTo.set(folder, left.slice(-EVENTS));
    return left;
  };

  return {
    page(reader, token) {
      const { folder } = reader;
      const state = controlState(folder);
      const notes = reader.browse.lastNotes('control', EVENTS);
      const sent = unanswered(folder, notes);
      const changes = readChanges(reader.meta());
      const ahead = changes.filter(({ inForce }) => !inForce);
      const waiting = new Set(ahead.map((change) => `${change.who}: ${told(change)}`));
      return {
        offered: true,
        status: state.status,
        unlocked: token !== undefined && isTokenOf(folder, token),
        who,
        settings: 'settings' in state ? state.settings : null,
        limits: 'settings' in state ? limitTexts(state.configured) : null,
        waiting: ahead.flatMap((c) =>
          c.kind === 'set' ? [{ setting: c.setting, value: c.new, from: sinceWhen(c.from) }] : [],
        ),
        bans: [
          ...changes.flatMap((c) =>
            c.kind === 'ban' ? [{ structure: c.structure, state: c.inForce ? 'inForce' : 'waiting' } as const] : [],
          ),
          ...sent.flatMap(({ action }) =>
            action.kind === 'ban' ? [{ structure: action.structure, state: 'sent' } as const] : [],
          ),
        ],
        events: [
          ...sent.map((request) => sentRow(request, state)).reverse(),
          ...notes.map((note) => noteRow(note, waiting.has(note.detail))),
        ],
      };
    },
    send(reader, token, { action, who }) {
      const { folder } = reader;
      const after = reader.browse.marks().notes;
      const { id, who: known } = requestControl(folder, token, action, who);
      sentTo.set(folder, [...(sentTo.get(folder) ?? []), { id, who: known, timeMs: now(), action, after }]);
      return { id };
    },
  };
}

const REFUSED = 'refused: ';

function answers({ row, detail }: NoteRow, { who, action, after }: Sent): boolean {
  if (row <= after || !detail.startsWith(`${who}: `)) return false;
  const said = detail.slice(who.length + 2);
  return said.startsWith(REFUSED) || said.startsWith(asSaid(action));
}

/** How the run's answer to an action begins. */
function asSaid(action: ControlAction): string {
  switch (action.kind) {
    case 'resume':
      return 'go on';
    case 'set':
      return `${action.setting} `;
    case 'ban':
      return `ban ${JSON.stringify(action.structure)}`;
    default:
      return action.kind;
  }
}

function sentRow({ id, who, timeMs, action }: Sent, { status }: ControlState): ControlEventRow {
  const isOver = status === 'finished' || status === 'notRunning' || status === 'off';
  const what = action.kind === 'set' ? `${action.setting} → ${action.value}` : asSaid(action);
  return { id, who, timeMs, what, state: isOver ? 'lost' : 'sent' };
}

function noteRow({ row, detail, timeMs }: NoteRow, isWaiting: boolean): ControlEventRow {
  const end = detail.indexOf(': ');
  const [who, said] = [detail.slice(0, Math.max(0, end)), detail.slice(end < 0 ? 0 : end + 2)];
  const refused = said.startsWith(REFUSED);
  return {
    id: `note ${row}`,
    who,
    timeMs,
    what: refused ? said.slice(REFUSED.length) : said,
    state: refused ? 'refused' : isWaiting ? 'waiting' : 'done',
  };
}

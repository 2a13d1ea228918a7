/** What was asked of the run, by whom and when, and what came of it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ControlEventRow } from '../../api.ts';
import { Line } from '../text.tsx';
import { moment } from '../time.ts';

/** A glance; the others on demand. */
const SHOWN = 3;

const STATES: Record<ControlEventRow['state'], string> = {
  sent: 'pending: the run takes it up after the step in progress',
  lost: 'never taken up: the run ended first',
  refused: 'refused',
  waiting: 'accepted, waits for its place',
  done: 'done',
};

export function Events({ events }: { events: readonly ControlEventRow[] }): JSX.Element | null {
  const [all, setAll] = useState(false);
  if (events.length === 0) return null;
  return (
    <>
      <h3>What was asked</h3>
      <ul class="asked" aria-live="polite">
        {events.slice(0, all ? events.length : SHOWN).map(({ id, who, timeMs, what, state }) => (
          <li key={id} class={state}>
            <span class="asked-state">{STATES[state]}</span> <Line text={what} />{' '}
            <span class="soft">
              by <Line text={who} most={80} />, <time dateTime={new Date(timeMs).toISOString()}>{moment(timeMs)}</time>
            </span>
          </li>
        ))}
      </ul>
      {events.length > SHOWN && (
        <button type="button" class="link" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'only the latest' : `all ${events.length}`}
        </button>
      )}
    </>
  );
}

/** What the run has spent, what it noted, and what is different in its settings. */
import type { JSX } from 'preact';
import { count, duration } from '../../../report/number.ts';
import type { NoteRow, RunHead } from '../../api.ts';
import { to } from '../address.ts';
import { Panel } from '../panel.tsx';

import { jsonText, Line } from '../text.tsx';
import { moment } from '../time.ts';

export function Ledger({ head }: { head: RunHead }): JSX.Element {
  const { ledger, seconds } = head;
  const rows: [string, string, string?][] = [
    ['tasks attempted', count(ledger.tasks)],
    ['rollouts', count(ledger.rollouts), `${count(ledger.invalidRollouts)} could not be judged`],
    ['held-out rollouts', count(ledger.validationRollouts)],
    ['agent’s tokens', count(ledger.agentTokens)],
    ['simulator’s tokens', count(ledger.environmentTokens)],
    ['generations', count(ledger.generations), `${count(ledger.rejectedGenerations)} rejected`],
    ['time', seconds === null ? '–' : duration(seconds), 'of all processes that played it'],
    ['cost', '–', `the ${head.engine} engine has no price`],
  ];
  return (
    <Panel title="Ledger" about="Everything spent so far. The simulator’s output is part of the bill.">
      <table class="facts">
        <tbody>
          {rows.map(([name, value, note]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="number">{value}</td>
              <td class="soft">{note}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

export function Notes({ head, notes }: { head: RunHead; notes: readonly NoteRow[] }): JSX.Element | null {
  if (notes.length === 0) return null;
  return (
    <Panel title="Notes" about="What the run thought a person should know: KL back-offs, refused updates, resumes.">
      <ul class="notes">
        {notes
          .toReversed()
          .slice(0, 30)
          .map(({ row, kind, epoch, detail, timeMs }) => (
            <li key={row}>
              <a href={to('r', head.id, 'epoch', epoch)}>epoch {epoch}</a> <b>{kind}</b> <Line text={detail} />{' '}
              <time class="soft" dateTime={new Date(timeMs).toISOString()}>
                {moment(timeMs)}
              </time>
            </li>
          ))}
      </ul>
    </Panel>
  );
}

export function Settings({ head }: { head: RunHead }): JSX.Element {
  const { changed, steered, preset, version, git, createdAt } = head;
  const facts: [string, string][] = [
    ['preset', preset],
    ...changed.map(({ setting, value }): [string, string] => [setting, jsonText(value)]),
    ...steered.map(({ from, what, who }): [string, string] => [`from ${from}`, `${what} (${who})`]),
    ...(createdAt === null ? [] : [['created', moment(createdAt)] as [string, string]]),
    ...(version === null ? [] : [['GenEnv', version] as [string, string]]),
    ...(git === null
      ? []
      : [['commit', `${git.commit.slice(0, 12)}${git.clean ? '' : ' with changes'}`] as [string, string]]),
  ];
  return (
    <Panel
      title="Settings"
      about="What differs from the preset, what was changed while the run went on, and what it was made with."
    >
      <table class="facts">
        <tbody>
          {facts.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <Line text={value} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

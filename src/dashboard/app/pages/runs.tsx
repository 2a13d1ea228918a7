/** All runs, newest first; several can be chosen and compared. */

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { compact, NONE } from '../../../report/number.ts';
import type { Ends, RunList, RunRow, UnreadableRun } from '../../api.ts';
import { to } from '../address.ts';
import { useAnswer } from '../answer.ts';
import { query, setQuery } from '../route.ts';
import { Scroll } from '../scroll.tsx';
import { Answered, Empty } from '../states.tsx';
import { Line } from '../text.tsx';
import { moment } from '../time.ts';

const AGAIN_MS = 3000;

export function RunsPage(): JSX.Element {
  const [round, setRound] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setRound((n) => n + 1), AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  const answer = useAnswer<RunList>('/api/runs', round);
  return (
    <>
      <h1>Runs</h1>
      <Answered answer={answer} what="Looking for runs">
        {(list) => (list.runs.length === 0 ? <NoRuns list={list} /> : <Runs list={list} />)}
      </Answered>
    </>
  );
}

const NoRuns = ({ list }: { list: RunList }) => (
  <Empty title="There are no runs yet">
    <p>
      This page shows the runs in <code>{list.runsDir}</code> as they appear. Start one in a terminal:
    </p>
    <pre>genenv train --preset quick</pre>
  </Empty>
);

const isReadable = (run: RunRow | UnreadableRun): run is RunRow => run.status !== 'unreadable';

function Runs({ list }: { list: RunList }): JSX.Element {
  const wanted = query.value.get('filter')?.toLowerCase() ?? '';
  const chosen = query.value.getAll('run');
  const readable = list.runs
    .filter(isReadable)
    .filter(({ id, variant, benchmark, engine, status }) =>
      [id, variant, benchmark, engine, status].some((text) => text.toLowerCase().includes(wanted)),
    )
    .sort((a, b) => (b.createdAt ?? '').localeCompare(a.createdAt ?? '') || a.id.localeCompare(b.id));
  const damaged = list.runs.filter((run) => !isReadable(run)) as UnreadableRun[];
  const toggle = (id: string) =>
    setQuery({ run: chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id] });
  return (
    <>
      <div class="bar">
        <label>
          Filter{' '}
          <input
            type="search"
            data-search
            value={query.value.get('filter') ?? ''}
            placeholder="name, variant, world …"
            onInput={(event) => setQuery({ filter: event.currentTarget.value })}
          />
        </label>
        <CompareLink chosen={chosen} />
        <span class="soft">
          {readable.length} in <code>{list.runsDir}</code>
        </span>
      </div>
      <Scroll label="Runs">
        <table class="list">
          <thead>
            <tr>
              <th scope="col">
                <span class="out">Compare</span>
              </th>
              <th scope="col">run</th>
              <th scope="col">status</th>
              <th scope="col" class="number">
                epochs
              </th>
              <th scope="col" title="Success on generated tasks, first and last epoch">
                p̂ generated
              </th>
              <th scope="col">validation</th>
              <th scope="col">variant</th>
              <th scope="col">world · engine</th>
              <th scope="col" class="number">
                seed
              </th>
              <th scope="col" class="number">
                rollouts
              </th>
              <th scope="col">created</th>
            </tr>
          </thead>
          <tbody>
            {readable.map((run) => (
              <Row key={run.id} run={run} chosen={chosen.includes(run.id)} onChoose={() => toggle(run.id)} />
            ))}
          </tbody>
        </table>
      </Scroll>
      {readable.length === 0 && <p class="absent">No run matches “{wanted}”.</p>}
      {damaged.length > 0 && <Damaged runs={damaged} />}
    </>
  );
}

function CompareLink({ chosen }: { chosen: readonly string[] }): JSX.Element {
  if (chosen.length < 2) return <span class="soft">tick two or more to compare them</span>;
  const search = chosen.map((id) => `run=${encodeURIComponent(id)}`).join('&');
  return (
    <a class="button" href={`/compare?${search}`}>
      Compare {chosen.length} runs
    </a>
  );
}

function Row({ run, chosen, onChoose }: { run: RunRow; chosen: boolean; onChoose: () => void }): JSX.Element {
  const { id, status, epochs, generatedSuccess, validation, variant, benchmark, engine, seed, ledger, createdAt } = run;
  return (
    <tr>
      <td>
        <input type="checkbox" checked={chosen} onChange={onChoose} aria-label={`Compare ${id}`} />
      </td>
      <th scope="row">
        <a href={to('r', id)}>
          <Line text={id} most={60} />
        </a>
      </th>
      <td>
        <span class={`badge ${status}`}>{status === 'running' ? 'live' : status}</span>
      </td>
      <td class="number">
        {epochs.done}/{epochs.of}
      </td>
      <td>{fromTo(generatedSuccess)}</td>
      <td>{fromTo(validation)}</td>
      <td>{variant}</td>
      <td>
        {benchmark} · {engine}
      </td>
      <td class="number">{seed}</td>
      <td class="number">{compact(ledger.rollouts)}</td>
      <td>{createdAt === null ? NONE : <Line text={moment(createdAt)} />}</td>
    </tr>
  );
}

const fromTo = ({ first, last }: Ends) =>
  first === null || last === null ? NONE : `${first.toFixed(2)} → ${last.toFixed(2)}`;

const Damaged = ({ runs }: { runs: readonly UnreadableRun[] }) => (
  <section class="panel">
    <h2>Not readable</h2>
    <ul>
      {runs.map(({ id, reason }) => (
        <li key={id}>
          <b>
            <Line text={id} most={60} />
          </b>
          : <Line text={reason} most={400} />
        </li>
      ))}
    </ul>
  </section>
);

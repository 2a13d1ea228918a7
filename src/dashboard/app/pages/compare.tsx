/** Several runs over each other: one by one, or grouped by a setting with the mean over seeds and its interval. */

import type { JSX } from 'preact';
import { estimate } from '../../../report/interval.ts';
import { withInterval } from '../../../report/number.ts';
import type { ComparePage as Data, RunList } from '../../api.ts';
import { to } from '../address.ts';
import { useAnswer } from '../answer.ts';
import { useChanges } from '../changes.ts';
import { plain } from '../chart/options.ts';
import { compareSpec } from '../compare/chart.ts';
import { differing, type Group, grouped, type XAxis } from '../compare/groups.ts';
import { ChartPanel } from '../panel.tsx';
import { query, setQuery } from '../route.ts';
import { Scroll } from '../scroll.tsx';
import { Answered } from '../states.tsx';
import { Line } from '../text.tsx';

const AXES: readonly [XAxis, string][] = [
  ['epoch', 'epochs'],
  ['tasks', 'tasks attempted'],
  ['tokens', 'tokens of both players'],
];

export function ComparePage(): JSX.Element {
  const chosen = query.value.getAll('run');
  const key = query.value.get('key') ?? 'val/successRate';
  const list = useAnswer<RunList>('/api/runs');
  const search = chosen.map((id) => `run=${encodeURIComponent(id)}`).join('&');
  const round = useChanges(chosen.length === 0 ? null : `/api/compare/version?${search}`);
  const answer = useAnswer<Data>(
    chosen.length === 0 ? null : `/api/compare?key=${encodeURIComponent(key)}&${search}`,
    round,
  );
  return (
    <>
      <h1>Compare</h1>
      <Answered answer={list}>{(runs) => <Choice list={runs} chosen={chosen} />}</Answered>
      {chosen.length === 0 ? (
        <p class="absent">Tick the runs to compare.</p>
      ) : (
        <Answered answer={answer} what="Reading the runs">
          {(data) => <Compared data={data} />}
        </Answered>
      )}
    </>
  );
}

function Choice({ list, chosen }: { list: RunList; chosen: readonly string[] }): JSX.Element {
  const ids = list.runs.filter(({ status }) => status !== 'unreadable').map(({ id }) => id);
  const toggle = (id: string) =>
    setQuery({ run: chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id] });
  return (
    <details class="choice" open={chosen.length < 2}>
      <summary>
        {chosen.length} of {ids.length} runs
      </summary>
      <div class="bar">
        <button type="button" onClick={() => setQuery({ run: ids })}>
          all
        </button>
        <button type="button" onClick={() => setQuery({ run: null })}>
          none
        </button>
        {ids.map((id) => (
          <label key={id}>
            <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />{' '}
            <Line text={id} most={60} />
          </label>
        ))}
      </div>
    </details>
  );
}

function Compared({ data }: { data: Data }): JSX.Element {
  const settings = differing(data.runs);
  const asked = query.value.get('group');
  const by = asked !== null && (settings.includes(asked) || asked === 'variant') ? asked : null;
  const x = AXES.find(([name]) => name === query.value.get('x'))?.[0] ?? 'epoch';
  const groups = grouped(data.runs, by);
  return (
    <>
      <div class="bar">
        <label>
          Metric{' '}
          <select value={data.key} onChange={(event) => setQuery({ key: event.currentTarget.value })}>
            {[...new Set([data.key, ...data.keys])].sort().map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Against{' '}
          <select value={x} onChange={(event) => setQuery({ x: event.currentTarget.value })}>
            {AXES.map(([name, text]) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <label>
          Group by{' '}
          <select value={by ?? ''} onChange={(event) => setQuery({ group: event.currentTarget.value })}>
            <option value="">nothing: every run for itself</option>
            {[...new Set(['variant', ...settings])].map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
      {data.missing.length > 0 && (
        <p class="banner" role="status">
          Not readable: <Line text={data.missing.join(', ')} />
        </p>
      )}
      <ChartPanel
        wide
        title={data.key}
        about="Thin lines are runs; thick ones are means over the runs of a group at the same epoch, with a 95 % interval after Student. After Fig. 6 of the paper."
        keys={[data.key]}
        spec={compareSpec(groups, data.key, x, data.band ?? undefined)}
        absent="None of these runs has measured it."
      />
      <Ends groups={groups} />
    </>
  );
}

/** Where each group stands: the last value of every run, and their mean. */
function Ends({ groups }: { groups: readonly Group[] }): JSX.Element {
  return (
    <Scroll label="Last values">
      <table class="list">
        <thead>
          <tr>
            <th scope="col">group</th>
            <th scope="col" class="number">
              runs
            </th>
            <th scope="col" class="number">
              last value, mean [95 % interval]
            </th>
            <th scope="col">runs of the group</th>
          </tr>
        </thead>
        <tbody>
          {groups.map(({ name, runs }) => {
            const last = runs.flatMap(({ points }) => points.at(-1)?.value ?? []);
            const mean = estimate(last);
            return (
              <tr key={name}>
                <th scope="row">
                  <Line text={name} most={60} />
                </th>
                <td class="number">{runs.length}</td>
                <td class="number">{mean ? withInterval(mean, plain) : '–'}</td>
                <td class="words">
                  {runs.map(({ id, seed, points }) => (
                    <span key={id} class="member">
                      <a href={to('r', id)}>
                        <Line text={id} most={60} />
                      </a>{' '}
                      <small class="soft">
                        seed {seed}, {points.length > 0 ? plain(points.at(-1)!.value) : '–'}
                      </small>
                    </span>
                  ))}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Scroll>
  );
}

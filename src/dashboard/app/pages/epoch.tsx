/** One epoch: its batches, each the variations of one seed, and what was rejected. */

import type { JSX } from 'preact';
import { percent } from '../../../report/number.ts';
import type { EpochPage as Data } from '../../api.ts';
import { to, withQuery } from '../address.ts';
import { useAnswer } from '../answer.ts';
import { Outcomes, Rate } from '../bars.tsx';
import { ChartPanel, Panel } from '../panel.tsx';
import { RejectionTable } from '../rejections.tsx';
import { navigate, query, setQuery } from '../route.ts';
import { runLive } from '../run-live.ts';
import { Scroll } from '../scroll.tsx';
import { Answered } from '../states.tsx';
import { StructureList } from '../structures.tsx';
import { Line } from '../text.tsx';

export function EpochPage({ run, epoch }: { run: string; epoch: string }): JSX.Element {
  const live = runLive.value;
  const isOpen = live?.overview?.head.status === 'running' && live.overview.head.at?.epoch === Number(epoch);
  const after = query.value.get('after');
  const answer = useAnswer<Data>(
    withQuery(to('api', 'runs', run, 'epochs', epoch), { after }),
    isOpen ? (live?.version ?? 0) : 0,
  );
  return (
    <Answered answer={answer} what="Reading the epoch">
      {(page) => <Epoch run={run} page={page} isOpen={isOpen} />}
    </Answered>
  );
}

function Epoch({ run, page, isOpen }: { run: string; page: Data; isOpen: boolean }): JSX.Element {
  const { epoch, row, batches, previous, next, rejections, structures, more } = page;
  const at = (other: number | null, text: string) =>
    other === null ? <span class="soft">{text}</span> : <a href={to('r', run, 'epoch', other)}>{text}</a>;
  return (
    <>
      <div class="heading">
        <h1>
          Epoch {epoch} {isOpen && <span class="badge running">being played</span>}
        </h1>
        <p class="pager">
          {at(previous, '← before')} {at(next, 'after →')}
          <a href={withQuery(to('r', run, 'tasks'), { epoch })}>its tasks as a list</a>
        </p>
      </div>
      <Facts row={row} />
      <BatchChart run={run} page={page} />
      <BatchTable run={run} page={page} />
      {(more || query.value.get('after')) && (
        <p class="pager">
          {query.value.get('after') && (
            <button type="button" onClick={() => setQuery({ after: null }, false)}>
              first batches
            </button>
          )}
          {more && (
            <button type="button" onClick={() => setQuery({ after: String(batches.at(-1)!.row) }, false)}>
              more batches
            </button>
          )}
        </p>
      )}
      <div class="panels">
        {structures.length > 0 && <StructureList run={run} epoch={epoch} page={page} />}
        {rejections.length > 0 && (
          <Panel
            title="Rejected"
            note={<a href={withQuery(to('r', run, 'tasks'), { verdict: 'rejected', epoch })}>all of them</a>}
          >
            <RejectionTable run={run} rows={rejections} />
          </Panel>
        )}
      </div>
    </>
  );
}

function Facts({ row }: { row: Data['row'] }): JSX.Element | null {
  if (!row) return null;
  const { metrics } = row;
  const share = (key: string) => (metrics[key] === undefined ? null : percent(metrics[key]));
  const facts: [string, string | null][] = [
    ['success p̂', metrics['env/successRate']?.toFixed(3) ?? null],
    ['in the band', share('env/bandShare')],
    ['solved sometimes', share('env/usefulShare')],
    ['kept', share('env/keptShare')],
    ['rejected', share('env/rejectedShare')],
    ['diversity', metrics['env/diversity']?.toFixed(2) ?? null],
    ['agent’s reward', metrics['agent/reward']?.toFixed(3) ?? null],
    ['validation', metrics['val/successRate']?.toFixed(3) ?? null],
    ['simulator’s KL', metrics['env/kl']?.toFixed(3) ?? null],
  ];
  const known = facts.filter(([, value]) => value !== null);
  if (known.length === 0) return null;
  return (
    <dl class="tiles small">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <b>{value}</b>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Fig. 8 within an epoch: what became of the tasks of each batch. */
function BatchChart({ run, page: { epoch, batches } }: { run: string; page: Data }): JSX.Element | null {
  const played = batches.filter(({ tasks }) => tasks > 0);
  if (played.length < 2) return null;
  const number = (value: number) => String(value);
  return (
    <ChartPanel
      wide
      title="Tasks of each batch: never, sometimes, always solved"
      about="A batch is all variations of one seed. After Fig. 8 of the paper. Click one to open it."
      spec={{
        label: 'Tasks never, sometimes and always solved, by batch',
        x: played.map((_, i) => i + 1),
        xName: 'batch',
        yName: 'tasks',
        yWhole: true,
        yRange: [0, null],
        height: 200,
        lines: [
          { name: 'never', values: played.map((b) => b.unsolved), colour: 'unsolved', stacked: true, format: number },
          {
            name: 'sometimes',
            values: played.map((b) => b.tasks - b.solved - b.unsolved),
            colour: 'partial',
            stacked: true,
            format: number,
          },
          { name: 'always', values: played.map((b) => b.solved), colour: 'solved', stacked: true, format: number },
        ],
        onPick: (i) => navigate(to('r', run, 'epoch', epoch, 'batch', played[i]!.seedId)),
        pickHint: 'Click or Enter opens the batch',
      }}
      absent="No generated task was attempted in this epoch."
    />
  );
}

function BatchTable({ run, page: { epoch, batches } }: { run: string; page: Data }): JSX.Element {
  if (batches.length === 0) {
    return (
      <p class="absent">
        Nothing was written or attempted in this epoch{epoch === 0 ? ': it is before training' : ''}.
      </p>
    );
  }
  return (
    <Scroll label="Batches">
      <table class="list">
        <thead>
          <tr>
            <th scope="col">batch: variations of</th>
            <th scope="col">success p̂</th>
            <th scope="col">always / sometimes / never</th>
            <th scope="col" class="number">
              written
            </th>
            <th scope="col" class="number">
              rejected
            </th>
            <th scope="col" class="number">
              kept
            </th>
          </tr>
        </thead>
        <tbody>
          {batches.map((batch) => (
            <tr key={batch.seedId}>
              <th scope="row" class="words">
                <a href={to('r', run, 'epoch', epoch, 'batch', batch.seedId)}>
                  <Line text={batch.words ?? batch.seedId} most={110} />
                </a>
              </th>
              <td>
                <Rate k={batch.successes} n={batch.attempts} />
              </td>
              <td>
                <Outcomes
                  solved={batch.solved}
                  partial={batch.tasks - batch.solved - batch.unsolved}
                  unsolved={batch.unsolved}
                />
              </td>
              <td class="number">{batch.generations}</td>
              <td class="number">{batch.rejected}</td>
              <td class="number">{batch.kept}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

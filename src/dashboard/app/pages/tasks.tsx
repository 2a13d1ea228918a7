/** The tasks of a run, searched and filtered; rejected generations are found here too. */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RejectionPage, TaskListPage } from '../../api.ts';
import { to, withQuery } from '../address.ts';
import { useAnswer } from '../answer.ts';
import { Rate } from '../bars.tsx';
import { RejectionTable } from '../rejections.tsx';
import { query, setQuery } from '../route.ts';
import { runLive } from '../run-live.ts';
import { Scroll } from '../scroll.tsx';
import { Answered } from '../states.tsx';
import { Line } from '../text.tsx';

const FILTERS = ['search', 'origin', 'epoch', 'verdict', 'from', 'to', 'structure', 'reason', 'before'] as const;

const asked = () => Object.fromEntries(FILTERS.map((name) => [name, query.value.get(name)]));

/** Names of difficulties, as ranges of p̂. */
const DIFFICULTY: readonly [value: string, name: string, from: string, to: string][] = [
  ['never', 'never solved', '0', '0'],
  ['hard', 'hard: up to 0.4', '0.001', '0.4'],
  ['band', 'around one half: 0.4 to 0.6', '0.4', '0.6'],
  ['easy', 'easy: from 0.6', '0.6', '0.999'],
  ['always', 'always solved', '1', '1'],
];

export function TasksPage({ run }: { run: string }): JSX.Element {
  const rejected = query.value.get('verdict') === 'rejected';
  return (
    <>
      <h1>Tasks</h1>
      <Filters rejected={rejected} />
      {rejected ? <Rejected run={run} /> : <Tasks run={run} />}
    </>
  );
}

function Filters({ rejected }: { rejected: boolean }): JSX.Element {
  const value = (name: string) => query.value.get(name) ?? '';
  const change = (values: Record<string, string | null>) => setQuery({ ...values, before: null });
  const difficulty = DIFFICULTY.find(([, , from, until]) => value('from') === from && value('to') === until)?.[0] ?? '';
  const isFiltered = FILTERS.some((name) => value(name) !== '');
  return (
    <search class="bar">
      <label>
        Text or id{' '}
        <input
          type="search"
          data-search
          value={value('search')}
          placeholder={rejected ? 'in the reason' : 'in the prompt'}
          onInput={(event) => change({ search: event.currentTarget.value })}
        />
      </label>
      <label>
        Verdict{' '}
        <select value={value('verdict')} onChange={(event) => change({ verdict: event.currentTarget.value })}>
          <option value="">any</option>
          <option value="kept">kept by the filter</option>
          <option value="filtered">filtered out</option>
          <option value="unjudged">not judged</option>
          <option value="quarantined">quarantined</option>
          <option value="rejected">rejected (no task)</option>
        </select>
      </label>
      {!rejected && (
        <>
          <label>
            Difficulty{' '}
            <select
              value={difficulty}
              onChange={(event) => {
                const [, , from, until] = DIFFICULTY.find(([name]) => name === event.currentTarget.value) ?? [];
                change({ from: from ?? null, to: until ?? null });
              }}
            >
              <option value="">any</option>
              {DIFFICULTY.map(([name, text]) => (
                <option key={name} value={name}>
                  {text}
                </option>
              ))}
            </select>
          </label>
          <label>
            Origin{' '}
            <select value={value('origin')} onChange={(event) => change({ origin: event.currentTarget.value })}>
              <option value="">any</option>
              {['generated', 'base', 'validation', 'test', 'teacher'].map((origin) => (
                <option key={origin}>{origin}</option>
              ))}
            </select>
          </label>
        </>
      )}
      <label>
        Epoch{' '}
        <input
          type="number"
          min={0}
          class="short"
          value={value('epoch')}
          onInput={(event) => change({ epoch: event.currentTarget.value })}
        />
      </label>
      {value('structure') !== '' && (
        <span>
          shape <Line text={value('structure')} most={40} />
        </span>
      )}
      {isFiltered && (
        <button type="button" onClick={() => setQuery(Object.fromEntries(FILTERS.map((name) => [name, null])))}>
          Clear
        </button>
      )}
    </search>
  );
}

function Tasks({ run }: { run: string }): JSX.Element {
  const isFirst = query.value.get('before') === null;
  const version = isFirst ? (runLive.value?.version ?? 0) : 0;
  const answer = useAnswer<TaskListPage>(withQuery(to('api', 'runs', run, 'tasks'), asked()), version, {
    keep: true,
  });
  const [marked, setMarked] = useState<string | null>(null);
  return (
    <Answered answer={answer} what="Searching">
      {({ tasks, more }) => (
        <>
          {tasks.length === 0 && <p class="absent">No task matches.</p>}
          {tasks.length > 0 && (
            <Scroll label="Tasks, newest first">
              <table class="list">
                <thead>
                  <tr>
                    <th scope="col">task, newest first</th>
                    <th scope="col">success p̂</th>
                    <th scope="col">verdict</th>
                    <th scope="col">origin</th>
                    <th scope="col" class="number">
                      epoch
                    </th>
                    <th scope="col">shape</th>
                    <th scope="col">side by side</th>
                  </tr>
                </thead>
                <tbody>
                  {tasks.map((task) => (
                    <tr key={task.id}>
                      <th scope="row" class="words">
                        <a href={to('r', run, 'task', task.id)}>
                          <Line text={task.words ?? task.id} most={140} />
                        </a>
                      </th>
                      <td>
                        <Rate k={task.successes} n={task.attempts} />
                      </td>
                      <td>{verdictOf(task)}</td>
                      <td>{task.origin}</td>
                      <td class="number">{task.epoch}</td>
                      <td>
                        <Line text={task.structure} most={28} />
                      </td>
                      <td>
                        <Beside run={run} id={task.id} seedId={task.seedId} marked={marked} onMark={setMarked} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroll>
          )}
          <More more={more} before={tasks.at(-1)?.row} />
        </>
      )}
    </Answered>
  );
}

function verdictOf({ quarantined, kept, attempts }: TaskListPage['tasks'][number]): JSX.Element | string {
  if (quarantined) return <span class="rejected">quarantined</span>;
  if (kept !== null) return kept ? 'kept' : 'filtered out';
  return attempts ? '–' : 'not judged';
}

interface BesideProps {
  run: string;
  id: string;
  seedId: string | null;
  marked: string | null;
  onMark: (id: string | null) => void;
}

/** Two tasks are chosen one after the other; a variation can be set beside its seed at once. */
function Beside({ run, id, seedId, marked, onMark }: BesideProps): JSX.Element {
  const diff = (a: string, b: string) => withQuery(to('r', run, 'diff'), { a, b });
  if (marked === id) {
    return (
      <button type="button" class="link" onClick={() => onMark(null)}>
        not this one
      </button>
    );
  }
  if (marked !== null) return <a href={diff(marked, id)}>beside that one</a>;
  return (
    <>
      {seedId !== null && (
        <>
          <a href={diff(seedId, id)}>seed</a>{' '}
        </>
      )}
      <button type="button" class="link" onClick={() => onMark(id)}>
        choose
      </button>
    </>
  );
}

function More({ more, before }: { more: boolean; before: number | undefined }): JSX.Element {
  return (
    <p class="pager">
      {query.value.get('before') !== null && (
        <button type="button" onClick={() => setQuery({ before: null }, false)}>
          newest
        </button>
      )}
      {more && before !== undefined && (
        <button type="button" onClick={() => setQuery({ before: String(before) }, false)}>
          older
        </button>
      )}
    </p>
  );
}

function Rejected({ run }: { run: string }): JSX.Element {
  const { search, reason, epoch, before } = asked();
  const path = withQuery(to('api', 'runs', run, 'rejections'), { search, reason, epoch, before });
  const answer = useAnswer<RejectionPage>(path, runLive.value?.version ?? 0);
  return (
    <Answered answer={answer} what="Searching">
      {({ rejections, more }) => (
        <>
          {rejections.length === 0 ? (
            <p class="absent">No generation was rejected.</p>
          ) : (
            <RejectionTable run={run} rows={rejections} />
          )}
          <More more={more} before={rejections.at(-1)?.row} />
        </>
      )}
    </Answered>
  );
}

/** One batch: the variations of a seed in an epoch, and what became of each. */

import type { JSX } from 'preact';
import type { BatchPage as Data } from '../../api.ts';
import { to } from '../address.ts';
import { useAnswer } from '../answer.ts';
import { Rate } from '../bars.tsx';

import { runLive } from '../run-live.ts';
import { Scroll } from '../scroll.tsx';
import { Answered } from '../states.tsx';
import { Block, Line } from '../text.tsx';

export function BatchPage({ run, epoch, seed }: { run: string; epoch: string; seed: string }): JSX.Element {
  const live = runLive.value;
  const isOpen = live?.overview?.head.at?.epoch === Number(epoch);
  const answer = useAnswer<Data>(
    to('api', 'runs', run, 'epochs', epoch, 'batches', seed),
    isOpen ? (live?.version ?? 0) : 0,
  );
  return (
    <Answered answer={answer} what="Reading the batch">
      {(page) => <Batch run={run} page={page} />}
    </Answered>
  );
}

function Batch({ run, page: { epoch, seedId, words, variations } }: { run: string; page: Data }): JSX.Element {
  return (
    <>
      <div class="heading">
        <h1>Batch of epoch {epoch}</h1>
        <p>
          {variations.length} variations of <a href={to('r', run, 'task', seedId)}>{seedId}</a>
        </p>
        {words !== null && <Block text={words} />}
      </div>
      <Scroll label="Variations">
        <table class="list">
          <thead>
            <tr>
              <th scope="col">task</th>
              <th scope="col">success p̂</th>
              <th scope="col" class="number" title="p̂ the simulator is credited with (Eq. 2)">
                p̂ credited
              </th>
              <th scope="col" class="number" title="R_env (Eq. 3)">
                R_env
              </th>
              <th scope="col">filter</th>
              <th scope="col" class="number" title="in the simulator’s update">
                weight
              </th>
              <th scope="col">generation</th>
            </tr>
          </thead>
          <tbody>
            {variations.map((one, i) => (
              <Variation key={one.generationId ?? one.taskId ?? i} run={run} one={one} />
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

function Variation({ run, one }: { run: string; one: Data['variations'][number] }): JSX.Element {
  const number = (value: number | null) => value?.toFixed(3) ?? '–';
  return (
    <tr>
      <th scope="row" class="words">
        {one.taskId === null ? (
          <span class="rejected">
            rejected, {one.rejected}: <Line text={one.detail ?? ''} most={160} />
          </span>
        ) : (
          <a href={to('r', run, 'task', one.taskId)}>
            <Line text={one.words ?? one.taskId} most={140} />
          </a>
        )}
      </th>
      <td>
        {one.attempts === null ? (
          <span class="soft">{one.taskId === null ? '' : 'not attempted yet'}</span>
        ) : (
          <Rate k={one.successes} n={one.attempts} />
        )}
      </td>
      <td class="number">{number(one.successRate)}</td>
      <td class="number">{number(one.envReward)}</td>
      <td>{one.kept === null ? '–' : one.kept ? 'kept' : 'left out'}</td>
      <td class="number">{number(one.weight)}</td>
      <td>
        {one.generationId === null ? (
          '–'
        ) : (
          <a href={to('r', run, 'generation', one.generationId)}>{one.generationId}</a>
        )}
      </td>
    </tr>
  );
}

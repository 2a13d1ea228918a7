/** The run in a row of numbers, each with how it has changed since the start. */
import type { JSX } from 'preact';
import { compact, percent, rate, signed } from '../../../report/number.ts';
import type { EpochRow, RunHead } from '../../api.ts';
import { bandShare, type Column, firstAndLast, metric, successRate } from './columns.ts';

interface Tile {
  name: string;
  about: string;
  value: string;
  change: string | null;
}

export function Tiles({ head, rows }: { head: RunHead; rows: readonly EpochRow[] }): JSX.Element {
  const { ledger } = head;
  const share = (name: string, about: string, values: Column): Tile => {
    const ends = firstAndLast(values);
    return {
      name,
      about,
      value: ends ? rate(ends.last) : '–',
      change: ends ? signed(ends.last - ends.first) : null,
    };
  };
  const amount = (name: string, about: string, values: Column): Tile => {
    const ends = firstAndLast(values);
    return {
      name,
      about,
      value: ends ? ends.last.toFixed(1) : '–',
      change: ends && ends.first !== 0 ? percentChange(ends.last / ends.first - 1) : null,
    };
  };
  const tiles: Tile[] = [
    share('success on generated tasks', 'p̂ over all attempts of the epoch', successRate(rows)),
    share('tasks in the band', 'share of generated tasks with |p̂ − α| ≤ k_min', bandShare(rows, head.band)),
    share('tasks that teach', 'share solved sometimes: only these have a gradient', metric(rows, 'env/usefulShare')),
    share('validation', 'success on tasks nobody trains on', metric(rows, 'val/successRate')),
    amount('tokens a rollout', 'mean length of the agent’s answers', metric(rows, 'agent/responseTokens')),
    share('diversity', 'entropy of task shapes over its maximum', metric(rows, 'env/diversity')),
    {
      name: 'rejected',
      about: 'share of what the simulator wrote that became no task',
      value: ledger.generations > 0 ? percent(ledger.rejectedGenerations / ledger.generations) : '–',
      change:
        ledger.generations > 0 ? `${compact(ledger.rejectedGenerations)} of ${compact(ledger.generations)}` : null,
    },
    {
      name: 'tokens written',
      about: 'by the agent and by the simulator',
      value: compact(ledger.agentTokens + ledger.environmentTokens),
      change: `${compact(ledger.agentTokens)} + ${compact(ledger.environmentTokens)}`,
    },
  ];
  return (
    <dl class="tiles">
      {tiles.map(({ name, about, value, change }) => (
        <div key={name} title={about}>
          <dt>{name}</dt>
          <dd>
            <b>{value}</b>
            {change !== null && <small>{change}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const percentChange = (share: number) =>
  `${share > 0 ? '+' : share < 0 ? '−' : ''}${Math.abs(Math.round(100 * share))} %`;

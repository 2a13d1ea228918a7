/** The commonest shapes of generated tasks in an epoch, with the share each has and how it is solved. */
import type { JSX } from 'preact';
import { percent } from '../../report/number.ts';
import type { EpochPage } from '../api.ts';
import { to, withQuery } from './address.ts';
import { Rate } from './bars.tsx';
import { Ban } from './control/ban.tsx';
import { Panel } from './panel.tsx';

import { Line } from './text.tsx';

export function StructureList({
  run,
  epoch,
  page,
}: {
  run: string;
  epoch: number;
  page: EpochPage | null;
}): JSX.Element {
  const all = page?.row?.facts?.tasks.reduce((sum, [, , count]) => sum + count, 0) ?? 0;
  const rows = page?.structures ?? [];
  return (
    <Panel
      title="Shapes of tasks"
      about="Tasks of one shape differ in their values only. A shape that takes over is a simulator that found one trick."
      note={`epoch ${epoch}`}
    >
      {rows.length === 0 ? (
        <p class="absent">{page ? 'No generated task was attempted.' : 'Loading …'}</p>
      ) : (
        <ul class="shares">
          {rows.slice(0, 8).map(({ structure, tasks, successes, attempts }) => (
            <li key={structure}>
              <span>
                <a href={withQuery(to('r', run, 'tasks'), { structure, epoch })}>
                  <Line text={structure} most={60} />
                </a>{' '}
                <Ban structure={structure} />
              </span>
              <span class="share">
                <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                  <rect width={all > 0 ? (100 * tasks) / all : 0} height="8" />
                </svg>
                <small>{all > 0 ? percent(tasks / all) : tasks}</small>
              </span>
              <Rate k={successes} n={attempts} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** The tree a task stands in: seed → variation → …, with its siblings and what was written from it. */
import type { JSX } from 'preact';
import type { PassportPage } from '../api.ts';
import { to, withQuery } from './address.ts';
import { Rate } from './bars.tsx';

import { Line } from './text.tsx';

type Relatives = PassportPage['relatives'];
type Relative = Relatives['line'][number];

export function Lineage({
  run,
  relatives,
  variations,
}: {
  run: string;
  relatives: Relatives;
  variations: number;
}): JSX.Element {
  const { line, siblings, children } = relatives;
  const self = line.at(-1);
  const branch = (depth: number): JSX.Element | null => {
    const one = line[depth];
    if (!one) return null;
    const isSelf = one === self;
    return (
      <ul class="tree">
        <li>
          <Node run={run} one={one} isSelf={isSelf} />
          {isSelf ? <Leaves run={run} list={children} all={variations} /> : branch(depth + 1)}
          {depth === line.length - 2 && siblings.length > 0 && <Siblings run={run} list={siblings} />}
        </li>
      </ul>
    );
  };
  return branch(0) ?? <p class="absent">Its lineage is not known.</p>;
}

function Node({ run, one, isSelf }: { run: string; one: Relative; isSelf: boolean }): JSX.Element {
  const text = <Line text={one.words ?? one.id} most={90} />;
  return (
    <span class={isSelf ? 'node self' : 'node'}>
      {isSelf ? <b aria-current="true">{text}</b> : <a href={to('r', run, 'task', one.id)}>{text}</a>}
      <small class="soft">
        {one.origin}
        {one.epoch > 0 ? `, epoch ${one.epoch}` : ''}
      </small>
      <Rate k={one.successes} n={one.attempts} />
      {isSelf && one.seedId !== null && (
        <a href={withQuery(to('r', run, 'diff'), { a: one.seedId, b: one.id })}>what the edit changed</a>
      )}
    </span>
  );
}

const Siblings = ({ run, list }: { run: string; list: readonly Relative[] }) => (
  <details>
    <summary>{list.length} more variations of it in the same epoch</summary>
    <ul class="tree">
      {list.map((one) => (
        <li key={one.id}>
          <Node run={run} one={one} isSelf={false} />
        </li>
      ))}
    </ul>
  </details>
);

function Leaves({ run, list, all }: { run: string; list: readonly Relative[]; all: number }): JSX.Element | null {
  if (list.length === 0) return null;
  return (
    <details open={list.length <= 6}>
      <summary>
        {all} written from this one{all > list.length ? `, the first ${list.length} of them` : ''}
      </summary>
      <ul class="tree">
        {list.map((one) => (
          <li key={one.id}>
            <Node run={run} one={one} isSelf={false} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Success as a small bar with the band behind it, that of the epoch on screen: the same wherever a rate is listed. */
import type { JSX } from 'preact';
import { inBand } from '../../core/curriculum.ts';
import { bandIn } from '../../core/stepped-band.ts';
import { NONE } from '../../report/number.ts';
import { route } from './route.ts';
import { runLive } from './run-live.ts';

export function Rate({ rate, k, n }: { rate?: number | null; k?: number | null; n?: number | null }): JSX.Element {
  const value = rate ?? (n ? (k ?? 0) / n : null);
  const head = runLive.value?.overview?.head;
  if (value === null) return <span class="soft">{NONE}</span>;
  const here = route.value;
  const epoch = 'epoch' in here ? Number(here.epoch) : Number.POSITIVE_INFINITY;
  const band = head && bandIn(head.band, epoch);
  const inside = band && inBand(value, band);
  return (
    <span class={inside ? 'rate inside' : 'rate'}>
      <b>{value.toFixed(2)}</b>
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        {band && <rect class="band" x={100 * (band.alpha - band.kMin)} width={200 * band.kMin} y="0" height="10" />}
        <rect class="fill" x="0" width={100 * value} y="3" height="4" />
        <rect class="tip" x={Math.min(97, 100 * value)} width="3" y="0" height="10" />
      </svg>
      {n !== undefined && n !== null && (
        <small>
          {k}/{n}
        </small>
      )}
    </span>
  );
}

/** Solved, sometimes solved and never solved, as one bar. */
export function Outcomes({
  solved,
  partial,
  unsolved,
}: {
  solved: number;
  partial: number;
  unsolved: number;
}): JSX.Element {
  const all = solved + partial + unsolved;
  if (all === 0) return <span class="soft">{NONE}</span>;
  const parts = [
    ['solved', solved],
    ['partial', partial],
    ['unsolved', unsolved],
  ] as const;
  let x = 0;
  return (
    <span class="outcomes" title={parts.map(([name, count]) => `${count} ${NAMES[name]}`).join(', ')}>
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        {parts.map(([name, count]) => {
          const width = (100 * count) / all;
          const rect = <rect key={name} class={name} x={x} width={width} y="0" height="10" />;
          x += width;
          return rect;
        })}
      </svg>
      <small>
        {solved} / {partial} / {unsolved}
      </small>
    </span>
  );
}

const NAMES = { solved: 'always solved', partial: 'solved sometimes', unsolved: 'never solved' };

/** A chart with its legend. The legend says the values at the place pointed at, or the last ones. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { isDark } from '../theme.ts';
import { rem } from './colours.ts';
import { columnOf, dataOf, optionsFor, valueAt, valueText } from './options.ts';
import type { ChartSpec } from './types.ts';

const HEIGHT = 220;

export function Chart(spec: ChartSpec): JSX.Element {
  const { x, lines, height = HEIGHT, onPick, xName, label, pickHint } = spec;
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [at, setAt] = useState<number | null>(null);
  const [off, setOff] = useState<readonly string[]>([]);
  const shown = useMemo(
    () => ({ ...spec, lines: lines.filter(({ name }) => !off.includes(name)) }),
    [spec, off, lines],
  );
  const current = useRef(shown);
  current.current = shown;
  const dark = isDark.value;
  // What makes a new drawing rather than new data in the old one.
  const shape = JSON.stringify([
    shown.lines.map(({ name, colour, dash, axis, stacked, thread, range }) => [
      name,
      colour,
      dash,
      axis,
      stacked,
      thread,
      !range,
    ]),
    spec.band,
    spec.levels,
    spec.yRange,
    height,
    dark,
    x.length <= 40,
  ]);

  // The shape stands for everything the drawing is made of.
  useEffect(() => {
    const element = holder.current;
    if (!element) return;
    const size = () => ({ width: Math.max(120, element.clientWidth), height: (height * rem()) / 15 });
    const options = optionsFor(current.current, () => current.current, size());
    options.hooks = { ...options.hooks, setCursor: [(u) => setAt(u.cursor.idx ?? null)] };
    const drawn = new uPlot(options, dataOf(current.current), element);
    plot.current = drawn;
    const watcher = new ResizeObserver(() => drawn.setSize(size()));
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      drawn.destroy();
      plot.current = null;
    };
  }, [shape]);

  useEffect(() => {
    plot.current?.setData(dataOf(shown));
  }, [shown]);

  const last = x.length - 1;
  const index = at === null || at > last ? last : at;
  const goTo = (next: number) => {
    const u = plot.current;
    if (!u || last < 0) return;
    const i = Math.min(last, Math.max(0, next));
    const first = shown.lines.findIndex(({ values }) => values[i] !== null && values[i] !== undefined);
    const value = first < 0 ? null : dataOf(shown)[columnOf(shown.lines, first)]?.[i];
    const scale = shown.lines[first]?.axis === 'right' ? 'right' : 'y';
    u.setCursor({
      left: u.valToPos(x[i]!, 'x'),
      top: value === null || value === undefined ? 10 : u.valToPos(value, scale),
    });
    setAt(i);
  };
  const onKey = (event: KeyboardEvent) => {
    const moves: Record<string, number> = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: last };
    const next = at === null && event.key.startsWith('Arrow') ? index : moves[event.key];
    if (next !== undefined) goTo(next);
    else if (event.key === 'Enter' && onPick && last >= 0) onPick(index);
    else return;
    event.preventDefault();
  };
  const said = lines
    .filter(({ quiet }) => !quiet)
    .map((line) => `${line.name} ${valueText(line, valueAt(line, index))}`)
    .join(', ');

  return (
    <div class="chart">
      <Legend spec={spec} index={index} off={off} pointed={at !== null} onToggle={setOff} />
      <div
        ref={holder}
        class={onPick ? 'plot pickable' : 'plot'}
        role="slider"
        tabIndex={0}
        aria-label={onPick ? `${label}. ${pickHint ?? 'Enter opens what is pointed at'}` : label}
        aria-valuemin={x[0] ?? 0}
        aria-valuemax={x[last] ?? 0}
        aria-valuenow={x[index] ?? 0}
        aria-valuetext={last < 0 ? 'no data' : `${xName} ${x[index]}: ${said}`}
        onKeyDown={onKey}
        onBlur={() => setAt(null)}
        onClick={() => {
          const pointed = plot.current?.cursor.idx;
          if (onPick && pointed !== null && pointed !== undefined) onPick(pointed);
        }}
      />
    </div>
  );
}

interface LegendProps {
  spec: ChartSpec;
  index: number;
  off: readonly string[];
  pointed: boolean;
  onToggle: (off: readonly string[]) => void;
}

function Legend({ spec, index, off, pointed, onToggle }: LegendProps): JSX.Element {
  const { lines, dots, x, xName } = spec;
  const named = lines.filter(({ quiet }) => !quiet);
  const toggle = (name: string) => onToggle(off.includes(name) ? off.filter((one) => one !== name) : [...off, name]);
  const last = (values: readonly (number | null)[]) => values.findLast((value) => value !== null);
  return (
    <ul class="legend">
      {named.map((line) => (
        <li key={line.name}>
          <button type="button" aria-pressed={!off.includes(line.name)} onClick={() => toggle(line.name)}>
            <Swatch line={line} />
            {line.name} <b>{valueText(line, pointed ? valueAt(line, index) : last(line.values))}</b>
          </button>
        </li>
      ))}
      {dots && (
        <li>
          <svg class={`swatch ink-${dots.colour}`} viewBox="0 0 24 8" aria-hidden="true">
            <circle cx="6" cy="4" r="2" fill="currentColor" fill-opacity=".4" />
            <circle cx="17" cy="4" r="3.5" fill="currentColor" fill-opacity=".4" />
          </svg>
          {dots.name}
        </li>
      )}
      {pointed && x.length > 0 && (
        <li class="soft">
          {xName} {x[index]}
        </li>
      )}
    </ul>
  );
}

const Swatch = ({ line }: { line: ChartSpec['lines'][number] }) => (
  <svg class={`swatch ink-${line.colour}`} viewBox="0 0 24 8" aria-hidden="true">
    {line.stacked ? (
      <rect width="24" height="8" rx="1.5" fill="currentColor" />
    ) : (
      <path
        d="M0 4H24"
        stroke="currentColor"
        stroke-width={line.thread ? 1 : 2.5}
        stroke-dasharray={line.dash?.join(' ')}
        fill="none"
      />
    )}
  </svg>
);

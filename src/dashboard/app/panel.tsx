/** A titled piece of a page. Its title is in words; what exactly is drawn, and under which key, is one hover or Tab away. */

import type { ComponentChildren, JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Chart } from './chart/chart.tsx';
import { valueText } from './chart/options.ts';
import type { ChartSpec } from './chart/types.ts';
import { Scroll } from './scroll.tsx';

export interface PanelProps {
  title: string;
  /** What it means, how it is computed and from which metric. */
  about?: string;
  keys?: readonly string[];
  wide?: boolean;
  note?: ComponentChildren;
  children?: ComponentChildren;
}

export function Panel({ title, about, keys = [], wide = false, note, children }: PanelProps): JSX.Element {
  const id = useId();
  return (
    <section class={wide ? 'panel wide' : 'panel'} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {(about !== undefined || keys.length > 0) && <About title={title} about={about ?? ''} keys={keys} />}
        {note !== undefined && <span class="panel-note soft">{note}</span>}
      </header>
      {children}
    </section>
  );
}

function About({ title, about, keys }: { title: string; about: string; keys: readonly string[] }): JSX.Element {
  const id = useId();
  return (
    <span class="about">
      <button type="button" aria-label={`What is ${title}?`} aria-describedby={id}>
        ?
      </button>
      <span role="tooltip" id={id}>
        {about}
        {keys.map((key) => (
          <code key={key}>{key}</code>
        ))}
      </span>
    </span>
  );
}

/** A chart in a panel, or its numbers as a table; where there is nothing to draw it says so. */
export function ChartPanel({
  spec,
  absent,
  ...panel
}: Omit<PanelProps, 'children'> & { spec: ChartSpec; absent: string }): JSX.Element {
  const [asTable, setAsTable] = useState(false);
  const isEmpty = !spec.lines.some(({ values }) => values.some((value) => value !== null)) && !spec.dots?.at.length;
  return (
    <Panel
      {...panel}
      note={
        <>
          {panel.note}
          {!isEmpty && (
            <button type="button" class="link" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
              {asTable ? 'chart' : 'table'}
            </button>
          )}
        </>
      }
    >
      {isEmpty ? <p class="absent">{absent}</p> : asTable ? <Numbers spec={spec} /> : <Chart {...spec} />}
    </Panel>
  );
}

function Numbers({ spec: { x, xName, lines } }: { spec: ChartSpec }): JSX.Element {
  const shown = lines.filter(({ quiet }) => !quiet);
  return (
    <Scroll label="Numbers of the chart" kind="scroll numbers">
      <table>
        <thead>
          <tr>
            <th scope="col">{xName}</th>
            {shown.map(({ name }) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {x.map((at, i) => (
            <tr key={at}>
              <th scope="row">{at}</th>
              {shown.map((line) => (
                <td key={line.name}>{valueText(line, line.values[i])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** A run at a glance. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { EpochRow, RunHead } from '../../api.ts';
import { ControlPanel } from '../control/panel.tsx';
import { Hero } from '../overview/hero.tsx';
import { Learning } from '../overview/learning.tsx';
import { Ledger, Notes, Settings } from '../overview/ledger.tsx';
import { Supply } from '../overview/supply.tsx';
import { Tiles } from '../overview/tiles.tsx';
import { runLive } from '../run-live.ts';
import { Failed, Loading } from '../states.tsx';
import { Line } from '../text.tsx';

export function OverviewPage(): JSX.Element {
  const live = runLive.value;
  if (!live?.overview) return live?.error ? <Failed error={live.error} /> : <Loading what="Reading the run" />;
  const { head, epochs, notes, stride } = live.overview;
  return (
    <>
      <Heading head={head} />
      <ControlPanel run={head.id} epoch={lastWritten(epochs)} />
      <Tiles head={head} rows={epochs} />
      <Hero head={head} rows={epochs} stride={stride} />
      <AfterFirstChart>
        <Learning head={head} rows={epochs} version={live.version} />
        <Supply head={head} rows={epochs} version={live.version} />
        <Ledger head={head} />
        <Settings head={head} />
        <Notes head={head} notes={notes} />
      </AfterFirstChart>
    </>
  );
}

/** The last epoch that has tasks to look at. */
const lastWritten = (rows: readonly EpochRow[]) => rows.findLast(({ facts }) => (facts?.tasks.length ?? 0) > 0)?.epoch;

/** The chart to look at first is painted first; a frame later, all others. */
function AfterFirstChart({ children }: { children: ComponentChildren }): JSX.Element {
  const [painted, setPainted] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setTimeout(() => setPainted(true)));
    return () => cancelAnimationFrame(frame);
  }, []);
  return <div class="panels">{painted && children}</div>;
}

const PHASES = {
  prepare: 'preparing',
  generate: 'writing tasks',
  rollout: 'attempting tasks',
  score: 'scoring',
  updateAgent: 'training the agent',
  updateEnv: 'training the simulator',
  evaluate: 'validating',
  aggregate: 'aggregating',
};

/** On the local engine the first minutes of a first run go by before anything is written. */
const BEFORE_LOCAL =
  'getting the players ready: new models are first taught the language of the world, which takes minutes, once';

function Heading({ head }: { head: RunHead }): JSX.Element {
  const { id, variant, benchmark, engine, seed, epochs, at, status, hold } = head;
  return (
    <div class="heading">
      <h1>
        <Line text={id} />
      </h1>
      <p>
        {variant} · {benchmark} world · {engine} engine · seed {seed}
      </p>
      <p class="soft">
        {epochs.done} of {epochs.of} epochs
        {status !== 'finished' && at && (
          <>
            {' '}
            · epoch {at.epoch}, {PHASES[at.phase]}
            {at.units > 1 && at.done < at.units ? ` ${at.done}/${at.units}` : ''}
          </>
        )}
        {status === 'running' && !at && ` · ${engine === 'local' ? BEFORE_LOCAL : 'preparing'}`}
        {hold !== null && <b> · {hold === 'paused' ? 'paused' : 'stops when this phase is over'}</b>}
        {status === 'stopped' && (
          <>
            {' '}
            · go on with <code>genenv resume {id}</code>
          </>
        )}
      </p>
    </div>
  );
}

/** What surrounds every page: where you are, where you can go, and whether what you see is live. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { to } from './address.ts';
import { route } from './route.ts';
import { runLive } from './run-live.ts';
import { Line } from './text.tsx';
import { choice, nextTheme } from './theme.ts';
import { ago, clock } from './time.ts';

export function Frame({ children, onHelp }: { children: ComponentChildren; onHelp: () => void }): JSX.Element {
  return (
    <>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <header class="top">
        <a class="brand" href="/">
          GenEnv
        </a>
        <Where />
        <nav class="tabs" aria-label="Pages">
          <Tabs />
        </nav>
        <div class="tools">
          <LiveBadge />
          <button
            type="button"
            onClick={nextTheme}
            aria-label={`Theme: ${choice.value}. Press for the next one`}
            title={`Theme: ${choice.value} (t)`}
          >
            {{ auto: '◐', light: '☀', dark: '☾' }[choice.value]}
          </button>
          <button type="button" onClick={onHelp} aria-label="Keyboard shortcuts" title="Keyboard shortcuts (?)">
            ?
          </button>
        </div>
      </header>
      <StaleBanner />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

function Where(): JSX.Element | null {
  const current = route.value;
  if (!('run' in current)) return null;
  const { run } = current;
  const parts: { text: string; href: string | null }[] = [{ text: run, href: to('r', run) }];
  if (current.page === 'epoch' || current.page === 'batch') {
    parts.push({ text: `epoch ${current.epoch}`, href: to('r', run, 'epoch', current.epoch) });
  }
  if (current.page === 'batch') parts.push({ text: 'batch', href: null });
  if (current.page === 'task' || current.page === 'rollouts') {
    parts.push({ text: current.task.slice(0, 10), href: to('r', run, 'task', current.task) });
  }
  if (current.page === 'rollouts') parts.push({ text: 'rollouts', href: null });
  if (current.page === 'generation') parts.push({ text: `generation ${current.id}`, href: null });
  return (
    <nav class="where" aria-label="Where you are">
      <ol>
        {parts.map(({ text, href }, i) => {
          const isLast = i === parts.length - 1;
          return (
            <li key={href ?? text}>
              {href !== null && !isLast ? (
                <a href={href}>
                  <Line text={text} most={40} />
                </a>
              ) : (
                <span aria-current={isLast ? 'page' : undefined}>
                  <Line text={text} most={40} />
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function Tabs(): JSX.Element {
  const current = route.value;
  const tab = (name: string, href: string, isHere: boolean) => (
    <a href={href} aria-current={isHere ? 'page' : undefined}>
      {name}
    </a>
  );
  if (!('run' in current)) {
    return (
      <>
        {tab('Runs', '/', current.page === 'runs')}
        {tab('Compare', '/compare', current.page === 'compare')}
      </>
    );
  }
  const { run, page } = current;
  return (
    <>
      {tab('Overview', to('r', run), page === 'overview')}
      {tab('Tasks', to('r', run, 'tasks'), page === 'tasks')}
      {tab('Metrics', to('r', run, 'metrics'), page === 'metrics')}
      {tab('Compare', `/compare?run=${encodeURIComponent(run)}`, false)}
    </>
  );
}

/** Ticks once a second, so that "12 sec. ago" stays true. */
function useNow(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function LiveBadge(): JSX.Element | null {
  const live = runLive.value;
  const now = useNow();
  if (!live?.overview) return null;
  const { status, writtenAt, hold } = live.overview.head;
  if (live.connection === 'lost') return <span class="badge lost">not connected</span>;
  const when = writtenAt === null ? '' : `last written ${ago(writtenAt, now)}`;
  return (
    <span class={`badge ${hold ?? status}`} title={when} role="status">
      {hold ?? (status === 'running' ? 'live' : status)}
    </span>
  );
}

function StaleBanner(): JSX.Element | null {
  const live = runLive.value;
  if (!live) return null;
  if (live.problem !== null) {
    return (
      <p class="banner" role="alert">
        {live.problem}
      </p>
    );
  }
  if (live.connection !== 'lost' || !live.overview) return null;
  return (
    <p class="banner" role="status">
      The dashboard does not answer; this is from {clock(live.heardAt)}. Trying again … (is <code>genenv ui</code>{' '}
      running?)
    </p>
  );
}

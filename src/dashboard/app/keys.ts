/** Keys that work everywhere except where text is typed. */
import { to } from './address.ts';
import { navigate, route } from './route.ts';
import { runLive } from './run-live.ts';
import { nextTheme } from './theme.ts';

export const KEYS: readonly [keys: string, does: string][] = [
  ['/', 'go to the search or filter of the page'],
  ['o', 'overview of the run'],
  ['s', 'search its tasks'],
  ['m', 'all its metrics'],
  ['[ and ]', 'the epoch before and after'],
  ['← and →', 'on a chart: walk along it; Enter opens what is pointed at'],
  ['r', 'all runs'],
  ['t', 'light, dark or as the system'],
  ['?', 'this list'],
];

/** Returns how to stop. */
export function listenForKeys(onHelp: () => void): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return;
    if (event.target instanceof Element && event.target.closest('input, textarea, select, dialog')) return;
    const act = actions(onHelp)[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}

function actions(onHelp: () => void): Record<string, () => void> {
  const current = route.value;
  const run = 'run' in current ? current.run : null;
  const inRun = (...parts: string[]) =>
    run === null ? {} : { [parts[0]!]: () => navigate(to('r', run, ...parts.slice(1))) };
  const epoch = 'epoch' in current ? Number(current.epoch) : null;
  const last = runLive.value?.overview?.epochs.at(-1)?.epoch ?? 0;
  const toEpoch = (next: number) => () => {
    if (run !== null) navigate(to('r', run, 'epoch', Math.min(last, Math.max(0, next))));
  };
  return {
    '/': () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
    '?': onHelp,
    t: nextTheme,
    r: () => navigate('/'),
    ...inRun('o'),
    ...inRun('s', 'tasks'),
    ...inRun('m', 'metrics'),
    ...(run === null ? {} : { '[': toEpoch((epoch ?? last + 1) - 1), ']': toEpoch((epoch ?? -1) + 1) }),
  };
}

/** Where the reader is, as the URL says: every page, filter and selection can be linked to, reloaded and gone back from. */
import { computed, signal } from '@preact/signals';

interface Location {
  path: string;
  query: string;
}

const here = (): Location => ({ path: location.pathname, query: location.search });

export const place = signal<Location>(here());

export const query = computed(() => new URLSearchParams(place.value.query));

export type Route =
  | { page: 'runs' }
  | { page: 'compare' }
  | { page: 'overview' | 'metrics' | 'tasks' | 'diff'; run: string }
  | { page: 'epoch'; run: string; epoch: string }
  | { page: 'batch'; run: string; epoch: string; seed: string }
  | { page: 'task' | 'rollouts'; run: string; task: string }
  | { page: 'generation'; run: string; id: string }
  | { page: 'nowhere' };

export const route = computed((): Route => parse(place.value.path));

export function parse(path: string): Route {
  const parts = path.split('/').filter(Boolean).map(decoded);
  const [first, run, what, id, more, last] = parts;
  if (parts.length === 0) return { page: 'runs' };
  if (first === 'compare' && parts.length === 1) return { page: 'compare' };
  if (first !== 'r' || run === undefined) return { page: 'nowhere' };
  if (what === undefined) return { page: 'overview', run };
  if (parts.length === 3 && (what === 'metrics' || what === 'tasks' || what === 'diff')) return { page: what, run };
  if (what === 'epoch' && id !== undefined) {
    if (more === 'batch' && last !== undefined) return { page: 'batch', run, epoch: id, seed: last };
    if (parts.length === 4) return { page: 'epoch', run, epoch: id };
  }
  if (what === 'task' && id !== undefined) {
    if (more === 'rollouts') return { page: 'rollouts', run, task: id };
    if (parts.length === 4) return { page: 'task', run, task: id };
  }
  if (what === 'generation' && id !== undefined) return { page: 'generation', run, id };
  return { page: 'nowhere' };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A path of encoded parts: `to('r', run, 'task', id)`. */
export const to = (...parts: readonly (string | number)[]): string =>
  `/${parts.map((part) => encodeURIComponent(part)).join('/')}`;

export function withQuery(path: string, values: Record<string, string | number | null | undefined>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== '') search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

export function navigate(url: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  const before = place.value.path;
  place.value = here();
  if (!replace && before !== place.value.path) scrollTo(0, 0);
}

/** Changes some of the query and keeps the rest. A filter being typed replaces the page in the history. */
export function setQuery(values: Record<string, string | readonly string[] | null>, replace = true): void {
  const next = new URLSearchParams(place.value.query);
  for (const [name, value] of Object.entries(values)) {
    next.delete(name);
    if (value === null || value === '') continue;
    for (const one of typeof value === 'string' ? [value] : value) next.append(name, one);
  }
  const text = next.toString();
  navigate(place.value.path + (text === '' ? '' : `?${text}`), { replace });
}

/** Plain links, followed without loading the page again. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    place.value = here();
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link?.target !== '' || link.origin !== location.origin || link.hasAttribute('download')) return;
    if (link.pathname === location.pathname && link.hash !== '') return;
    event.preventDefault();
    navigate(link.pathname + link.search);
  });
}

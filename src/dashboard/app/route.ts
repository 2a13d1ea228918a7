/** Where the reader is, as the URL says: every page, filter and selection can be linked to, reloaded and gone back from. */
import { computed, signal } from '@preact/signals';
import { parse, type Route } from './address.ts';

interface Location {
  path: string;
  query: string;
}

const here = (): Location => ({ path: location.pathname, query: location.search });

export const place = signal<Location>(here());

export const query = computed(() => new URLSearchParams(place.value.query));

export const route = computed((): Route => parse(place.value.path));

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

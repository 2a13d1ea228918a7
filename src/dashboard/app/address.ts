/** Addresses inside the page: what they mean, and how they are written. */

export type Route =
  | { page: 'runs' }
  | { page: 'compare' }
  | { page: 'overview' | 'metrics' | 'tasks' | 'diff'; run: string }
  | { page: 'epoch'; run: string; epoch: string }
  | { page: 'batch'; run: string; epoch: string; seed: string }
  | { page: 'task' | 'rollouts'; run: string; task: string }
  | { page: 'generation'; run: string; id: string }
  | { page: 'nowhere' };

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

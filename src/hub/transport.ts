/** The way to the hub: the environment's proxies, and the token for the hub alone. */
import type { Dispatcher } from 'undici';
import type { Hub } from './repository.ts';

/** Files are served from other hosts after a redirection; those are told nothing. */
export function withToken(dispatcher: Dispatcher, { endpoint, token }: Hub): Dispatcher {
  if (token === undefined) return dispatcher;
  const { origin } = new URL(endpoint);
  return dispatcher.compose((dispatch) => (options, handler) => {
    if (new URL(String(options.origin)).origin !== origin) return dispatch(options, handler);
    return dispatch({ ...options, headers: authorised(options.headers, token) }, handler);
  });
}

/** Headers come as a list of names and values in turn, as pairs, or as an object. */
function authorised(headers: Dispatcher.DispatchOptions['headers'], token: string): string[] {
  const own = ['authorization', `Bearer ${token}`];
  if (!headers) return own;
  if (Array.isArray(headers)) return [...headers, ...own];
  const pairs = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  return [...pairs.flatMap(([name, value]) => [value ?? []].flat().flatMap((text) => [name, text])), ...own];
}

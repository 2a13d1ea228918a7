/**
 * The token that a run is steered with. It comes behind the # of the link, or is typed in; it stays in this tab and goes
 * nowhere but into the header of a request.
 */

const KEY = 'genenv-control';
const NAME = /^#control=([^&]+)$/;

/** For browsers that keep nothing. */
const kept = new Map<string, string>();

/** Takes the token out of the address, so that nobody copies it with the link. */
export function takeTokenFromAddress(): void {
  const found = NAME.exec(location.hash)?.[1];
  if (found === undefined) return;
  history.replaceState(null, '', location.pathname + location.search);
  try {
    keep(KEY, decodeURIComponent(found));
  } catch {
    // A broken link holds no token; the page will ask for it.
  }
}

/** That of the run, or the one the page was opened with. */
export const tokenOf = (run: string): string | null => find(`${KEY} ${run}`) ?? find(KEY);

export const rememberToken = (run: string, token: string): void => keep(`${KEY} ${run}`, token);

function keep(key: string, token: string): void {
  kept.set(key, token);
  try {
    sessionStorage.setItem(key, token);
  } catch {
    // It is kept until the page is closed.
  }
}

function find(key: string): string | null {
  try {
    return kept.get(key) ?? sessionStorage.getItem(key);
  } catch {
    return kept.get(key) ?? null;
  }
}

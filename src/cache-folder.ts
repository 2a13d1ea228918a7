/** Where this user's caches live: models that were warmed up, and benchmark data that was pulled. */
import { homedir } from 'node:os';
import { join } from 'node:path';

/** GENENV_CACHE, or the platform's place for caches. */
export function cacheFolder(): string {
  const { GENENV_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (GENENV_CACHE) return GENENV_CACHE;
  if (process.platform === 'win32' && LOCALAPPDATA) return join(LOCALAPPDATA, 'genenv');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'genenv');
  return join(XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'genenv');
}

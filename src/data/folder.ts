/** Where a benchmark's data lives on this machine. */
import { join } from 'node:path';
import { cacheFolder } from '../cache-folder.ts';

/** A copy that the user points at comes before the one in the cache. */
export const dataFolder = (benchmark: string): string =>
  join(process.env.GENENV_DATA || join(cacheFolder(), 'data'), benchmark);

/** Whether the user keeps the data, so that messages can say whose folder it is. */
export const isUsersOwn = (): boolean => Boolean(process.env.GENENV_DATA);

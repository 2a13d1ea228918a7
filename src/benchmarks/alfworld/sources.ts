/** Where the data comes from. The one archive is enough: worlds and episodes are made from it (release.ts). */
import type { DataFile } from '../data.ts';

/** The text games of release 0.4.2, the one that `alfworld-download` fetches. */
export const RELEASE_ARCHIVE: DataFile = {
  path: 'json_2.1.3_tw-pddl.zip',
  url: 'https://github.com/alfworld/alfworld/releases/download/0.4.2/json_2.1.3_tw-pddl.zip',
  bytes: 36_507_267,
  sha256: '5df77ea759f2211a4106082839ddbbb790f1ba4e7d097ed732cf453f72aa36cf',
};

export const ALFWORLD_SOURCES: readonly DataFile[] = [RELEASE_ARCHIVE];

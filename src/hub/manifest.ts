/** What a pulled folder is: written beside the files, so that anyone can tell which model, and check it. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const MANIFEST = 'genenv-model.json';

export interface Manifest {
  repository: string;
  endpoint: string;
  /** What was asked for, and the commit it was. */
  revision: string;
  commit: string;
  files: { path: string; bytes: number; sha256: string }[];
}

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const path = join(folder, MANIFEST);
  await writeFile(`${path}.new`, `${JSON.stringify(manifest, null, 2)}\n`);
  await rename(`${path}.new`, path);
}

/** The repository this folder was pulled from; undefined where none was. */
export async function pulledFrom(folder: string): Promise<string | undefined> {
  try {
    const { repository } = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Partial<Manifest>;
    return typeof repository === 'string' ? repository : undefined;
  } catch {
    return undefined;
  }
}

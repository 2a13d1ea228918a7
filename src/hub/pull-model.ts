/** A model from the hub into a folder: pinned to a commit, every file checked, going on where it was broken off. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dispatcher } from 'undici';
import { hashFile, sizeOf } from '../data/check.ts';
import { download } from '../data/download.ts';
import { checksum, type KnownFile, wanted } from '../data/known-file.ts';
import { chooseFiles } from './choose-files.ts';
import { listFiles } from './list-files.ts';
import { type Manifest, pulledFrom, writeManifest } from './manifest.ts';
import { type Hub, HubError, repositoryName, revisionName } from './repository.ts';
import { withToken } from './transport.ts';

export interface ModelPull {
  hub: Hub;
  repository: string;
  revision: string;
  /** Patterns of file names; none for the usual ones. */
  files: readonly string[];
  folder: string;
  dispatcher: Dispatcher;
  signal: AbortSignal;
  /** Bytes in place, of how many, and the file at hand. */
  onProgress(done: number, total: number, path: string): void;
  backoffMs?: number;
}

export interface PulledModel {
  manifest: Manifest;
  fetched: number;
  kept: number;
}

export async function pullModel(asked: ModelPull): Promise<PulledModel> {
  const { hub, folder, signal } = asked;
  const dispatcher = withToken(asked.dispatcher, hub);
  const repository = repositoryName(asked.repository, hub);
  const other = await pulledFrom(folder);
  if (other !== undefined && other !== repository) {
    throw new HubError(`${folder} holds ${other}. Choose another folder with --to.`);
  }
  const snapshot = await listFiles(hub, repository, revisionName(asked.revision), { dispatcher, signal });
  const files = chooseFiles(snapshot.files, asked.files);
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const pulled = { fetched: 0, kept: 0 };
  const listed: Manifest['files'] = [];
  let done = 0;
  await mkdir(folder, { recursive: true });
  for (const file of files) {
    const report = (bytes: number) => asked.onProgress(done + bytes, total, file.path);
    report(0);
    const path = join(folder, file.path);
    if (await isHere(file, path, signal)) pulled.kept++;
    else {
      await download(file, path, { ...asked, dispatcher, onProgress: report });
      pulled.fetched++;
    }
    listed.push({ path: file.path, bytes: file.bytes, sha256: await sha256Of(file, path, signal) });
    done += file.bytes;
    asked.onProgress(done, total, file.path);
  }
  const { revision, commit } = snapshot;
  const manifest = { repository, endpoint: hub.endpoint, revision, commit, files: listed };
  await writeManifest(folder, manifest);
  return { manifest, ...pulled };
}

async function isHere(file: KnownFile, path: string, signal: AbortSignal): Promise<boolean> {
  return (await sizeOf(path)) === file.bytes && (await checksum(path, file, signal)) === wanted(file);
}

async function sha256Of(file: KnownFile, path: string, signal: AbortSignal): Promise<string> {
  return 'sha256' in file ? file.sha256 : (await hashFile(path, signal)).digest('hex');
}

/**
 * One file from its public source to its place. What has arrived is kept in a `.part` file, so that a cut, a kill or Ctrl-C
 * costs nothing but the way back; the file gets its name only when its checksum is right.
 */
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, fetch } from 'undici';
import { DataError } from '../benchmarks/data.ts';
import { sizeOf } from './check.ts';
import { checksum, type KnownFile, wanted } from './known-file.ts';
import { Refused, reasonOf, retryAfterMs } from './refused.ts';

export interface DownloadOptions {
  dispatcher: Dispatcher;
  signal: AbortSignal;
  /** Bytes of this file that are here. */
  onProgress(bytes: number): void;
  /** Waits double from here, with jitter. */
  backoffMs?: number;
}

/** Tries in a row that bring nothing new before giving up. */
const TRIES = 6;
const BACKOFF_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A connection that brought this much was worth its try. */
const WORTH_A_TRY = 1 << 20;

export async function download(file: KnownFile, target: string, options: DownloadOptions): Promise<void> {
  const { signal, backoffMs = BACKOFF_MS } = options;
  const part = `${target}.part`;
  await mkdir(dirname(target), { recursive: true });
  for (let tries = 1; ; tries++) {
    const before = (await sizeOf(part)) ?? 0;
    try {
      await transfer(file, part, options);
      await rename(part, target);
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Refused && !error.temporary) throw notThere(error);
      if (!isWorthRetrying(error)) throw error;
      const progressed = ((await sizeOf(part)) ?? 0) - before;
      if (progressed >= WORTH_A_TRY) tries = 1;
      if (tries >= TRIES) throw givenUp(file, part, error);
      const wait = (backoffMs * 2 ** (tries - 1) * (1 + Math.random())) / 2;
      await sleep(Math.min(LONGEST_WAIT_MS, Math.max(wait, retryAfterMs(error) ?? 0)), undefined, { signal });
    }
  }
}

/** Whatever the network did may be different the next time; what the disk refused, or a person must fix, will not be. */
const isWorthRetrying = (error: unknown) =>
  !(error instanceof DataError) && !ON_DISK.has((error as NodeJS.ErrnoException).syscall ?? '');

const ON_DISK = new Set(['open', 'write', 'ftruncate', 'fsync', 'rename', 'unlink', 'rm']);

const notThere = ({ message }: Refused) =>
  new DataError(`${message}: the file is not there, or not for you. Look at the address, or at your proxy's settings.`);

function givenUp(file: KnownFile, part: string, error: unknown): DataError {
  return new DataError(
    `${file.url} could not be fetched: ${reasonOf(error)}. What has arrived is kept in ${part}; try again later.`,
  );
}

/** Fetches what is missing of the part file, and makes sure that the whole is right. */
async function transfer(file: KnownFile, part: string, { dispatcher, signal, onProgress }: DownloadOptions) {
  let have = (await sizeOf(part)) ?? 0;
  // More than there can be: not a beginning of this file.
  if (have > file.bytes) {
    await rm(part, { force: true });
    have = 0;
  }
  const resumed = have > 0;
  if (have < file.bytes || file.bytes === 0) {
    const response = await fetch(file.url, {
      dispatcher,
      signal,
      // Bytes as they are stored: a range of a compressed stream would be of something else.
      headers: { 'accept-encoding': 'identity', ...(resumed ? { range: `bytes=${have}-` } : {}) },
    });
    const { body } = response;
    if (!response.ok || !body) {
      await body?.cancel();
      // The part is no beginning of what the server has.
      if (response.status === 416) await rm(part, { force: true });
      throw new Refused(file.url, response.status, response.headers.get('retry-after'));
    }
    const continues = response.status === 206 && rangeStart(response.headers.get('content-range')) === have;
    if (!continues && response.status === 206) {
      await body.cancel();
      await rm(part, { force: true });
      throw new Error('the server sent another part of the file than the one that was asked for');
    }
    const kept = continues ? have : 0;
    onProgress(kept);
    await append(body, part, kept, file, onProgress);
  }
  await conclude(file, part, resumed);
}

async function append(
  body: AsyncIterable<Uint8Array>,
  part: string,
  kept: number,
  file: KnownFile,
  onProgress: (bytes: number) => void,
): Promise<void> {
  const out = await open(part, 'a');
  try {
    if (kept === 0) await out.truncate(0);
    let received = kept;
    for await (const chunk of body) {
      received += chunk.length;
      if (received > file.bytes) {
        await rm(part, { force: true });
        throw mismatch(file, `is longer than the ${file.bytes} bytes it should have`);
      }
      await out.appendFile(chunk);
      onProgress(received);
    }
    if (received < file.bytes) throw new Error(`the connection was cut after ${received} of ${file.bytes} bytes`);
    await out.sync();
  } finally {
    await out.close();
  }
}

async function conclude(file: KnownFile, part: string, resumed: boolean): Promise<void> {
  const found = await checksum(part, file);
  if (found === wanted(file) && (await sizeOf(part)) === file.bytes) return;
  await rm(part, { force: true });
  // What was there before may have been of another version: once more from the start, before the source is blamed.
  if (resumed) throw new Error('what was kept from an earlier try does not fit');
  throw mismatch(file, `has the checksum ${found}, not ${wanted(file)}`);
}

const mismatch = (file: KnownFile, how: string) =>
  new DataError(
    `${file.url} ${how}: it is not the file that was asked for. A proxy may have changed it; nothing was kept.`,
  );

/** `bytes 100-199/200` starts at 100. */
function rangeStart(header: string | null): number | undefined {
  const [, start] = /^bytes (\d{1,15})-/.exec(header ?? '') ?? [];
  return start === undefined ? undefined : Number(start);
}

/** Folders that appear whole or not at all: written beside their place, flushed, then renamed into it. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export async function writeFolder(path: string, fill: (temporary: string) => Promise<void>): Promise<void> {
  const parent = dirname(path);
  await mkdir(parent, { recursive: true });
  const temporary = join(parent, `.${basename(path)}.${process.pid}.new`);
  const replaced = join(parent, `.${basename(path)}.${process.pid}.old`);
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary);
  try {
    await fill(temporary);
    await flush(temporary);
    // A rename cannot replace a folder that has files: move the old one away first.
    await rename(path, replaced).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    await rename(temporary, path);
    await flush(parent);
  } finally {
    await rm(temporary, { recursive: true, force: true });
    await rm(replaced, { recursive: true, force: true });
  }
}

/** Writes and flushes one small file; returns its SHA-256. */
export async function writeText(path: string, text: string): Promise<string> {
  const handle = await open(path, 'w');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return createHash('sha256').update(text).digest('hex');
}

export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path, { highWaterMark: 4 << 20 })) hash.update(piece);
  return hash.digest('hex');
}

async function flush(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A configuration file as text: whatever the path turns out to be, the answer is text or one clear problem. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Finding, Place } from './problems.ts';

/** Far beyond any configuration, and small enough to parse at once. */
const maxBytes = 1024 * 1024;

export function readText(file: string, findings: Finding[]): string | undefined {
  const fail = (message: string, place = file): undefined => {
    findings.push({ place: { label: place, rank: 0 }, path: '', message });
    return undefined;
  };
  let bytes: Buffer;
  try {
    bytes = readStart(file, maxBytes + 1);
  } catch (error) {
    return fail(explain((error as NodeJS.ErrnoException).code, error));
  }
  if (bytes.length > maxBytes) return fail('is larger than 1 MiB; is this a configuration?');

  const text = bytes.toString('utf8');
  const bad = firstDifference(bytes, Buffer.from(text, 'utf8'));
  if (bad === undefined) return text.startsWith('\uFEFF') ? text.slice(1) : text;
  const hint =
    bad === 0 && bytes.length > 1 && bytes[0]! >= 0xfe
      ? '; it looks like UTF-16: save it as UTF-8'
      : '; save the file as UTF-8';
  return fail(`byte ${bad} is not valid UTF-8${hint}`, placeOfByte(file, bytes, bad).label);
}

/** The first `limit` bytes, read piece by piece: a pipe has no size, and a device has no end. */
function readStart(file: string, limit: number): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    if (fstatSync(descriptor).isDirectory()) throw Object.assign(new Error('is a directory'), { code: 'EISDIR' });
    const bytes = Buffer.alloc(limit);
    let length = 0;
    for (;;) {
      const read = readSync(descriptor, bytes, length, limit - length, null);
      length += read;
      if (read === 0 || length === limit) return bytes.subarray(0, length);
    }
  } finally {
    closeSync(descriptor);
  }
}

function explain(code: string | undefined, error: unknown): string {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'does not exist; `genenv init` writes a configuration to start from';
    case 'EISDIR':
      return 'is a directory; name the YAML file inside it';
    case 'EACCES':
    case 'EPERM':
      return 'cannot be read: permission denied';
    default:
      return `cannot be read: ${(error as Error).message}`;
  }
}

/** Decoding replaces what is not UTF-8, so the text encoded again departs from the file at the first such byte. */
function firstDifference(a: Buffer, b: Buffer): number | undefined {
  if (a.equals(b)) return undefined;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return i;
  return length;
}

function placeOfByte(file: string, bytes: Buffer, offset: number): Place {
  const before = bytes.subarray(0, offset).toString('utf8');
  const line = before.split('\n').length;
  const col = before.length - before.lastIndexOf('\n');
  return { label: `${file}:${line}:${col}`, rank: 0 };
}

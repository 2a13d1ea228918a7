/**
 * Reads ZIP archives, entry by entry, from a file that need not fit in memory. Only what archives of data use: stored and
 * deflated entries, without encryption and below 4 GiB.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';
import { DataError } from './data.ts';

export interface ZipEntry {
  /** As the archive spells it; not to be used as a path. */
  readonly name: string;
  /** Bytes when unpacked. */
  readonly size: number;
  read(): Promise<Buffer>;
}

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;
/** The end record and the longest comment after it. */
const LONGEST_END = 22 + 0xffff;
const STORED = 0;
const DEFLATED = 8;

const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw);

/** Goes through the entries in the order of the directory, while the file is open; folders are left out. */
export async function* readZip(path: string): AsyncGenerator<ZipEntry> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { directory, entries } = await readDirectory(file, size, path);
    for (let at = 0, entry = 0; entry < entries; entry++) {
      if (at + 46 > directory.length || directory.readUInt32LE(at) !== DIRECTORY_ENTRY) {
        throw new DataError(`${path}: the directory is damaged.`);
      }
      const [nameLength, extra, comment] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field)) as [
        number,
        number,
        number,
      ];
      const name = directory.toString('utf8', at + 46, at + 46 + nameLength);
      const packed: Packed = {
        name,
        method: directory.readUInt16LE(at + 10),
        checksum: directory.readUInt32LE(at + 16),
        packedSize: directory.readUInt32LE(at + 20),
        size: directory.readUInt32LE(at + 24),
        offset: directory.readUInt32LE(at + 42),
      };
      if (!name.endsWith('/')) yield { name, size: packed.size, read: () => unpack(file, packed, path) };
      at += 46 + nameLength + extra + comment;
    }
  } finally {
    await file.close();
  }
}

interface Packed {
  name: string;
  method: number;
  checksum: number;
  packedSize: number;
  size: number;
  offset: number;
}

interface Directory {
  directory: Buffer;
  entries: number;
}

async function readDirectory(file: FileHandle, size: number, path: string): Promise<Directory> {
  const tail = await readAt(file, Math.max(0, size - LONGEST_END), Math.min(size, LONGEST_END));
  for (let at = tail.length - 22; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END_OF_DIRECTORY) continue;
    const directory = await readAt(file, tail.readUInt32LE(at + 16), tail.readUInt32LE(at + 12));
    return { directory, entries: tail.readUInt16LE(at + 10) };
  }
  throw new DataError(`${path} is not a ZIP archive.`);
}

async function unpack(file: FileHandle, { name, method, checksum, packedSize, size, offset }: Packed, path: string) {
  const broken = (why: string) => new DataError(`${path}: ${name} ${why}.`);
  const local = await readAt(file, offset, 30);
  if (local.length < 30 || local.readUInt32LE(0) !== LOCAL_ENTRY) throw broken('is not where the directory says');
  const start = offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
  const bytes = await readAt(file, start, packedSize);
  if (method !== STORED && method !== DEFLATED) throw broken(`is packed in a way that is not known (${method})`);
  const whole =
    method === STORED
      ? bytes
      : await inflate(bytes, { maxOutputLength: Math.max(1, size) }).catch(() => {
          throw broken('cannot be unpacked');
        });
  if (whole.length !== size || crc32(whole) !== checksum) throw broken('is damaged');
  return whole;
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

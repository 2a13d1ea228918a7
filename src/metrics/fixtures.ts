/** A reader of event files, for tests: written from the formats, not from the writer. Nothing here is part of the package. */
import { readFileSync } from 'node:fs';
import { maskedCrc32c } from './crc32c.ts';

export interface ReadScalar {
  tag: string;
  step: number;
  value: number;
  wallTime: number;
}

/** Checks every frame and returns the scalars; the first record must be the version. */
export function readEventFile(file: string): ReadScalar[] {
  const data = readFileSync(file);
  const scalars: ReadScalar[] = [];
  let isFirst = true;
  for (let at = 0; at < data.length; ) {
    const length = Number(data.readBigUInt64LE(at));
    const body = data.subarray(at + 12, at + 12 + length);
    const sound =
      data.readUInt32LE(at + 8) === maskedCrc32c(data.subarray(at, at + 8)) &&
      data.readUInt32LE(at + 12 + length) === maskedCrc32c(body);
    if (!sound) throw new Error(`The record at ${at} is damaged.`);
    const event = fields(body);
    if (isFirst && String(event.get(3)) !== 'brain.Event:2')
      throw new Error('The file does not begin with its version.');
    isFirst = false;
    const summary = event.get(5);
    if (summary instanceof Buffer) {
      const value = fields(fields(summary).get(1) as Buffer);
      scalars.push({
        tag: String(value.get(1)),
        step: Number(event.get(2) ?? 0),
        value: (value.get(2) as Buffer).readFloatLE(),
        wallTime: (event.get(1) as Buffer).readDoubleLE(),
      });
    }
    at += 16 + length;
  }
  return scalars;
}

/** The fields of a protobuf message by number; fixed-width ones as bytes. */
function fields(message: Buffer): Map<number, Buffer | bigint> {
  const found = new Map<number, Buffer | bigint>();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++]!;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number) => {
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const key = Number(varint());
    const wireType = key & 7;
    const value = wireType === 0 ? varint() : take(wireType === 1 ? 8 : wireType === 5 ? 4 : Number(varint()));
    found.set(key >> 3, value);
  }
  return found;
}

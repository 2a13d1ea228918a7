/**
 * The bytes of a TensorBoard event file: protobuf messages, of which scalars need five fields, each framed as a TFRecord with
 * checksums of its length and of itself.
 */
import { maskedCrc32c } from './crc32c.ts';

export interface Scalar {
  tag: string;
  step: number;
  value: number;
  /** Seconds since 1970. */
  wallTime: number;
}

/** The first record of every file. */
export const fileHeader = (wallTime: number): Buffer =>
  record([double(1, wallTime), bytes(3, Buffer.from('brain.Event:2'))]);

export const scalarRecord = ({ tag, step, value, wallTime }: Scalar): Buffer => {
  const summaryValue = [bytes(1, Buffer.from(tag)), float(2, value)];
  const summary = bytes(1, Buffer.concat(summaryValue));
  return record([double(1, wallTime), int64(2, step), bytes(5, summary)]);
};

function record(fields: readonly Buffer[]): Buffer {
  const data = Buffer.concat(fields);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(data.length));
  return Buffer.concat([length, checksum(length), data, checksum(data)]);
}

function checksum(data: Buffer): Buffer {
  const crc = Buffer.alloc(4);
  crc.writeUInt32LE(maskedCrc32c(data));
  return crc;
}

/** Protobuf's wire types. */
const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED32 = 5;

const key = (field: number, wireType: number) => varint((field << 3) | wireType);
const int64 = (field: number, value: number) => Buffer.concat([key(field, VARINT), varint(value)]);
const bytes = (field: number, value: Buffer) =>
  Buffer.concat([key(field, LENGTH_DELIMITED), varint(value.length), value]);

function double(field: number, value: number): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeDoubleLE(value);
  return Buffer.concat([key(field, FIXED64), buffer]);
}

function float(field: number, value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeFloatLE(value);
  return Buffer.concat([key(field, FIXED32), buffer]);
}

/** Seven bits a byte, the lowest first; for whole numbers from 0. */
function varint(value: number): Buffer {
  const out: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) out.push((rest % 0x80) | 0x80);
  out.push(rest);
  return Buffer.from(out);
}

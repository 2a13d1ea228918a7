/** Results as protobuf, to and from the JSON form: those of forward, forward_backward and asample. */
import type {
  Dtype,
  ForwardBackwardResult,
  LossOutput,
  Numbers,
  SampledSequence,
  SampleResult,
  Tensor,
} from './messages.ts';
import { double, type Field, fields, text, WireError } from './proto-reader.ts';
import { repeatedInts, setEntry } from './proto-request.ts';
import { ProtoWriter } from './proto-writer.ts';
import {
  concatenated,
  DTYPE,
  dtypeOf,
  elementBytes,
  elementWidth,
  float32Bytes,
  int32Bytes,
  int64Bytes,
  readElements,
} from './tensor-bytes.ts';

const STOP_REASONS = ['stop', 'length'] as const;

export function encodeSampleResult({ sequences, prompt_logprobs }: SampleResult): Uint8Array {
  const out = new ProtoWriter();
  for (const { stop_reason, tokens, logprobs } of sequences) {
    out.message(1, (inner) => {
      inner.int(1, STOP_REASONS.indexOf(stop_reason)).bytes(2, int32Bytes(tokens));
      if (logprobs) inner.bytes(3, float32Bytes(logprobs));
    });
  }
  if (prompt_logprobs) out.bytes(2, float32Bytes(prompt_logprobs));
  return out.finish();
}

export function decodeSampleResult(message: Uint8Array): SampleResult {
  const sequences: SampledSequence[] = [];
  let prompt: Float32Array | undefined;
  for (const { number, bytes } of fields(message)) {
    if (number === 1) sequences.push(readSequence(bytes));
    else if (number === 2) prompt = readElements(bytes, DTYPE.float32) as Float32Array;
  }
  return { sequences, ...(prompt ? { prompt_logprobs: prompt } : {}) };
}

function readSequence(message: Uint8Array): SampledSequence {
  let reason = 0;
  let tokens: Numbers = new Int32Array();
  let logprobs: Numbers | undefined;
  for (const { number, value, bytes } of fields(message)) {
    if (number === 1) reason = value;
    else if (number === 2) tokens = readElements(bytes, DTYPE.int32);
    else if (number === 3) logprobs = readElements(bytes, DTYPE.float32);
  }
  const stop_reason = STOP_REASONS[reason];
  if (!stop_reason) throw new WireError(`protobuf: stop reason ${reason} is not known (0 stop, 1 length)`);
  return { stop_reason, tokens, ...(logprobs ? { logprobs } : {}) };
}

export function encodeForwardBackwardResult(result: ForwardBackwardResult): Uint8Array {
  const { loss_fn_output_type, loss_fn_outputs, metrics } = result;
  const out = new ProtoWriter().string(1, loss_fn_output_type);
  if (loss_fn_outputs.length > 0) {
    out.message(2, (record) => {
      record.string(1, loss_fn_output_type);
      for (const name of Object.keys(loss_fn_outputs[0]!)) {
        const column = loss_fn_outputs.map((output) => output[name]!);
        record.message(2, (entry) => entry.string(1, name).message(2, (inner) => writeColumn(inner, column)));
      }
      record.int(3, loss_fn_outputs.length);
    });
  }
  for (const [key, value] of Object.entries(metrics)) {
    out.message(3, (entry) => entry.string(1, key).double(2, value));
  }
  return out.finish();
}

export function decodeForwardBackwardResult(message: Uint8Array): ForwardBackwardResult {
  const outputs: LossOutput[] = [];
  const metrics = new Map<string, number>();
  let type = '';
  for (const field of fields(message)) {
    if (field.number === 1) type = text(field.bytes);
    else if (field.number === 2) outputs.push(...readRecord(field.bytes));
    else if (field.number === 3) setEntry(metrics, field, double);
  }
  return { loss_fn_output_type: type, loss_fn_outputs: outputs, metrics: Object.fromEntries(metrics) };
}

/** One field of all data in one piece, with the byte at which each datum's share begins. */
function writeColumn(out: ProtoWriter, column: readonly Tensor[]): void {
  const { dtype, shape } = column[0]!;
  const pieces = column.map(({ data }) => elementBytes(data, dtype));
  const offsets = [0];
  for (const { length } of pieces) offsets.push(offsets.at(-1)! + length);
  out.bytes(1, concatenated(pieces)).bytes(2, int64Bytes(offsets)).int(3, DTYPE[dtype]);
  for (const size of (shape ?? []).slice(1)) out.int(4, size);
}

function readRecord(message: Uint8Array): LossOutput[] {
  const columns = new Map<string, Tensor[]>();
  let count = 0;
  for (const field of fields(message)) {
    if (field.number === 2) setEntry(columns, field, readColumn);
    else if (field.number === 3) count = field.value;
  }
  for (const [name, column] of columns) {
    count ||= column.length;
    if (column.length !== count) throw new WireError(`protobuf: ${name} speaks of ${column.length} data of ${count}`);
  }
  if (columns.size === 0 && count > MAX_EMPTY) throw new WireError(`protobuf: ${count} empty outputs`);
  return Array.from({ length: count }, (_, i) =>
    Object.fromEntries([...columns].map(([name, column]) => [name, column[i]!])),
  );
}

/** A count without content costs its sender nothing, so it may not cost much here. */
const MAX_EMPTY = 65_536;

function readColumn({ bytes }: Field): Tensor[] {
  let data = new Uint8Array() as Uint8Array;
  let offsets: Numbers = [0];
  let wireType = 0;
  const trailing: number[] = [];
  for (const field of fields(bytes)) {
    if (field.number === 1) data = field.bytes;
    else if (field.number === 2) offsets = readElements(field.bytes, DTYPE.int64);
    else if (field.number === 3) wireType = field.value;
    else if (field.number === 4) trailing.push(...repeatedInts(field));
  }
  const dtype = dtypeOf(wireType);
  return Array.from({ length: Math.max(0, offsets.length - 1) }, (_, i) => {
    const [from, to] = [offsets[i]!, offsets[i + 1]!];
    if (!(from >= 0 && from <= to && to <= data.length))
      throw new WireError(`protobuf: datum ${i} lies outside its tensor`);
    return shaped(readElements(data.subarray(from, to), wireType), dtype, trailing, elementWidth(wireType));
  });
}

function shaped(data: Numbers, dtype: Dtype, trailing: readonly number[], width: number): Tensor {
  const inner = trailing.reduce((product, size) => product * size, 1);
  if (!(inner > 0) || data.length % inner !== 0)
    throw new WireError(`protobuf: ${data.length * width} bytes do not fit the shape [?, ${trailing.join(', ')}]`);
  return { data, dtype, shape: [data.length / inner, ...trailing] };
}

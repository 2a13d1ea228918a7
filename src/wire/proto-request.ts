/** forward and forward_backward as protobuf: one message for both, to and from the JSON form. */
import type { Datum, EncodedTextChunk, LossInput, Tensor } from './messages.ts';
import { double, type Field, fields, packedVarints, text, WireError } from './proto-reader.ts';
import { ProtoWriter } from './proto-writer.ts';
import { DTYPE, dtypeOf, elementBytes, int32Bytes, readElements } from './tensor-bytes.ts';

/** A ForwardBackwardRequest, or with `forward_only` a ForwardRequest. */
export interface ProtoLossRequest {
  model_id: string;
  seq_id: number;
  input: LossInput;
  forward_only: boolean;
}

export function encodeLossRequest({ model_id, seq_id, input, forward_only }: ProtoLossRequest): Uint8Array {
  const out = new ProtoWriter();
  if (model_id !== '') out.string(1, model_id);
  if (seq_id !== 0) out.int(2, seq_id);
  for (const datum of input.data) out.message(3, (inner) => writeDatum(inner, datum));
  if (input.loss_fn !== '') out.string(4, input.loss_fn);
  for (const [key, value] of Object.entries(input.loss_fn_config ?? {})) {
    // The first map is for servers that know no second one; only the second has text.
    if (typeof value === 'number') out.message(5, (entry) => entry.string(1, key).double(2, value));
    out.message(7, (entry) => {
      entry
        .string(1, key)
        .message(2, (inner) => (typeof value === 'number' ? inner.double(1, value) : inner.string(2, value)));
    });
  }
  if (forward_only) out.int(6, 1);
  return out.finish();
}

export function decodeLossRequest(message: Uint8Array): ProtoLossRequest {
  const data: Datum[] = [];
  const config = new Map<string, number | string>();
  const request = { model_id: '', seq_id: 0, loss_fn: '', forward_only: false };
  for (const field of fields(message)) {
    if (field.number === 1) request.model_id = text(field.bytes);
    else if (field.number === 2) request.seq_id = field.value;
    else if (field.number === 3) data.push(readDatum(field.bytes));
    else if (field.number === 4) request.loss_fn = text(field.bytes);
    else if (field.number === 5) setEntry(config, field, (value) => double(value));
    else if (field.number === 6) request.forward_only = field.value !== 0;
    else if (field.number === 7) setEntry(config, field, readConfigValue);
  }
  const { loss_fn, ...rest } = request;
  return { ...rest, input: { data, loss_fn, loss_fn_config: Object.fromEntries(config) } };
}

function writeDatum(out: ProtoWriter, { model_input, loss_fn_inputs }: Datum): void {
  for (const { tokens } of model_input.chunks) {
    out.message(1, (chunk) => chunk.message(1, (inner) => inner.bytes(1, int32Bytes(tokens))));
  }
  for (const [name, tensor] of Object.entries(loss_fn_inputs)) {
    out.message(2, (entry) => entry.string(1, name).message(2, (inner) => writeTensor(inner, tensor)));
  }
}

function readDatum(message: Uint8Array): Datum {
  const chunks: EncodedTextChunk[] = [];
  const inputs = new Map<string, Tensor>();
  for (const field of fields(message)) {
    if (field.number === 1) chunks.push(readChunk(field.bytes));
    else if (field.number === 2) setEntry(inputs, field, ({ bytes }) => readTensor(bytes));
  }
  return { model_input: { chunks }, loss_fn_inputs: Object.fromEntries(inputs) };
}

function readChunk(message: Uint8Array): EncodedTextChunk {
  for (const { number, bytes } of fields(message)) {
    if (number !== 1) throw new WireError('only encoded_text chunks are understood: images and audio are not');
    for (const inner of fields(bytes)) {
      if (inner.number === 1) return { type: 'encoded_text', tokens: readElements(inner.bytes, DTYPE.int32) };
    }
  }
  return { type: 'encoded_text', tokens: new Int32Array() };
}

function writeTensor(out: ProtoWriter, { data, dtype, shape }: Tensor): void {
  out.bytes(1, elementBytes(data, dtype)).int(3, DTYPE[dtype]);
  for (const size of shape ?? []) out.int(4, size);
}

function readTensor(message: Uint8Array): Tensor {
  let dense = new Uint8Array();
  let wireType = 0;
  const shape: number[] = [];
  for (const field of fields(message)) {
    if (field.number === 1) dense = field.bytes as Uint8Array<ArrayBuffer>;
    else if (field.number === 2) throw new WireError('sparse tensors are not understood: send dense ones');
    else if (field.number === 3) wireType = field.value;
    else if (field.number === 4) shape.push(...repeatedInts(field));
  }
  return {
    data: readElements(dense, wireType),
    dtype: dtypeOf(wireType),
    ...(shape.length > 0 ? { shape } : {}),
  };
}

/** Repeated numbers come packed or one by one. */
export const repeatedInts = (field: Field): number[] => (field.wire === 2 ? packedVarints(field.bytes) : [field.value]);

/** One entry of a map: a later one of the same key wins. */
export function setEntry<T>(into: Map<string, T>, entry: Field, read: (value: Field) => T): void {
  let key = '';
  let value: Field = { number: 2, wire: 2, value: 0, bytes: new Uint8Array() };
  for (const field of fields(entry.bytes)) {
    if (field.number === 1) key = text(field.bytes);
    else if (field.number === 2) value = field;
  }
  into.set(key, read(value));
}

function readConfigValue({ bytes }: Field): number | string {
  let value: number | string = 0;
  for (const field of fields(bytes)) {
    if (field.number === 1) value = double(field);
    else if (field.number === 2) value = text(field.bytes);
  }
  return value;
}

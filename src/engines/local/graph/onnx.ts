/** Writes a graph as an ONNX ModelProto. Field numbers are those of onnx.proto. */

import { ProtoWriter } from '../../../wire/proto-writer.ts';
import type { Attribute, DType, Graph, Value } from './graph.ts';

const IR_VERSION = 10;
const OPSET = 21;
const ELEMENT_TYPE: Record<DType, number> = { float: 1, int64: 7, bool: 9 };

/** `fixed` holds the inputs, by name, whose values become part of the model. */
export function encodeModel(graph: Graph, fixed: Readonly<Record<string, { data: ArrayBufferView }>> = {}): Uint8Array {
  if (graph.outputs.length === 0) throw new Error('graph has no outputs');
  const encoded = new ProtoWriter().int(1, IR_VERSION).message(7, (body) => writeBody(body, graph, fixed));
  return encoded
    .message(8, (w) => w.string(1, '').int(2, OPSET))
    .message(8, (w) => w.string(1, 'com.microsoft').int(2, 1))
    .finish();
}

function writeBody(body: ProtoWriter, graph: Graph, fixed: Readonly<Record<string, { data: ArrayBufferView }>>): void {
  const nodes = graph.reachable();
  const used = new Set(nodes.flatMap((node) => node.inputs.map((input) => input.name)));
  for (const { value } of graph.outputs) used.add(value.name);
  for (const node of nodes) {
    body.message(1, (w) => {
      for (const input of node.inputs) w.string(1, input.name);
      // An output without a name is not computed.
      for (const output of node.outputs) w.string(2, used.has(output.name) ? output.name : '');
      w.string(4, node.op);
      for (const [name, value] of Object.entries(node.attributes)) w.message(5, (a) => attribute(a, name, value));
      if (node.domain) w.string(7, node.domain);
    });
  }
  // An output gets its public name through an Identity, which the runtime removes.
  for (const { name, value } of graph.outputs) {
    body.message(1, (w) => w.string(1, value.name).string(2, name).string(4, 'Identity'));
  }
  body.string(2, 'genenv');
  for (const { value, data } of graph.constants) {
    if (used.has(value.name)) body.message(5, (w) => initializer(w, value, data));
  }
  for (const input of graph.inputs) {
    if (!used.has(input.name)) continue;
    const known = fixed[input.name];
    if (known) body.message(5, (w) => initializer(w, input, known.data));
    else body.message(11, (w) => valueInfo(w, input.name, input));
  }
  for (const { name, value } of graph.outputs) body.message(12, (w) => valueInfo(w, name, value));
}

function initializer(w: ProtoWriter, value: Value, data: ArrayBufferView): void {
  for (const dim of value.shape) w.int(1, Number(dim));
  w.int(2, ELEMENT_TYPE[value.dtype]).string(8, value.name);
  w.bytes(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
}

function attribute(w: ProtoWriter, name: string, value: Attribute): void {
  w.string(1, name);
  if (typeof value === 'number') w.int(3, value).int(20, 2);
  else if (typeof value === 'string') w.string(4, value).int(20, 3);
  else if ('float' in value) w.float(2, value.float).int(20, 1);
  else {
    for (const item of value) w.int(8, item);
    w.int(20, 7);
  }
}

function valueInfo(w: ProtoWriter, name: string, value: Value): void {
  w.string(1, name).message(2, (type) =>
    type.message(1, (tensor) =>
      tensor.int(1, ELEMENT_TYPE[value.dtype]).message(2, (shape) => {
        for (const dim of value.shape) {
          shape.message(1, (d) => (typeof dim === 'number' ? d.int(1, dim) : d.string(2, dim)));
        }
      }),
    ),
  );
}

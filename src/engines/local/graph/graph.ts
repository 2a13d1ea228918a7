/**
 * A graph under construction: typed, shaped values joined by ONNX nodes. Every node may carry the rule for its gradient,
 * so differentiating is a walk backwards. Equal nodes and equal constants are made once.
 */
import { type Shape, ShapeError, showShape } from './shape.ts';

export type DType = 'float' | 'int64' | 'bool';
export type Attribute = number | string | readonly number[] | { float: number };

export interface Value {
  readonly graph: Graph;
  readonly name: string;
  readonly dtype: DType;
  readonly shape: Shape;
}

/** Gradients of a node's inputs given those of its outputs; null where none flows. */
export type Gradient = (outputs: readonly (Value | null)[]) => (Value | null)[];

export interface GraphNode {
  readonly op: string;
  readonly domain: string;
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly gradient: Gradient | null;
}

export interface Constant {
  readonly value: Value;
  readonly data: Float32Array | BigInt64Array;
}

export interface NodeSpec {
  outputs: readonly { shape: Shape; dtype?: DType }[];
  attributes?: Record<string, Attribute>;
  /** Empty for ONNX's own operators. */
  domain?: string;
  gradient?: Gradient;
}

export class Graph {
  readonly inputs: Value[] = [];
  readonly nodes: GraphNode[] = [];
  readonly constants: Constant[] = [];
  readonly outputs: { name: string; value: Value }[] = [];
  readonly #seen = new Map<string, GraphNode>();
  readonly #constantSeen = new Map<string, Value>();
  #counter = 0;

  /** Names of inner values start with %, which keeps every other name free for inputs and outputs. */
  #value(dtype: DType, shape: Shape, name = `%${this.#counter++}`): Value {
    return { graph: this, name, dtype, shape };
  }

  input(name: string, shape: Shape, dtype: DType = 'float'): Value {
    if (this.inputs.some((input) => input.name === name)) throw new Error(`graph input ${name} is declared twice`);
    const value = this.#value(dtype, shape, name);
    this.inputs.push(value);
    return value;
  }

  output(name: string, value: Value): void {
    if (this.outputs.some((output) => output.name === name)) throw new Error(`graph output ${name} is declared twice`);
    this.outputs.push({ name, value });
  }

  constant(data: Float32Array | BigInt64Array, shape: Shape): Value {
    const key = `${data.constructor.name} ${showShape(shape)} ${data.length <= 64 ? data.join() : this.#counter}`;
    const known = this.#constantSeen.get(key);
    if (known) return known;
    const value = this.#value(data instanceof Float32Array ? 'float' : 'int64', shape);
    this.constants.push({ value, data });
    this.#constantSeen.set(key, value);
    return value;
  }

  scalar(x: number): Value {
    return this.constant(Float32Array.of(x), []);
  }

  integers(...values: number[]): Value {
    return this.constant(BigInt64Array.from(values, BigInt), [values.length]);
  }

  /** Adds a node, or finds the same one already there. */
  emit(op: string, inputs: readonly Value[], spec: NodeSpec): readonly Value[] {
    for (const input of inputs) {
      if (input.graph !== this) throw new Error(`${op}: ${input.name} belongs to another graph`);
    }
    const attributes = spec.attributes ?? {};
    const key = JSON.stringify([op, spec.domain, inputs.map((input) => input.name), attributes]);
    const known = this.#seen.get(key);
    if (known) return known.outputs;
    const node: GraphNode = {
      op,
      domain: spec.domain ?? '',
      inputs,
      outputs: spec.outputs.map((output) => this.#value(output.dtype ?? 'float', output.shape)),
      attributes,
      gradient: spec.gradient ?? null,
    };
    this.nodes.push(node);
    this.#seen.set(key, node);
    return node.outputs;
  }

  /** The nodes that the outputs need, in an order that runs: gradients nobody asked for fall away here. */
  reachable(): GraphNode[] {
    const needed = new Set(this.outputs.map((output) => output.value.name));
    const kept: GraphNode[] = [];
    for (const node of this.nodes.toReversed()) {
      if (!node.outputs.some((output) => needed.has(output.name))) continue;
      for (const input of node.inputs) needed.add(input.name);
      kept.push(node);
    }
    return kept.reverse();
  }
}

/** One output of one node: what nearly every operator is. */
export function emitOne(
  op: string,
  inputs: readonly Value[],
  spec: Omit<NodeSpec, 'outputs' | 'gradient'> & {
    shape: Shape;
    dtype?: DType;
    gradient?: (dy: Value) => (Value | null)[];
  },
): Value {
  const { shape, dtype = 'float', gradient, ...rest } = spec;
  const [first] = inputs;
  if (!first) throw new Error(`${op}: a node without inputs is a constant`);
  const [value] = first.graph.emit(op, inputs, {
    ...rest,
    outputs: [{ shape, dtype }],
    ...(gradient ? { gradient: ([dy]) => (dy ? gradient(dy) : inputs.map(() => null)) } : {}),
  });
  return value!;
}

export function expectType(op: string, dtype: DType, ...values: Value[]): void {
  for (const value of values) {
    if (value.dtype !== dtype) throw new ShapeError(`${op}: ${value.name} is ${value.dtype}, expected ${dtype}`);
  }
}

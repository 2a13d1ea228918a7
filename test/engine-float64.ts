/**
 * A slow interpreter of graphs in double precision, written from the ONNX text and independent of the runtime: the
 * reference that gradient checks take finite differences of.
 */
import type { Graph, GraphNode } from '../src/engines/local/graph/graph.ts';

export interface Array64 {
  data: Float64Array;
  dims: number[];
}
type Env = Map<string, Array64>;

const size = (dims: readonly number[]) => dims.reduce((a, b) => a * b, 1);
const make = (dims: readonly number[], at: (index: number) => number): Array64 => ({
  data: Float64Array.from({ length: size(dims) }, (_, i) => at(i)),
  dims: [...dims],
});

export function evaluate64(graph: Graph, feeds: Record<string, Array64>): Record<string, Array64> {
  const env: Env = new Map(Object.entries(feeds));
  for (const { value, data } of graph.constants) {
    env.set(value.name, { data: Float64Array.from(data as Iterable<number>, Number), dims: value.shape.map(Number) });
  }
  for (const node of graph.reachable()) {
    const results = run(
      node,
      node.inputs.map((input) => {
        const value = env.get(input.name);
        if (!value) throw new Error(`${input.name} was not fed`);
        return value;
      }),
    );
    for (const [index, output] of node.outputs.entries()) if (results[index]) env.set(output.name, results[index]);
  }
  return Object.fromEntries(graph.outputs.map(({ name, value }) => [name, env.get(value.name)!]));
}

function unravel(index: number, dims: readonly number[]): number[] {
  const out: number[] = [];
  for (let axis = dims.length - 1; axis >= 0; axis--) {
    out[axis] = index % dims[axis]!;
    index = Math.floor(index / dims[axis]!);
  }
  return out;
}
const ravel = (at: readonly number[], dims: readonly number[]) => at.reduce((sum, i, axis) => sum * dims[axis]! + i, 0);

/** Reads x as if it were broadcast to `dims`. */
function broadcastRead(x: Array64, dims: readonly number[], index: number): number {
  const at = unravel(index, dims).slice(dims.length - x.dims.length);
  return x.data[
    ravel(
      at.map((i, axis) => (x.dims[axis] === 1 ? 0 : i)),
      x.dims,
    )
  ]!;
}

function elementwise(inputs: Array64[], f: (...xs: number[]) => number): Array64 {
  const rank = Math.max(...inputs.map((x) => x.dims.length));
  const dims = Array.from({ length: rank }, (_, axis) =>
    Math.max(...inputs.map((x) => x.dims[axis - rank + x.dims.length] ?? 1)),
  );
  return make(dims, (i) => f(...inputs.map((x) => broadcastRead(x, dims, i))));
}

function lastAxis(x: Array64, f: (row: Float64Array) => ArrayLike<number>, width = x.dims.at(-1)!): Array64 {
  const inner = x.dims.at(-1)!;
  const out = make([...x.dims.slice(0, -1), width], () => 0);
  for (let row = 0; row < x.data.length / inner; row++) {
    out.data.set(Float64Array.from(f(x.data.subarray(row * inner, (row + 1) * inner))), row * width);
  }
  return out;
}

function reduce(x: Array64, axes: Float64Array, f: (a: number, b: number) => number, start: number): Array64 {
  const out = make(
    x.dims.map((dim, axis) => (axes.includes(axis) ? 1 : dim)),
    () => start,
  );
  for (let i = 0; i < x.data.length; i++) {
    const at = unravel(i, x.dims).map((k, axis) => (axes.includes(axis) ? 0 : k));
    const target = ravel(at, out.dims);
    out.data[target] = f(out.data[target]!, x.data[i]!);
  }
  return out;
}

function matmul(a: Array64, b: Array64, ta: boolean, tb: boolean, scale: number): Array64 {
  const [ar, ac] = a.dims.slice(-2) as [number, number];
  const [br, bc] = b.dims.slice(-2) as [number, number];
  const [m, k, n] = [ta ? ac : ar, ta ? ar : ac, tb ? br : bc];
  const batch = a.dims.slice(0, -2);
  const sharedB = b.dims.length === 2;
  return make([...batch, m, n], (index) => {
    const [i, j] = [Math.floor(index / n) % m, index % n];
    const block = Math.floor(index / (m * n));
    let sum = 0;
    for (let p = 0; p < k; p++) {
      const x = a.data[block * ar * ac + (ta ? p * ac + i : i * ac + p)]!;
      sum += x * b.data[(sharedB ? 0 : block * br * bc) + (tb ? j * bc + p : p * bc + j)]!;
    }
    return sum * scale;
  });
}

function rotary(x: Array64, positions: Array64, cos: Array64, sin: Array64): Array64 {
  const half = cos.dims[1]!;
  const perToken = x.dims[2]!;
  return make(x.dims, (index) => {
    const token = Math.floor(index / perToken);
    const inHead = (index % perToken) % (2 * half);
    const entry = positions.data[token]! * half + (inHead % half);
    const other = inHead < half ? -x.data[index + half]! : x.data[index - half]!;
    return x.data[index]! * cos.data[entry]! + other * sin.data[entry]!;
  });
}

function run(node: GraphNode, inputs: Array64[]): Array64[] {
  const [a, b, c, d] = inputs as [Array64, Array64, Array64, Array64];
  const attr = node.attributes as Record<string, number & { float: number } & number[]>;
  const target = () => {
    const wanted = Array.from(b.data, (dim, axis) => (dim === 0 ? a.dims[axis]! : dim));
    const known = -size(wanted);
    return wanted.map((dim) => (dim === -1 ? a.data.length / known : dim));
  };
  switch (node.op) {
    case 'Add':
      return [elementwise(inputs, (x, y) => x + y!)];
    case 'Sub':
      return [elementwise(inputs, (x, y) => x - y!)];
    case 'Mul':
      return [elementwise(inputs, (x, y) => x * y!)];
    case 'Div':
      return [elementwise(inputs, (x, y) => x / y!)];
    case 'Max':
      return [elementwise(inputs, Math.max)];
    case 'Neg':
      return [elementwise(inputs, (x) => -x)];
    case 'Exp':
      return [elementwise(inputs, Math.exp)];
    case 'Log':
      return [elementwise(inputs, Math.log)];
    case 'Sigmoid':
      return [elementwise(inputs, (x) => 1 / (1 + Math.exp(-x)))];
    case 'Equal':
      return [elementwise(inputs, (x, y) => Number(x === y))];
    case 'GreaterOrEqual':
      return [elementwise(inputs, (x, y) => Number(x >= y!))];
    case 'LessOrEqual':
      return [elementwise(inputs, (x, y) => Number(x <= y!))];
    case 'And':
      return [elementwise(inputs, (x, y) => x * y!)];
    case 'Where':
      return [elementwise(inputs, (x, y, z) => (x ? y! : z!))];
    case 'Identity':
      return [a];
    case 'Reshape':
      return [{ data: a.data, dims: target() }];
    case 'Shape':
      return [make([a.dims.length], (i) => a.dims[i]!)];
    case 'Expand':
      return [elementwise([a, make(Array.from(b.data), () => 0)], (x) => x)];
    case 'ConstantOfShape':
      return [make(Array.from(a.data), () => 0)];
    case 'Transpose': {
      const dims = attr.perm!.map((axis) => a.dims[axis]!);
      return [
        make(dims, (i) => {
          const at = unravel(i, dims);
          return a.data[
            ravel(
              a.dims.map((_, axis) => at[attr.perm!.indexOf(axis)]!),
              a.dims,
            )
          ]!;
        }),
      ];
    }
    case 'Concat': {
      const axis = attr.axis!;
      const dims = a.dims.with(
        axis,
        inputs.reduce((sum, x) => sum + x.dims[axis]!, 0),
      );
      return [
        make(dims, (i) => {
          const at = unravel(i, dims);
          for (const x of inputs) {
            if (at[axis]! < x.dims[axis]!) return x.data[ravel(at, x.dims)]!;
            at[axis]! -= x.dims[axis]!;
          }
          throw new Error('unreachable');
        }),
      ];
    }
    case 'Split': {
      const axis = attr.axis!;
      let start = 0;
      return Array.from(b.data, (width) => {
        const dims = a.dims.with(axis, width);
        const offset = start;
        start += width;
        return make(dims, (i) => {
          const at = unravel(i, dims);
          return a.data[ravel(at.with(axis, at[axis]! + offset), a.dims)]!;
        });
      });
    }
    case 'ReduceSum':
      return [reduce(a, b.data, (x, y) => x + y, 0)];
    case 'ReduceMax':
      return [reduce(a, b.data, Math.max, Number.NEGATIVE_INFINITY)];
    case 'ReduceMean': {
      const sum = reduce(a, b.data, (x, y) => x + y, 0);
      return [elementwise([sum], (x) => x / (a.data.length / sum.data.length))];
    }
    case 'Softmax':
      return [
        lastAxis(a, (row) => {
          const top = Math.max(...row);
          const e = row.map((x) => Math.exp(x - top));
          const total = e.reduce((x, y) => x + y, 0);
          return e.map((x) => x / total);
        }),
      ];
    case 'SimplifiedLayerNormalization': {
      const inverse = (row: Float64Array) =>
        1 / Math.sqrt(row.reduce((sum, x) => sum + x * x, 0) / row.length + Math.fround(attr.epsilon!.float));
      return [
        lastAxis(a, (row) => row.map((x, i) => x * inverse(row) * b.data[i]!)),
        lastAxis(a, (row) => [inverse(row)], 1),
      ];
    }
    case 'Gather': {
      const inner = size(a.dims.slice(1));
      return [
        make([...b.dims, ...a.dims.slice(1)], (i) => a.data[b.data[Math.floor(i / inner)]! * inner + (i % inner)]!),
      ];
    }
    case 'GatherElements':
      return [make(b.dims, (i) => a.data[Math.floor(i / b.dims[1]!) * a.dims[1]! + b.data[i]!]!)];
    case 'FusedMatMul':
      return [matmul(a, b, attr.transA === 1, attr.transB === 1, attr.alpha!.float)];
    case 'RotaryEmbedding':
      return [rotary(a, b, c, d)];
    default:
      throw new Error(`the reference does not know ${node.op}`);
  }
}

/** Every operator's gradient against finite differences of the double-precision reference. */
import { describe, expect, it } from 'vitest';
import { type Array64, evaluate64 } from '../../../../test/engine-float64.ts';
import { gradients } from './autodiff.ts';
import { Graph, type Value } from './graph.ts';
import { add, div, exp, log, maximum, mul, neg, sigmoid, sub, swiglu } from './ops/arithmetic.ts';
import { atLeast, atMost, both, equalIds, where } from './ops/compare.ts';
import { concat, detach, reshape, split, transpose } from './ops/layout.ts';
import { gather, logProbOf } from './ops/lookup.ts';
import { linear, matmul } from './ops/matmul.ts';
import { rmsNormalise, softmax } from './ops/normalise.ts';
import { maxLast, meanLast, reduceSum } from './ops/reduce.ts';
import { rotary, rotaryTable } from './ops/rotary.ts';
import { type Feed, GraphSession } from './session.ts';
import type { Shape } from './shape.ts';

type Build = (graph: Graph, xs: Value[]) => Value;
interface Case {
  shapes: number[][];
  build: Build;
  /** Keeps logarithms and divisions away from zero. */
  positive?: boolean;
  ids?: { name: string; values: number[]; dims: number[] }[];
}

const ids = (graph: Graph, name: string, shape: Shape) => graph.input(name, shape, 'int64');

const cases: Record<string, Case> = {
  add: { shapes: [[2, 3], [3]], build: (_, [a, b]) => add(a!, b!) },
  'sub with a scalar': { shapes: [[2, 3]], build: (_, [a]) => sub(2, a!) },
  'mul, stretched both ways': {
    shapes: [
      [2, 1, 3],
      [4, 1],
    ],
    build: (_, [a, b]) => mul(a!, b!),
  },
  div: { shapes: [[2, 3], [3]], positive: true, build: (_, [a, b]) => div(a!, b!) },
  maximum: { shapes: [[2, 3], [3]], build: (_, [a, b]) => maximum(a!, b!) },
  neg: { shapes: [[4]], build: (_, [a]) => neg(a!) },
  exp: { shapes: [[4]], build: (_, [a]) => exp(a!) },
  log: { shapes: [[4]], positive: true, build: (_, [a]) => log(a!) },
  sigmoid: { shapes: [[5]], build: (_, [a]) => sigmoid(a!) },
  swiglu: { shapes: [[5], [5]], build: (_, [a, b]) => swiglu(a!, b!) },
  'where, with a stretched operand': {
    shapes: [[3, 3], [3]],
    build: (g, [a, b]) => {
      const left = ids(g, 'left', [3, 1]);
      const right = ids(g, 'right', [1, 3]);
      return where(both(equalIds(left, right), both(atLeast(left, right), atMost(left, right))), a!, b!);
    },
    ids: [
      { name: 'left', values: [0, 1, 2], dims: [3, 1] },
      { name: 'right', values: [0, 2, 2], dims: [1, 3] },
    ],
  },
  reshape: { shapes: [[2, 6]], build: (_, [a]) => mul(reshape(a!, [3, 4]), reshape(a!, [3, 4])) },
  transpose: { shapes: [[2, 3, 4]], build: (_, [a]) => transpose(exp(a!), [2, 0, 1]) },
  concat: {
    shapes: [
      [2, 3],
      [2, 1],
    ],
    build: (_, [a, b]) => exp(concat([a!, b!], 1)),
  },
  split: {
    shapes: [[2, 5]],
    build: (_, [a]) => {
      const [left, right] = split(a!, [2, 3], 1);
      return mul(reduceSum(left!, [1]), exp(right!));
    },
  },
  'reduceSum over two axes': { shapes: [[2, 3, 4]], build: (_, [a]) => exp(reduceSum(a!, [0, 2])) },
  meanLast: { shapes: [[2, 3]], build: (_, [a]) => exp(meanLast(a!)) },
  'maxLast as a constant shift': {
    shapes: [[2, 3]],
    build: (_, [a]) => sub(add(a!, detach(maxLast(a!))), detach(maxLast(a!))),
  },
  softmax: { shapes: [[3, 5]], build: (_, [a]) => softmax(a!) },
  rmsNormalise: { shapes: [[3, 8]], build: (_, [a]) => rmsNormalise(a!, 1e-5) },
  matmul: {
    shapes: [
      [2, 3, 4],
      [2, 4, 5],
    ],
    build: (_, [a, b]) => matmul(a!, b!, { scale: 0.5 }),
  },
  'matmul, left transposed': {
    shapes: [
      [4, 3],
      [4, 5],
    ],
    build: (_, [a, b]) => matmul(a!, b!, { transposeA: true }),
  },
  'matmul, right transposed': {
    shapes: [
      [2, 3, 4],
      [2, 5, 4],
    ],
    build: (_, [a, b]) => matmul(a!, b!, { transposeB: true, scale: 3 }),
  },
  'matmul, both transposed': {
    shapes: [
      [4, 3],
      [5, 4],
    ],
    build: (_, [a, b]) => matmul(a!, b!, { transposeA: true, transposeB: true }),
  },
  linear: {
    shapes: [
      [2, 3, 4],
      [5, 4],
    ],
    build: (_, [a, b]) => linear(a!, b!),
  },
  'gather, with a repeated row': {
    shapes: [[4, 3]],
    build: (g, [a]) => exp(gather(a!, ids(g, 'rows', [3]))),
    ids: [{ name: 'rows', values: [2, 0, 2], dims: [3] }],
  },
  logProbOf: {
    shapes: [[3, 6]],
    build: (g, [a]) => logProbOf(a!, ids(g, 'targets', [3, 1])),
    ids: [{ name: 'targets', values: [5, 0, 3], dims: [3, 1] }],
  },
  rotary: {
    shapes: [[2, 3, 8]],
    build: (g, [a]) =>
      rotary(a!, ids(g, 'positions', [2, 3]), rotaryTable(g, { positions: 9, headWidth: 4, theta: 100 })),
    ids: [{ name: 'positions', values: [0, 1, 2, 6, 7, 8], dims: [2, 3] }],
  },
};

describe('gradients', () => {
  for (const [name, spec] of Object.entries(cases)) {
    it(`of ${name} equal finite differences in double precision`, async () => {
      const graph = new Graph();
      const xs = spec.shapes.map((shape, i) => graph.input(`x${i}`, shape));
      const y = spec.build(graph, xs);
      graph.output('y', y);
      const dims = y.shape.map(Number);
      const seed = graph.input('seed', dims);
      for (const [i, gradient] of gradients([{ of: y, is: seed }], xs).entries()) graph.output(`dx${i}`, gradient!);

      const values = spec.shapes.map((shape, i) => random64(shape, i, spec.positive ?? false));
      const seeds = random64(dims, 99, false);
      const integers = Object.fromEntries(
        (spec.ids ?? []).map((id) => [id.name, { data: Float64Array.from(id.values), dims: id.dims }]),
      );
      await using session = await GraphSession.create(graph);
      const feeds: Record<string, Feed> = {};
      for (const [i, x] of values.entries()) feeds[`x${i}`] = single(x);
      for (const [key, x] of Object.entries(integers)) {
        feeds[key] = { data: BigInt64Array.from(x.data, (v) => BigInt(v)), dims: x.dims };
      }
      feeds.seed = single(seeds);
      const results = await session.run(feeds);

      const reference = new Graph();
      const inputs = spec.shapes.map((shape, i) => reference.input(`x${i}`, shape));
      reference.output('y', spec.build(reference, inputs));
      const evaluate = (at: Array64[]) =>
        evaluate64(reference, { ...integers, ...Object.fromEntries(at.map((x, i) => [`x${i}`, x])) }).y!;
      const y64 = evaluate(values);
      expect(y64.dims).toEqual(results.y!.dims);
      expectClose(results.y!.data as Float32Array, y64.data);
      for (const [i, x] of values.entries()) {
        const numeric = x.data.map((_, k) => {
          const h = 1e-5;
          const at = (sign: number) =>
            evaluate(values.map((v, j) => (i === j ? { ...v, data: v.data.with(k, v.data[k]! + sign * h) } : v))).data;
          const [up, down] = [at(1), at(-1)];
          return up.reduce((sum, u, n) => sum + ((u - down[n]!) / (2 * h)) * seeds.data[n]!, 0);
        });
        expectClose(results[`dx${i}`]!.data as Float32Array, numeric);
      }
    });
  }
});

function random64(dims: number[], salt: number, positive: boolean): Array64 {
  const data = Float64Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, i) => {
    const x = Math.fround(Math.sin(12.9898 * (i + 1) + 78.233 * (salt + 1)));
    return positive ? Math.fround(Math.abs(x) + 0.5) : x;
  });
  return { data, dims };
}

const single = (x: Array64): Feed => ({ data: Float32Array.from(x.data), dims: x.dims });

function expectClose(actual: Float32Array, expected: Float64Array): void {
  expect(actual.length).toBe(expected.length);
  const scale = Math.max(...expected.map(Math.abs), 1e-3);
  for (const [i, x] of expected.entries()) expect(Math.abs(actual[i]! - x) / scale, `element ${i}`).toBeLessThan(3e-6);
}

import { describe, expect, it } from 'vitest';
import { gradients } from './autodiff.ts';
import { Graph } from './graph.ts';
import { encodeModel } from './onnx.ts';
import { add, exp, mul } from './ops/arithmetic.ts';
import { equalIds } from './ops/compare.ts';
import { concat, reshape, split, transpose } from './ops/layout.ts';
import { linear, matmul } from './ops/matmul.ts';
import { reduceSum } from './ops/reduce.ts';
import { GraphSession } from './session.ts';

describe('a graph', () => {
  it('makes equal nodes and equal constants once', () => {
    const graph = new Graph();
    const x = graph.input('x', [3]);
    expect(add(exp(x), 2)).toBe(add(exp(x), 2));
    expect(graph.nodes).toHaveLength(2);
    expect(graph.constants).toHaveLength(1);
  });

  it('keeps only what its outputs need', () => {
    const graph = new Graph();
    const [x, y] = [graph.input('x', [3]), graph.input('y', [3])];
    const z = mul(exp(x), y);
    const [dx] = gradients([{ of: z, is: graph.input('dz', [3]) }], [x]);
    graph.output('dx', dx!);
    expect(graph.reachable().map((node) => node.op)).toEqual(['Exp', 'Mul', 'Mul']);
  });

  it('gives null where nothing flows, and stops at what is asked for', () => {
    const graph = new Graph();
    const [x, y] = [graph.input('x', [3]), graph.input('y', [3])];
    expect(gradients([{ of: exp(x), is: x }], [y])).toEqual([null]);
    const middle = exp(x);
    const [dMiddle, dx] = gradients([{ of: mul(middle, 3), is: y }], [middle, x]);
    expect([dMiddle!.shape, dx!.shape]).toEqual([[3], [3]]);
  });

  it('runs with lengths that are only known then', async () => {
    const graph = new Graph();
    const x = graph.input('x', ['rows', 2, 3]);
    graph.output('y', reshape(transpose(x, [0, 2, 1]), ['flat', 2]));
    await using session = await GraphSession.create(graph);
    for (const rows of [1, 4]) {
      const data = Float32Array.from({ length: rows * 6 }, (_, i) => i);
      const { y } = await session.run({ x: { data, dims: [rows, 2, 3] } });
      expect(y!.dims).toEqual([rows * 3, 2]);
      expect([...y!.data].slice(0, 4)).toEqual([0, 3, 1, 4]);
    }
  });

  it('writes outputs into arrays it is given', async () => {
    const graph = new Graph();
    graph.output('y', exp(graph.input('x', [2])));
    await using session = await GraphSession.create(graph);
    const mine = new Float32Array(2);
    const { y } = await session.run({ x: { data: new Float32Array(2), dims: [2] } }, { y: { data: mine, dims: [2] } });
    expect([...mine]).toEqual([1, 1]);
    expect(y!.data).toEqual(mine);
  });

  it('names what does not fit', async () => {
    const graph = new Graph();
    const [a, b] = [graph.input('a', [2, 3]), graph.input('b', [2, 4])];
    const ids = graph.input('ids', ['rows'], 'int64');
    const other = new Graph().input('c', [2, 3]);
    expect(() => add(a, b)).toThrow('Add: [2, 3] and [2, 4] do not broadcast (3 against 4)');
    expect(() => add(a, ids)).toThrow('Add: ids is int64, expected float');
    expect(() => add(a, other)).toThrow('c belongs to another graph');
    expect(() => matmul(a, b)).toThrow('MatMul: [2, 3] by [2, 4]');
    expect(() => linear(a, b)).toThrow('linear: [2, 3] does not fit a weight of [2, 4]');
    expect(() => reshape(a, [4, 2])).toThrow('Reshape: [2, 3] cannot become [4, 2]');
    expect(() => reshape(a, ['p', 'q'])).toThrow('Reshape: [2, 3] cannot become [p, q]');
    expect(() => transpose(a, [0, 0])).toThrow('no order of the axes');
    expect(() => reduceSum(a, [2])).toThrow('ReduceSum: axis 2 does not exist in [2, 3]');
    expect(() => concat([a, b], 0)).toThrow('Concat: [2, 4] does not join [2, 3]');
    expect(() => split(a, [1, 1], 1)).toThrow('do not fill axis 1');
    expect(() => equalIds(a, ids)).toThrow('a is float, expected int64');
    expect(() => graph.input('a', [1])).toThrow('input a is declared twice');
    expect(() => encodeModel(graph)).toThrow('no outputs');
    graph.output('y', add(a, 1));
    await using session = await GraphSession.create(graph);
    await expect(session.run({})).rejects.toThrow('graph input a was not fed');
    await expect(session.run({ a: { data: new Float32Array(5), dims: [2, 3] } })).rejects.toThrow(
      'a: 5 elements do not fill',
    );
  });
});

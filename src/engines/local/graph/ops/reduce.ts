/** Reductions. Reduced axes stay, with length 1, so that results broadcast back. */
import { emitOne, expectType, type Value } from '../graph.ts';
import { resolveAxis } from '../shape.ts';
import { mul } from './arithmetic.ts';
import { expandLike } from './layout.ts';

function reduce(op: string, x: Value, axes: readonly number[], gradient: (dy: Value) => Value | null): Value {
  expectType(op, 'float', x);
  const resolved = axes.map((axis) => resolveAxis(op, x.shape, axis)).sort((a, b) => a - b);
  return emitOne(op, [x, x.graph.integers(...resolved)], {
    shape: x.shape.map((dim, axis) => (resolved.includes(axis) ? 1 : dim)),
    attributes: { keepdims: 1 },
    gradient: (dy) => [gradient(dy), null],
  });
}

export function reduceSum(x: Value, axes: readonly number[]): Value {
  return reduce('ReduceSum', x, axes, (dy) => expandLike(dy, x));
}

/** The mean over the last axis, whose length must be known. */
export function meanLast(x: Value): Value {
  const width = Number(x.shape.at(-1));
  return reduce('ReduceMean', x, [-1], (dy) => expandLike(mul(dy, 1 / width), x));
}

/** The largest element. Gradients treat it as a constant: here it only ever stabilises an exponential. */
export function maxLast(x: Value): Value {
  return reduce('ReduceMax', x, [-1], () => null);
}

/** Elementwise arithmetic with broadcasting. */
import { emitOne, expectType, type Value } from '../graph.ts';
import { broadcast, stretchedAxes } from '../shape.ts';
import { atLeast, where } from './compare.ts';
import { reshapeLike } from './layout.ts';
import { reduceSum } from './reduce.ts';

type Operand = Value | number;

function binary(
  op: string,
  a: Operand,
  b: Operand,
  gradient: (dy: Value, a: Value, b: Value) => [Value, Value],
): Value {
  const [left, right] = asValues(a, b);
  expectType(op, 'float', left, right);
  return emitOne(op, [left, right], {
    shape: broadcast(op, left.shape, right.shape),
    gradient: (dy) => {
      const [da, db] = gradient(dy, left, right);
      return [sumTo(da, left), sumTo(db, right)];
    },
  });
}

function asValues(a: Operand, b: Operand): [Value, Value] {
  if (typeof a !== 'number') return [a, typeof b === 'number' ? a.graph.scalar(b) : b];
  if (typeof b !== 'number') return [b.graph.scalar(a), b];
  throw new TypeError('an operator needs at least one value of a graph');
}

/** Undoes broadcasting: sums over the axes along which `like` was stretched. */
export function sumTo(gradient: Value, like: Value): Value {
  const axes = stretchedAxes(like.shape, gradient.shape);
  return axes.length === 0 ? gradient : reshapeLike(reduceSum(gradient, axes), like);
}

export function add(a: Operand, b: Operand): Value {
  return binary('Add', a, b, (dy) => [dy, dy]);
}

export function sub(a: Operand, b: Operand): Value {
  return binary('Sub', a, b, (dy) => [dy, neg(dy)]);
}

export function mul(a: Operand, b: Operand): Value {
  return binary('Mul', a, b, (dy, x, y) => [mul(dy, y), mul(dy, x)]);
}

export function div(a: Operand, b: Operand): Value {
  return binary('Div', a, b, (dy, x, y) => [div(dy, y), neg(div(mul(dy, x), mul(y, y)))]);
}

/** The larger of two; its gradient goes to the larger one, and to the second where they are equal. */
export function maximum(a: Value, b: Value): Value {
  return binary('Max', a, b, (dy, x, y) => {
    const second = atLeast(y, x);
    const zero = dy.graph.scalar(0);
    return [where(second, zero, dy), where(second, dy, zero)];
  });
}

function unary(op: string, x: Value, gradient: (dy: Value, y: Value) => Value): Value {
  expectType(op, 'float', x);
  const y: Value = emitOne(op, [x], { shape: x.shape, gradient: (dy) => [gradient(dy, y)] });
  return y;
}

export function neg(x: Value): Value {
  return unary('Neg', x, (dy) => neg(dy));
}

export function exp(x: Value): Value {
  return unary('Exp', x, (dy, y) => mul(dy, y));
}

export function log(x: Value): Value {
  return unary('Log', x, (dy) => div(dy, x));
}

export function sigmoid(x: Value): Value {
  return unary('Sigmoid', x, (dy, y) => mul(dy, mul(y, sub(1, y))));
}

/**
 * silu(gate)·up with silu(x) = x·σ(x). With h the result and s = σ(gate), the gradient of the gate is dh·(h + s·(up − h)):
 * the last product hands dh on as it is, and the first one's rule does the rest. One pass over memory less than term by term.
 */
export function swiglu(gate: Value, up: Value): Value {
  const s = sigmoid(gate);
  const y: Value = emitOne('Mul', [gate, s], {
    shape: gate.shape,
    gradient: (dh) => [mul(dh, add(h, mul(s, sub(up, h)))), null],
  });
  const h: Value = emitOne('Mul', [y, up], { shape: y.shape, gradient: (dh) => [dh, mul(dh, y)] });
  return h;
}

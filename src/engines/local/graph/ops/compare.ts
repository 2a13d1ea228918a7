/** Comparisons and selection: booleans carry no gradient. */
import { type DType, emitOne, expectType, type Value } from '../graph.ts';
import { broadcast } from '../shape.ts';
import { sumTo } from './arithmetic.ts';

function comparison(op: string, dtype: DType, a: Value, b: Value): Value {
  expectType(op, dtype, a, b);
  return emitOne(op, [a, b], { shape: broadcast(op, a.shape, b.shape), dtype: 'bool', gradient: () => [null, null] });
}

export function equalIds(a: Value, b: Value): Value {
  return comparison('Equal', 'int64', a, b);
}

export function atLeast(a: Value, b: Value): Value {
  return comparison('GreaterOrEqual', a.dtype, a, b);
}

export function atMost(a: Value, b: Value): Value {
  return comparison('LessOrEqual', a.dtype, a, b);
}

export function both(a: Value, b: Value): Value {
  return comparison('And', 'bool', a, b);
}

/** a where the condition holds, else b. */
export function where(condition: Value, a: Value, b: Value): Value {
  expectType('Where', 'bool', condition);
  return emitOne('Where', [condition, a, b], {
    shape: broadcast('Where', condition.shape, broadcast('Where', a.shape, b.shape)),
    dtype: a.dtype,
    gradient: (dy) => {
      const zero = dy.graph.scalar(0);
      return [null, sumTo(where(condition, dy, zero), a), sumTo(where(condition, zero, dy), b)];
    },
  });
}

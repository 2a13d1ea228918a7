/** Softmax and RMS normalisation over the last axis. */
import { emitOne, expectType, type Value } from '../graph.ts';
import { mul, sub } from './arithmetic.ts';
import { meanLast, reduceSum } from './reduce.ts';

export function softmax(x: Value): Value {
  expectType('Softmax', 'float', x);
  const y: Value = emitOne('Softmax', [x], {
    shape: x.shape,
    attributes: { axis: -1 },
    gradient: (dy) => [mul(y, sub(dy, reduceSum(mul(dy, y), [-1])))],
  });
  return y;
}

/** x / √(mean x² + ε), without a gain: multiply by one, or fold it into the next weight. */
export function rmsNormalise(x: Value, eps: number): Value {
  expectType('SimplifiedLayerNormalization', 'float', x);
  const width = x.shape.at(-1);
  if (typeof width !== 'number') throw new TypeError('rmsNormalise: the last axis must have a known length');
  const ones = x.graph.constant(new Float32Array(width).fill(1), [width]);
  const [y, inverse] = x.graph.emit('SimplifiedLayerNormalization', [x, ones], {
    outputs: [{ shape: x.shape }, { shape: x.shape.with(-1, 1) }],
    attributes: { axis: -1, epsilon: { float: eps }, stash_type: 1 },
    gradient: ([dy]) => (dy ? [mul(inverse!, sub(dy, mul(y!, meanLast(mul(dy, y!))))), null] : [null, null]),
  });
  return y!;
}

/** The norm with its gain, in one node. For graphs that are not differentiated. */
export function rmsNorm(x: Value, gain: Value, eps: number): Value {
  return emitOne('SimplifiedLayerNormalization', [x, gain], {
    shape: x.shape,
    attributes: { axis: -1, epsilon: { float: eps }, stash_type: 1 },
  });
}

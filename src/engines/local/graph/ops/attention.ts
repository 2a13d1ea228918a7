/** softmax(scores)·v with the gradient of flash attention: nothing of the size of the scores is summed on the way back. */
import { emitOne, type Value } from '../graph.ts';
import { mul, sub } from './arithmetic.ts';
import { matmul } from './matmul.ts';
import { reduceSum } from './reduce.ts';

/**
 * For scores [batch, heads, queries, keys] and values [batch, heads, keys, width]. With o = p·v, the row sums of p∘dp that
 * the softmax gradient subtracts equal those of o∘do, which are much smaller to compute. The product's rule subtracts
 * them, so the softmax's own rule is a plain product.
 */
export function attend(scores: Value, values: Value): Value {
  const p: Value = emitOne('Softmax', [scores], {
    shape: scores.shape,
    attributes: { axis: -1 },
    gradient: (centred) => [mul(p, centred)],
  });
  const o: Value = emitOne('FusedMatMul', [p, values], {
    domain: 'com.microsoft',
    shape: [...p.shape.slice(0, -1), values.shape.at(-1)!],
    attributes: { transA: 0, transB: 0, alpha: { float: 1 } },
    gradient: (dy) => [
      sub(matmul(dy, values, { transposeB: true }), reduceSum(mul(dy, o), [-1])),
      matmul(p, dy, { transposeA: true }),
    ],
  });
  return o;
}

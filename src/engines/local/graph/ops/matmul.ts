/** Matrix products with the transpositions and the factor inside the kernel. */
import { emitOne, expectType, type Value } from '../graph.ts';
import { type Dim, ShapeError, sameShape, showShape } from '../shape.ts';
import { reshape } from './layout.ts';

export interface MatMulOptions {
  transposeA?: boolean;
  transposeB?: boolean;
  /** Multiplies the product. */
  scale?: number;
}

/** a·b over the last two axes; leading axes must be equal. */
export function matmul(a: Value, b: Value, options: MatMulOptions = {}): Value {
  const { transposeA = false, transposeB = false, scale = 1 } = options;
  const [m, k] = lastTwo(a, transposeA);
  const [k2, n] = lastTwo(b, transposeB);
  if (k !== k2 || !sameShape(a.shape.slice(0, -2), b.shape.slice(0, -2))) {
    throw new ShapeError(
      `MatMul: ${showShape(a.shape)}${transposeA ? 'ᵀ' : ''} by ${showShape(b.shape)}${transposeB ? 'ᵀ' : ''}`,
    );
  }
  return fused(a, b, [...a.shape.slice(0, -2), m, n], { transposeA, transposeB, scale }, (dy) => {
    const da = transposeA
      ? matmul(b, dy, { transposeA: transposeB, transposeB: true, scale })
      : matmul(dy, b, { transposeB: !transposeB, scale });
    const db = transposeB
      ? matmul(dy, a, { transposeA: true, transposeB: transposeA, scale })
      : matmul(a, dy, { transposeA: !transposeA, scale });
    return [da, db];
  });
}

/** x·wᵀ for a weight of shape [out, in] and x of any rank: a linear layer. */
export function linear(x: Value, weight: Value): Value {
  const [out, inner] = weight.shape;
  const width = x.shape.at(-1);
  if (weight.shape.length !== 2 || width !== inner || out === undefined) {
    throw new ShapeError(`linear: ${showShape(x.shape)} does not fit a weight of ${showShape(weight.shape)}`);
  }
  return fused(x, weight, x.shape.with(-1, out), { transposeB: true }, (dy) => {
    const dx = fused(dy, weight, x.shape, {}, () => {
      throw new Error('linear: second derivatives are not defined');
    });
    return [dx, matmul(rows(dy), rows(x), { transposeA: true })];
  });
}

/** Everything before the last axis as one axis. */
export function rows(x: Value): Value {
  const leading = x.shape.slice(0, -1);
  if (leading.length === 1) return x;
  const known = leading.every((dim) => typeof dim === 'number');
  const count: Dim = known ? leading.reduce<number>((product, dim) => product * Number(dim), 1) : leading.join('·');
  return reshape(x, [count, x.shape.at(-1)!]);
}

function lastTwo(x: Value, transposed: boolean): [Dim, Dim] {
  const [rowCount, columns] = x.shape.slice(-2);
  if (rowCount === undefined || columns === undefined) {
    throw new ShapeError(`MatMul: ${showShape(x.shape)} is no matrix`);
  }
  return transposed ? [columns, rowCount] : [rowCount, columns];
}

function fused(
  a: Value,
  b: Value,
  shape: readonly Dim[],
  { transposeA = false, transposeB = false, scale = 1 }: MatMulOptions,
  gradient: (dy: Value) => [Value, Value],
): Value {
  expectType('MatMul', 'float', a, b);
  return emitOne('FusedMatMul', [a, b], {
    domain: 'com.microsoft',
    shape,
    attributes: { transA: Number(transposeA), transB: Number(transposeB), alpha: { float: scale } },
    gradient,
  });
}

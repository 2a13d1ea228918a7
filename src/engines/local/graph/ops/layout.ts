/** Operators that move elements without computing: reshape, transpose, concatenate, split. */
import { emitOne, type Value } from '../graph.ts';
import { type Dim, elementCount, resolveAxis, type Shape, ShapeError, sameShape, showShape } from '../shape.ts';

/**
 * The target as ONNX writes it: a number as it is, a named dimension of the same place as 0, and at most one other
 * unknown as −1. Undefined where that is not enough.
 */
function reshapeTarget(from: Shape, to: Shape): number[] | undefined {
  let inferred = 0;
  const target = to.map((dim, axis) => {
    if (typeof dim === 'number') return dim;
    if (from[axis] === dim) return 0;
    inferred++;
    return -1;
  });
  return inferred <= 1 ? target : undefined;
}

export function reshape(x: Value, shape: readonly Dim[]): Value {
  if (sameShape(x.shape, shape)) return x;
  const target = reshapeTarget(x.shape, shape);
  const [before, after] = [elementCount(x.shape), elementCount(shape)];
  if (!target || (before !== undefined && after !== undefined && before !== after)) {
    throw new ShapeError(`Reshape: ${showShape(x.shape)} cannot become ${showShape(shape)}`);
  }
  return emitOne('Reshape', [x, x.graph.integers(...target)], {
    shape,
    dtype: x.dtype,
    gradient: (dy) => [reshapeLike(dy, x), null],
  });
}

/** The elements of x in the shape another value has when the graph runs. */
export function reshapeLike(x: Value, like: Value): Value {
  if (sameShape(x.shape, like.shape)) return x;
  if (reshapeTarget(x.shape, like.shape)) return reshape(x, like.shape);
  return emitOne('Reshape', [x, shapeOf(like)], {
    shape: like.shape,
    dtype: x.dtype,
    gradient: (dy) => [reshapeLike(dy, x), null],
  });
}

export function transpose(x: Value, order: readonly number[]): Value {
  if (order.length !== x.shape.length || [...order].sort((a, b) => a - b).some((axis, index) => axis !== index)) {
    throw new ShapeError(`Transpose: [${order.join(', ')}] is no order of the axes of ${showShape(x.shape)}`);
  }
  if (order.every((axis, index) => axis === index)) return x;
  const inverse = order.map((_, axis) => order.indexOf(axis));
  return emitOne('Transpose', [x], {
    shape: order.map((axis) => x.shape[axis]!),
    dtype: x.dtype,
    attributes: { perm: order },
    gradient: (dy) => [transpose(dy, inverse)],
  });
}

export function concat(parts: readonly Value[], axis: number): Value {
  const [first] = parts;
  if (!first) throw new ShapeError('Concat: nothing to join');
  const at = resolveAxis('Concat', first.shape, axis);
  const sizes = parts.map((part) => {
    const dim = part.shape[at];
    const agrees =
      part.shape.length === first.shape.length && part.shape.every((d, i) => i === at || d === first.shape[i]);
    if (!agrees || dim === undefined) {
      throw new ShapeError(`Concat: ${showShape(part.shape)} does not join ${showShape(first.shape)} along axis ${at}`);
    }
    return dim;
  });
  return emitOne('Concat', parts, {
    shape: first.shape.with(at, joined(sizes)),
    dtype: first.dtype,
    attributes: { axis: at },
    gradient: (dy) => [...split(dy, sizes, at)],
  });
}

/** The length of parts end to end; named ones make a name. */
function joined(sizes: readonly Dim[]): Dim {
  return sizes.every((size) => typeof size === 'number') ? sizes.reduce((sum, size) => sum + size, 0) : sizes.join('+');
}

/** `lengths` are the sizes when the graph runs: to be given where some are named. */
export function split(x: Value, sizes: readonly Dim[], axis: number, lengths?: Value): readonly Value[] {
  const at = resolveAxis('Split', x.shape, axis);
  if (x.shape[at] !== joined(sizes)) {
    throw new ShapeError(`Split: parts of ${sizes.join(' + ')} do not fill axis ${at} of ${showShape(x.shape)}`);
  }
  return x.graph.emit('Split', [x, lengths ?? x.graph.integers(...sizes.map(Number))], {
    outputs: sizes.map((size) => ({ shape: x.shape.with(at, size), dtype: x.dtype })),
    attributes: { axis: at },
    gradient: (parts) => {
      if (parts.some((part) => part === null)) throw new Error('Split: every part must carry a gradient');
      return [
        concat(
          parts.filter((part) => part !== null),
          at,
        ),
        null,
      ];
    },
  });
}

/** Stretches dimensions of length 1 to those another value has. */
export function expandLike(x: Value, like: Value): Value {
  if (sameShape(x.shape, like.shape)) return x;
  return emitOne('Expand', [x, shapeOf(like)], { shape: like.shape });
}

export function zerosLike(x: Value): Value {
  return emitOne('ConstantOfShape', [shapeOf(x)], { shape: x.shape, gradient: () => [null] });
}

/** The same value as a leaf: gradients stop here, and may be asked for. */
export function detach(x: Value): Value {
  return emitOne('Identity', [x], { shape: x.shape, dtype: x.dtype, gradient: () => [null] });
}

function shapeOf(x: Value): Value {
  return emitOne('Shape', [x], { shape: [x.shape.length], dtype: 'int64', gradient: () => [null] });
}

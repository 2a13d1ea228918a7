/**
 * Shapes with named dimensions. A name stands for a length known only when the graph runs (rows of a batch, tokens of a
 * row); two dimensions agree when they are the same number or the same name.
 */
export type Dim = number | string;
export type Shape = readonly Dim[];

export function showShape(shape: Shape): string {
  return `[${shape.join(', ')}]`;
}

export class ShapeError extends TypeError {
  override name = 'ShapeError';
}

/** NumPy broadcasting. A named dimension only meets itself or 1. */
export function broadcast(op: string, a: Shape, b: Shape): Dim[] {
  const rank = Math.max(a.length, b.length);
  const out: Dim[] = [];
  for (let axis = 0; axis < rank; axis++) {
    const x = a[axis - rank + a.length] ?? 1;
    const y = b[axis - rank + b.length] ?? 1;
    if (x !== y && x !== 1 && y !== 1) {
      throw new ShapeError(`${op}: ${showShape(a)} and ${showShape(b)} do not broadcast (${x} against ${y})`);
    }
    out.push(x === 1 ? y : x);
  }
  return out;
}

/** The axes that broadcasting `from` to `to` stretched: what its gradient has to sum over. */
export function stretchedAxes(from: Shape, to: Shape): number[] {
  const offset = to.length - from.length;
  return to.flatMap((dim, axis) => (axis < offset || (from[axis - offset] === 1 && dim !== 1) ? [axis] : []));
}

/** Number of elements where every dimension is a number. */
export function elementCount(shape: Shape): number | undefined {
  let product = 1;
  for (const dim of shape) {
    if (typeof dim === 'string') return undefined;
    product *= dim;
  }
  return product;
}

export function sameShape(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((dim, axis) => dim === b[axis]);
}

/** Counts from the end when negative, and refuses what is out of range. */
export function resolveAxis(op: string, shape: Shape, axis: number): number {
  const resolved = axis < 0 ? axis + shape.length : axis;
  if (resolved < 0 || resolved >= shape.length) {
    throw new ShapeError(`${op}: axis ${axis} does not exist in ${showShape(shape)}`);
  }
  return resolved;
}

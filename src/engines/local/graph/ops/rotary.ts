/** Rotary position embedding, as the Llama family applies it: the two halves of a head are rotated against each other. */
import { emitOne, expectType, type Graph, type Value } from '../graph.ts';

export interface RotaryTable {
  cos: Value;
  sin: Value;
  /** −sin: a rotation is undone by the opposite one, and that is also its gradient. */
  negativeSin: Value;
}

export function rotaryTable(
  graph: Graph,
  options: { positions: number; headWidth: number; theta: number; scale?: number },
): RotaryTable {
  const { positions, headWidth, theta, scale = 1 } = options;
  const half = headWidth / 2;
  const cos = new Float32Array(positions * half);
  const sin = new Float32Array(positions * half);
  for (let position = 0; position < positions; position++) {
    for (let pair = 0; pair < half; pair++) {
      // The frequency is rounded to single precision before use, as the reference implementations do.
      const angle = Math.fround(position * Math.fround(1 / theta ** (pair / half)));
      cos[position * half + pair] = scale * Math.cos(angle);
      sin[position * half + pair] = scale * Math.sin(angle);
    }
  }
  const shape = [positions, half];
  return {
    cos: graph.constant(cos, shape),
    sin: graph.constant(sin, shape),
    negativeSin: graph.constant(
      sin.map((x) => -x),
      shape,
    ),
  };
}

/** Rotates x [batch, tokens, heads·width] by the positions [batch, tokens]. */
export function rotary(x: Value, positions: Value, table: RotaryTable): Value {
  expectType('RotaryEmbedding', 'int64', positions);
  return emitOne('RotaryEmbedding', [x, positions, table.cos, table.sin], {
    domain: 'com.microsoft',
    shape: x.shape,
    gradient: (dy) => [
      rotary(dy, positions, { cos: table.cos, sin: table.negativeSin, negativeSin: table.sin }),
      null,
      null,
      null,
    ],
  });
}

/**
 * AdamW over flat arrays, in WebAssembly SIMD. Arrays of any size and kind (shared ones included) pass through a small
 * memory piece by piece, so that nothing of the model's size is held twice and no limit of a wasm memory applies.
 */
import { assemble, instantiate, op } from './wasm.ts';

export interface AdamW {
  learningRate: number;
  beta1: number;
  beta2: number;
  eps: number;
  weightDecay: number;
}

export const ADAMW_DEFAULTS: Omit<AdamW, 'learningRate'> = { beta1: 0.9, beta2: 0.999, eps: 1e-8, weightDecay: 0 };

export interface AdamWState {
  weights: Float32Array;
  gradient: Float32Array;
  m: Float32Array;
  v: Float32Array;
}

/** Floats per piece: four of them stay in the second-level cache. */
const PIECE = 16_384;
const BYTES = PIECE * 4;

interface Kernels {
  memory: { buffer: ArrayBuffer };
  /** Byte count, then g scale, β1, 1−β1, β2, 1−β2, 1/(1−β1ᵗ), 1/(1−β2ᵗ), ε, rate, 1−rate·decay. */
  update: (...args: number[]) => void;
  sumOfSquares: (bytes: number) => number;
}

function compile(): Kernels {
  const [w, g, m, v] = [0, BYTES, 2 * BYTES, 3 * BYTES];
  const scalars = ['scale', 'b1', 'c1', 'b2', 'c2', 'fix1', 'fix2', 'eps', 'rate', 'keep'];
  // Parameters are 0 (byte count) and 1…10 (scalars); locals are 11 (offset), 12…14 (g, m, v) and 15…24 (splat scalars).
  const x = (name: string) => op.get(15 + scalars.indexOf(name));
  const [at, G, M, V] = [11, 12, 13, 14];
  const update = [
    ...scalars.flatMap((_, i) => [...op.get(1 + i), ...op.splatF32, ...op.set(15 + i)]),
    ...op.loop([
      ...[...op.get(at), ...op.load(g), ...x('scale'), ...op.mul, ...op.set(G)],
      ...[
        ...op.get(at),
        ...op.load(m),
        ...x('b1'),
        ...op.mul,
        ...op.get(G),
        ...x('c1'),
        ...op.mul,
        ...op.add,
        ...op.set(M),
      ],
      ...[...op.get(at), ...op.load(v), ...x('b2'), ...op.mul],
      ...[...op.get(G), ...op.get(G), ...op.mul, ...x('c2'), ...op.mul, ...op.add, ...op.set(V)],
      ...[...op.get(at), ...op.get(M), ...op.store(m), ...op.get(at), ...op.get(V), ...op.store(v)],
      ...[...op.get(at), ...op.get(at), ...op.load(w), ...x('keep'), ...op.mul],
      ...[...op.get(M), ...x('fix1'), ...op.mul, ...x('rate'), ...op.mul],
      ...[
        ...op.get(V),
        ...x('fix2'),
        ...op.mul,
        ...op.sqrt,
        ...x('eps'),
        ...op.add,
        ...op.div,
        ...op.sub,
        ...op.store(w),
      ],
      ...[
        ...op.get(at),
        ...op.i32Const(16),
        ...op.i32Add,
        ...op.set(at),
        ...op.get(at),
        ...op.get(0),
        ...op.i32LessThan,
      ],
    ]),
  ];
  // Squares are summed in double precision, two lanes at a time. Locals: 1 (offset), 2 (sum), 3 (one half as doubles).
  const half = (pick: readonly number[]) => [
    ...[...op.get(1), ...op.load(g), ...pick, ...op.promoteLow, ...op.set(3)],
    ...[...op.get(2), ...op.get(3), ...op.get(3), ...op.mulF64, ...op.addF64, ...op.set(2)],
  ];
  const sumOfSquares = [
    ...[...op.f64Const0, ...op.splatF64, ...op.set(2)],
    ...op.loop([
      ...half([]),
      ...half([...op.set(3), ...op.get(3), ...op.get(3), ...op.upperHalf]),
      ...[...op.get(1), ...op.i32Const(16), ...op.i32Add, ...op.set(1), ...op.get(1), ...op.get(0), ...op.i32LessThan],
    ]),
    ...[...op.get(2), ...op.laneF64(0), ...op.get(2), ...op.laneF64(1), ...op.scalarAddF64],
  ];
  const module = assemble(
    [
      {
        name: 'update',
        params: ['i32', ...scalars.map(() => 'f32' as const)],
        result: null,
        locals: ['i32', ...Array.from({ length: 13 }, () => 'v128' as const)],
        code: update,
      },
      { name: 'sumOfSquares', params: ['i32'], result: 'f64', locals: ['i32', 'v128', 'v128'], code: sumOfSquares },
    ],
    (4 * BYTES) / 65_536,
  );
  // The exports are the two functions above and the memory.
  return instantiate(module) as unknown as Kernels;
}

let compiled: Kernels | undefined;
function kernels(): Kernels {
  compiled ??= compile();
  return compiled;
}

export interface Range {
  from: number;
  to: number;
}

/** Updates weights and moments in place over a range. `step` counts from 1; the gradient is multiplied by `scale`. */
export function adamwUpdate(state: AdamWState, options: AdamW, { from, to }: Range, step: number, scale: number): void {
  const { memory, update } = kernels();
  const arrays = [state.weights, state.gradient, state.m, state.v];
  const scratch = arrays.map((_, i) => new Float32Array(memory.buffer, i * BYTES, PIECE));
  const { learningRate, beta1, beta2, eps, weightDecay } = options;
  for (let start = from; start < to; start += PIECE) {
    const count = Math.min(PIECE, to - start);
    for (const [i, array] of arrays.entries()) scratch[i]!.set(array.subarray(start, start + count));
    update(
      padded(count),
      ...[scale, beta1, 1 - beta1, beta2, 1 - beta2],
      ...[1 / (1 - beta1 ** step), 1 / (1 - beta2 ** step), eps, learningRate, 1 - learningRate * weightDecay],
    );
    for (const i of [0, 2, 3]) arrays[i]!.set(scratch[i]!.subarray(0, count), start);
  }
}

export function sumOfSquares(values: Float32Array, { from, to }: Range): number {
  const { memory, sumOfSquares: sum } = kernels();
  const scratch = new Float32Array(memory.buffer, BYTES, PIECE);
  let total = 0;
  for (let start = from; start < to; start += PIECE) {
    const count = Math.min(PIECE, to - start);
    scratch.set(values.subarray(start, start + count));
    scratch.fill(0, count);
    total += sum(padded(count));
  }
  return total;
}

/** Whole vectors of four; what lies behind the count is never copied back. */
function padded(count: number): number {
  return Math.ceil(count / 4) * 16;
}

/**
 * Lays sequences out for the graph: sorted by length, packed into rows of equal length, cut into micro-batches of bounded
 * size. Only what a loss reads is computed: a sequence ends with the last token that carries weight.
 */
import type { Datum } from '../../../core/engine.ts';

export interface MicroBatch {
  batch: number;
  length: number;
  tokens: BigInt64Array;
  positions: BigInt64Array;
  segments: BigInt64Array;
  /** Flat position that predicts, the id it should predict, and the loss's numbers for it. */
  rows: BigInt64Array;
  targets: BigInt64Array;
  weights: Float32Array;
  advantages: Float32Array;
  old: Float32Array;
  reference: Float32Array;
  /** Which datum and which of its tokens each row speaks of. */
  datum: Int32Array;
  entry: Int32Array;
}

export interface PackingLimits {
  /** Tokens, padding included, that one run of the graph may hold. */
  maxTokens: number;
  /** Attention grows with the square of a row: sequences shorter than this share of it do not open another such row. */
  minShare?: number;
}

interface Piece {
  datum: number;
  /** Tokens the model reads. */
  length: number;
  /** Tokens it predicts: those with weight. */
  entries: number[];
}

type Row = Piece[];

export function microBatches(data: readonly Datum[], limits: PackingLimits): MicroBatch[] {
  const pieces = data.flatMap((datum, index) => {
    const entries: number[] = [];
    for (const [t, weight] of datum.weights.entries()) if (weight !== 0) entries.push(t);
    const last = entries.at(-1);
    return last === undefined ? [] : [{ datum: index, length: last, entries }];
  });
  pieces.sort((a, b) => b.length - a.length || a.datum - b.datum);
  const batches: MicroBatch[] = [];
  while (pieces.length > 0) batches.push(fill(takeRows(pieces, limits), data));
  return batches;
}

/** Rows for one micro-batch, longest sequences first; what does not fit stays in `pieces`. */
function takeRows(pieces: Piece[], { maxTokens, minShare = 0.25 }: PackingLimits): { rows: Row[]; length: number } {
  const length = Math.ceil(pieces[0]!.length / 8) * 8;
  const maxRows = Math.max(1, Math.floor(maxTokens / length));
  const rows: Row[] = [];
  const space: number[] = [];
  const rest: Piece[] = [];
  for (const piece of pieces) {
    let row = space.findIndex((left) => left >= piece.length);
    const opens = rows.length === 0 || (rows.length < maxRows && piece.length >= length * minShare);
    if (row === -1 && opens) {
      row = rows.push([]) - 1;
      space.push(length);
    }
    if (row === -1) {
      rest.push(piece);
      continue;
    }
    rows[row]!.push(piece);
    space[row]! -= piece.length;
  }
  pieces.splice(0, pieces.length, ...rest);
  return { rows, length };
}

function fill({ rows, length }: { rows: Row[]; length: number }, data: readonly Datum[]): MicroBatch {
  const size = rows.length * length;
  const count = rows.flat().reduce((sum, piece) => sum + piece.entries.length, 0);
  const out: MicroBatch = {
    batch: rows.length,
    length,
    tokens: new BigInt64Array(size),
    positions: new BigInt64Array(size),
    // Padding is a segment of its own, so that it attends to something and stays finite.
    segments: new BigInt64Array(size).fill(-1n),
    rows: new BigInt64Array(count),
    targets: new BigInt64Array(count),
    weights: new Float32Array(count),
    advantages: new Float32Array(count).fill(1),
    old: new Float32Array(count),
    reference: new Float32Array(count),
    datum: new Int32Array(count),
    entry: new Int32Array(count),
  };
  let next = 0;
  for (const [row, pieces] of rows.entries()) {
    let start = row * length;
    for (const [segment, piece] of pieces.entries()) {
      const datum = data[piece.datum]!;
      for (let t = 0; t < piece.length; t++) {
        out.tokens[start + t] = BigInt(datum.tokens[t]!);
        out.positions[start + t] = BigInt(t);
        out.segments[start + t] = BigInt(segment);
      }
      for (const t of piece.entries) {
        out.rows[next] = BigInt(start + t - 1);
        out.targets[next] = BigInt(datum.tokens[t]!);
        out.weights[next] = datum.weights[t]!;
        if (datum.advantages) out.advantages[next] = datum.advantages[t]!;
        if (datum.logprobs) out.old[next] = datum.logprobs[t]!;
        if (datum.reference) out.reference[next] = datum.reference[t]!;
        out.datum[next] = piece.datum;
        out.entry[next] = t;
        next++;
      }
      start += piece.length;
    }
  }
  return out;
}

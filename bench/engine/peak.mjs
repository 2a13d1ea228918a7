/** The fp32 peak that a large matrix product reaches on this machine with the same runtime, in FLOP/s. */
import { Graph } from '../../dist/engines/local/graph/graph.js';
import { matmul } from '../../dist/engines/local/graph/ops/matmul.js';
import { GraphSession } from '../../dist/engines/local/graph/session.js';

export async function gemmPeak(threads) {
  const n = 1024;
  const graph = new Graph();
  graph.output('y', matmul(graph.input('a', [n, n]), graph.input('b', [n, n])));
  const session = await GraphSession.create(graph, { threads });
  const data = new Float32Array(n * n).fill(0.5);
  const feeds = { a: { data, dims: [n, n] }, b: { data, dims: [n, n] } };
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 12; i++) {
    const start = performance.now();
    await session.run(feeds);
    best = Math.min(best, performance.now() - start);
  }
  await session[Symbol.asyncDispose]();
  return (2 * n ** 3) / (best / 1000);
}

/** Useful work of one training step: 6 FLOPs a weight and token, and attention over the causal half. */
export function trainingFlops({ vocabulary, width, layers, mlpWidth, heads, kvHeads, headWidth }, { batch, length }) {
  const perLayer = width * headWidth * (2 * heads + 2 * kvHeads) + 3 * width * mlpWidth;
  const tokens = batch * length;
  return 6 * tokens * (layers * perLayer + vocabulary * width) + 6 * tokens * layers * length * heads * headWidth;
}

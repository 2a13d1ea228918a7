/**
 * The graphs over whole sequences. Rows of a batch may hold several sequences one after the other (packing): a segment
 * number per token keeps them apart and positions restart with each. Log-probabilities are taken only where asked.
 */
import { gradients } from '../graph/autodiff.ts';
import { Graph, type Value } from '../graph/graph.ts';
import { add, exp, mul, neg, sub } from '../graph/ops/arithmetic.ts';
import { attend } from '../graph/ops/attention.ts';
import { atLeast, atMost, both, equalIds, where } from '../graph/ops/compare.ts';
import { detach, reshape, transpose } from '../graph/ops/layout.ts';
import { gather, logProbOf } from '../graph/ops/lookup.ts';
import { rows as flatten, matmul } from '../graph/ops/matmul.ts';
import type { LoraConfig, ModelConfig } from './config.ts';
import { EMBEDDING } from './layout.ts';
import { type Attention, Network, type NetworkOptions } from './network.ts';

/** Adding this to a score removes it: exp underflows to exactly zero. */
export const MASKED = -1e9;

/** Output: gradient of the embedded tokens, to be added into the rows of the embedding's gradient. */
export const EMBEDDED = 'd:embedded';
export const gradientName = (tensor: string): string => `d:${tensor}`;

/** Causal attention inside each segment, with keys and values of [batch, tokens, kvHeads·w]. */
export function segmentAttention(config: ModelConfig, positions: Value, segments: Value): Attention {
  const [batch, tokens] = positions.shape as [string, string];
  const { heads, kvHeads, headWidth } = config;
  const group = heads / kvHeads;
  const query = (ids: Value) => reshape(ids, [batch, 1, tokens, 1]);
  const key = (ids: Value) => reshape(ids, [batch, 1, 1, tokens]);
  const mine = both(equalIds(query(segments), key(segments)), atLeast(query(positions), key(positions)));
  const mask = where(mine, positions.graph.scalar(0), positions.graph.scalar(MASKED));
  const grouped = group === 1 ? tokens : `${group}·${tokens}`;
  const byHead = (x: Value) => transpose(reshape(x, [batch, tokens, kvHeads, headWidth]), [0, 2, 1, 3]);

  return (_layer, q, k, v) => {
    // The queries that share a key head stand below one another, as one taller matrix.
    const stacked = reshape(transpose(reshape(q, [batch, tokens, kvHeads, group, headWidth]), [0, 2, 3, 1, 4]), [
      batch,
      kvHeads,
      grouped,
      headWidth,
    ]);
    const scores = matmul(stacked, byHead(k), { transposeB: true, scale: headWidth ** -0.5 });
    const masked = add(reshape(scores, [batch, heads, tokens, tokens]), mask);
    const out = attend(reshape(masked, [batch, kvHeads, grouped, tokens]), byHead(v));
    const perHead = transpose(reshape(out, [batch, kvHeads, group, tokens, headWidth]), [0, 3, 1, 2, 4]);
    return reshape(perHead, [batch, tokens, heads * headWidth]);
  };
}

interface Trunk {
  graph: Graph;
  network: Network;
  embedded: Value;
  hidden: Value;
}

function trunk(config: ModelConfig, options: NetworkOptions): Trunk {
  const graph = new Graph();
  const tokens = graph.input('tokens', ['batch', 'tokens'], 'int64');
  const positions = graph.input('positions', ['batch', 'tokens'], 'int64');
  const segments = graph.input('segments', ['batch', 'tokens'], 'int64');
  const network = new Network(graph, config, options);
  const embedded = detach(gather(network.embedding, tokens));
  const hidden = network.layers(embedded, positions, segmentAttention(config, positions, segments));
  return { graph, network, embedded, hidden };
}

/** Adds the log-probabilities of the targets at the positions that predict them. */
function withLogProbs({ graph, network, hidden }: Trunk): Value {
  const predicting = graph.input('rows', ['rows'], 'int64');
  const targets = graph.input('targets', ['rows', 1], 'int64');
  const logprobs = logProbOf(network.logits(gather(flatten(hidden), predicting)), targets);
  graph.output('logprobs', logprobs);
  return logprobs;
}

/** The logits of every position: for comparison with other implementations. */
export function logitsGraph(config: ModelConfig, lora?: LoraConfig): Graph {
  const { graph, network, hidden } = trunk(config, { lora });
  graph.output('logits', network.logits(hidden));
  return graph;
}

/** Log-probabilities alone. */
export function scoreGraph(config: ModelConfig, lora?: LoraConfig): Graph {
  const parts = trunk(config, { lora });
  withLogProbs(parts);
  return parts.graph;
}

/**
 * Log-probabilities and the gradient of any of our losses. Each is a per-token coefficient c = −∂L/∂logp away from plain
 * cross-entropy, and c is computed here from the log-probs of this very pass:
 *   c = w·A·r·[not clipped] + klCoef·w·(e^d − 1), r = e^(ratio·(logp − old)), d = anchored·(reference − logp).
 * The switches `ratio` and `anchored` are 0 or 1: what a loss does not use must not overflow.
 */
export function trainGraph(config: ModelConfig, lora?: LoraConfig): Graph {
  const parts = trunk(config, { lora, gains: lora ? 'applied' : 'folded' });
  const { graph, network, embedded } = parts;
  const logprobs = withLogProbs(parts);
  const perToken = (name: string) => graph.input(name, ['rows', 1]);
  const weights = perToken('weights');
  const credit = mul(weights, perToken('advantages'));
  const ratio = exp(mul(graph.input('ratio', []), sub(logprobs, perToken('old'))));
  const zero = graph.scalar(0);
  // min(r·A, clip(r)·A) is flat where r has left the band in the direction that A rewards.
  const rising = where(atMost(ratio, graph.input('ceiling', [])), credit, zero);
  const falling = where(atLeast(ratio, graph.input('floor', [])), credit, zero);
  const policy = mul(ratio, where(atLeast(credit, zero), rising, falling));
  const drift = sub(exp(mul(graph.input('anchored', []), sub(perToken('reference'), logprobs))), 1);
  const coefficient = add(policy, mul(mul(graph.input('klCoef', []), weights), drift));

  const trainable = lora ? [...network.weights].filter(([name]) => name.includes('.lora_')) : [...network.weights];
  const wanted = [...trainable.map(([, value]) => value), embedded];
  const flows = gradients([{ of: logprobs, is: neg(coefficient) }], wanted);
  for (const [index, [name]] of trainable.entries()) {
    const flow = flows[index];
    // An untied embedding is only read by the lookup, whose gradient leaves as EMBEDDED.
    if (flow) graph.output(gradientName(name), flow);
    else if (name !== EMBEDDING) throw new Error(`no gradient reaches ${name}`);
  }
  if (!lora) graph.output(EMBEDDED, flows.at(-1)!);
  return graph;
}

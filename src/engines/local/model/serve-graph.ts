/**
 * The graphs that sampling runs. Caches are inputs only: a step returns just the new keys and values. Rows of one request
 * share those of their prompt; a row that shares with nobody has all of its own in one place.
 */
import { Graph, type Value } from '../graph/graph.ts';
import { mul } from '../graph/ops/arithmetic.ts';
import { concat, reshape, transpose } from '../graph/ops/layout.ts';
import { gather } from '../graph/ops/lookup.ts';
import { softmax } from '../graph/ops/normalise.ts';
import { segmentAttention } from './batch-graph.ts';
import { ownCacheAttention, sharedPromptAttention } from './cached-attention.ts';
import type { LoraConfig, ModelConfig } from './config.ts';
import { Network } from './network.ts';

/** Reads a prompt: keys and values of every layer as [1, kvHeads, tokens, width]. */
export function prefillGraph(config: ModelConfig, lora?: LoraConfig): Graph {
  const graph = new Graph();
  const tokens = graph.input('tokens', ['batch', 'tokens'], 'int64');
  const positions = graph.input('positions', ['batch', 'tokens'], 'int64');
  const segments = graph.input('segments', ['batch', 'tokens'], 'int64');
  const network = new Network(graph, config, { lora, gains: 'fused' });
  const attention = segmentAttention(config, positions, segments);
  const byHead = (x: Value) =>
    transpose(reshape(x, ['batch', 'tokens', config.kvHeads, config.headWidth]), [0, 2, 1, 3]);
  network.layers(gather(network.embedding, tokens), positions, (layer, q, k, v) => {
    graph.output(`k${layer}`, byHead(k));
    graph.output(`v${layer}`, byHead(v));
    return attention(layer, q, k, v);
  });
  return graph;
}

/**
 * One token for every active row, for requests of up to `width` samples. The new keys and values leave as one output, all
 * keys first: every output costs a buffer of its own.
 */
export function decodeGraph(config: ModelConfig, width: number, lora?: LoraConfig): Graph {
  const graph = new Graph();
  const tokens = graph.input('tokens', ['rows', 1], 'int64');
  const positions = graph.input('positions', ['rows', 1], 'int64');
  const network = new Network(graph, config, { lora, gains: 'fused', scaleQueries: true });
  const attention = width === 1 ? ownCacheAttention(graph, config) : sharedPromptAttention(graph, config, width);
  const keys: Value[] = [];
  const values: Value[] = [];
  const hidden = network.layers(gather(network.embedding, tokens), positions, (layer, q, k, v) => {
    keys.push(k);
    values.push(v);
    return attention(layer, q, k, v);
  });
  const logits = network.logits(reshape(hidden, ['rows', config.width]));
  graph.output('kv', concat([...keys, ...values], -1));
  graph.output('p', softmax(logits));
  graph.output('tempered', softmax(mul(logits, graph.input('inverseTemperature', ['rows', 1]))));
  return graph;
}

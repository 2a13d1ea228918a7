/**
 * The graphs that sampling runs. A request's rows share the keys and values of their prompt (the prefix); each row owns
 * those of what it wrote (the suffix). Caches are inputs only: a step returns just the new keys and values.
 */
import { Graph, type Value } from '../graph/graph.ts';
import { add, div, exp, maximum, mul, sub } from '../graph/ops/arithmetic.ts';
import { reshape, transpose } from '../graph/ops/layout.ts';
import { gather } from '../graph/ops/lookup.ts';
import { matmul } from '../graph/ops/matmul.ts';
import { softmax } from '../graph/ops/normalise.ts';
import { maxLast, reduceSum } from '../graph/ops/reduce.ts';
import { segmentAttention } from './batch-graph.ts';
import type { LoraConfig, ModelConfig } from './config.ts';
import { type Attention, Network } from './network.ts';

/** Reads a prompt: keys and values of every layer as [1, kvHeads, tokens, width]. */
export function prefillGraph(config: ModelConfig, lora?: LoraConfig): Graph {
  const graph = new Graph();
  const tokens = graph.input('tokens', ['batch', 'tokens'], 'int64');
  const positions = graph.input('positions', ['batch', 'tokens'], 'int64');
  const segments = graph.input('segments', ['batch', 'tokens'], 'int64');
  const network = new Network(graph, config, { lora });
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
 * One token for every active row. Rows are dense; attention works on `groups` × `width` slots, a group being rows with a
 * common prefix. `slotRow` says which row sits in a slot (any, where none does) and `rowSlot` the reverse.
 */
export function decodeGraph(config: ModelConfig, width: number, lora?: LoraConfig): Graph {
  const graph = new Graph();
  const tokens = graph.input('tokens', ['rows', 1], 'int64');
  const positions = graph.input('positions', ['rows', 1], 'int64');
  const network = new Network(graph, config, { lora });
  const attention = cachedAttention(graph, config, width);
  const hidden = network.layers(gather(network.embedding, tokens), positions, attention);
  const logits = network.logits(reshape(hidden, ['rows', config.width]));
  graph.output('p', softmax(logits));
  graph.output('tempered', softmax(mul(logits, graph.input('inverseTemperature', ['rows', 1]))));
  return graph;
}

/** Three parts of one softmax (prefix, suffix, the token itself), each with its own maximum, merged at the end. */
function cachedAttention(graph: Graph, config: ModelConfig, width: number): Attention {
  const { heads, kvHeads, headWidth } = config;
  const group = heads / kvHeads;
  const slotRow = graph.input('slotRow', ['slots'], 'int64');
  const rowSlot = graph.input('rowSlot', ['rows'], 'int64');
  const prefixMask = graph.input('prefixMask', ['groups', 1, 1, 'prefix']);
  const suffixMask = graph.input('suffixMask', ['slots', 1, 1, 'suffix']);
  const inSlots = (x: Value, count: number) =>
    reshape(gather(reshape(x, ['rows', count * headWidth]), slotRow), ['slots', kvHeads, count / kvHeads, headWidth]);
  /** [slots, kvHeads, group, n] as [groups, kvHeads, width·group, n], and back. */
  const byGroup = (x: Value) =>
    reshape(transpose(reshape(x, ['groups', width, kvHeads, group, headWidth]), [0, 2, 1, 3, 4]), [
      'groups',
      kvHeads,
      width * group,
      headWidth,
    ]);
  const bySlot = (x: Value) => {
    const n = x.shape.at(-1)!;
    const apart = transpose(reshape(x, ['groups', kvHeads, width, group, n]), [0, 2, 1, 3, 4]);
    return reshape(apart, ['slots', kvHeads, group, n]);
  };

  return (layer, q, k, v) => {
    graph.output(`k${layer}`, k);
    graph.output(`v${layer}`, v);
    const query = inSlots(q, heads);
    const scale = headWidth ** -0.5;
    const cache = (name: string, axis: 'groups' | 'slots', length: string) =>
      graph.input(`${name}${layer}`, [axis, kvHeads, length, headWidth]);
    const prefix = softmaxPart(
      byGroup(query),
      { keys: cache('prefixK', 'groups', 'prefix'), values: cache('prefixV', 'groups', 'prefix') },
      { mask: prefixMask, scale },
    );
    const suffix = softmaxPart(
      query,
      { keys: cache('suffixK', 'slots', 'suffix'), values: cache('suffixV', 'slots', 'suffix') },
      { mask: suffixMask, scale },
    );
    const own = mul(reduceSum(mul(query, inSlots(k, kvHeads)), [-1]), scale);
    const prefixTop = bySlot(prefix.top);
    const top = maximum(maximum(prefixTop, suffix.top), own);
    const shares = [exp(sub(prefixTop, top)), exp(sub(suffix.top, top)), exp(sub(own, top))] as const;
    const total = add(add(mul(shares[0], bySlot(prefix.total)), mul(shares[1], suffix.total)), shares[2]);
    const sum = add(
      add(mul(shares[0], bySlot(prefix.out)), mul(shares[1], suffix.out)),
      mul(shares[2], inSlots(v, kvHeads)),
    );
    const out = reshape(div(sum, total), ['slots', heads * headWidth]);
    return reshape(gather(out, rowSlot), ['rows', 1, heads * headWidth]);
  };
}

interface SoftmaxPart {
  top: Value;
  total: Value;
  out: Value;
}

function softmaxPart(
  query: Value,
  cache: { keys: Value; values: Value },
  { mask, scale }: { mask: Value; scale: number },
): SoftmaxPart {
  const scores = add(matmul(query, cache.keys, { transposeB: true, scale }), mask);
  const top = maxLast(scores);
  const weights = exp(sub(scores, top));
  return { top, total: reduceSum(weights, [-1]), out: matmul(weights, cache.values) };
}

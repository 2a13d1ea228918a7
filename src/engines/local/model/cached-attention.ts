/**
 * Attention of one new token per row over cached keys and values, for queries that are scaled already. Where rows share
 * a prompt the softmax is worked out in parts (what they share, what a row has of its own), each with its own maximum, and
 * merged at the end.
 */
import type { Graph, Value } from '../graph/graph.ts';
import { add, div, exp, maximum, mul, sub } from '../graph/ops/arithmetic.ts';
import { concat, reshape, split, transpose } from '../graph/ops/layout.ts';
import { gather } from '../graph/ops/lookup.ts';
import { matmul } from '../graph/ops/matmul.ts';
import { softmax } from '../graph/ops/normalise.ts';
import { maxLast, reduceSum } from '../graph/ops/reduce.ts';
import type { ModelConfig } from './config.ts';
import type { Attention } from './network.ts';

/** Every row has its whole past, prompt included, in a cache of its own. */
export function ownCacheAttention(graph: Graph, config: ModelConfig): Attention {
  const { heads, kvHeads, headWidth } = config;
  const cache = cacheInputs(graph, config, { name: 'suffix', blocks: 'rows' });
  const parts = graph.input('suffixParts', [2], 'int64');
  const byHead = (x: Value, count: number) => reshape(x, ['rows', kvHeads, count / kvHeads, headWidth]);
  return (layer, q, k, v) => {
    const query = byHead(q, heads);
    const { keys, values, mask } = cache(layer);
    // The new token stands first, so that the places of the others do not depend on the padding behind them.
    const score = reduceSum(mul(query, byHead(k, kvHeads)), [-1]);
    const scores = concat([score, add(matmul(query, keys, { transposeB: true }), mask)], -1);
    const [own, past] = split(softmax(scores), [1, 'suffix'], -1, parts);
    const out = add(matmul(past!, values), mul(own!, byHead(v, kvHeads)));
    return reshape(out, ['rows', 1, heads * headWidth]);
  };
}

/**
 * Rows are dense; attention works on `groups` × `width` slots, a group being rows with a common prompt (the prefix), each
 * with what it wrote (the suffix). `slotRow` says which row sits in a slot (any, where none does) and `rowSlot` the reverse.
 */
export function sharedPromptAttention(graph: Graph, config: ModelConfig, width: number): Attention {
  const { heads, kvHeads, headWidth } = config;
  const group = heads / kvHeads;
  const slotRow = graph.input('slotRow', ['slots'], 'int64');
  const rowSlot = graph.input('rowSlot', ['rows'], 'int64');
  const prefixCache = cacheInputs(graph, config, { name: 'prefix', blocks: 'groups' });
  const suffixCache = cacheInputs(graph, config, { name: 'suffix', blocks: 'slots' });
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
    const query = inSlots(q, heads);
    const prefix = promptPart(byGroup(query), prefixCache(layer));
    const apart = { top: bySlot(prefix.top), total: bySlot(prefix.total), out: bySlot(prefix.out) };
    const own = rowPart(query, suffixCache(layer), { key: inSlots(k, kvHeads), value: inSlots(v, kvHeads) });
    const out = reshape(merged(apart, own), ['slots', heads * headWidth]);
    return reshape(gather(out, rowSlot), ['rows', 1, heads * headWidth]);
  };
}

interface Cache {
  keys: Value;
  values: Value;
  mask: Value;
}

/** The inputs that a KvCache of this name feeds, layer by layer. */
function cacheInputs(
  graph: Graph,
  { kvHeads, headWidth }: ModelConfig,
  { name, blocks }: { name: string; blocks: string },
): (layer: number) => Cache {
  const mask = graph.input(`${name}Mask`, [blocks, 1, 1, name]);
  const plane = (key: string) => graph.input(key, [blocks, kvHeads, name, headWidth]);
  return (layer) => ({ keys: plane(`${name}K${layer}`), values: plane(`${name}V${layer}`), mask });
}

/** exp(score − top) summed over the keys, bare and times the values. */
interface SoftmaxPart {
  top: Value;
  total: Value;
  out: Value;
}

function scoresOf(query: Value, { keys, mask }: Cache): Value {
  return add(matmul(query, keys, { transposeB: true }), mask);
}

function promptPart(query: Value, cache: Cache): SoftmaxPart {
  const scores = scoresOf(query, cache);
  const top = maxLast(scores);
  const weights = exp(sub(scores, top));
  return { top, total: reduceSum(weights, [-1]), out: matmul(weights, cache.values) };
}

/** The cache and the new token, which is not in it yet, under one maximum. */
function rowPart(query: Value, cache: Cache, token: { key: Value; value: Value }): SoftmaxPart {
  const scores = scoresOf(query, cache);
  const score = reduceSum(mul(query, token.key), [-1]);
  const top = maximum(maxLast(scores), score);
  const weights = exp(sub(scores, top));
  const weight = exp(sub(score, top));
  return {
    top,
    total: add(reduceSum(weights, [-1]), weight),
    out: add(matmul(weights, cache.values), mul(weight, token.value)),
  };
}

function merged(a: SoftmaxPart, b: SoftmaxPart): Value {
  const top = maximum(a.top, b.top);
  const [shareA, shareB] = [exp(sub(a.top, top)), exp(sub(b.top, top))];
  const total = add(mul(shareA, a.total), mul(shareB, b.total));
  return div(add(mul(shareA, a.out), mul(shareB, b.out)), total);
}

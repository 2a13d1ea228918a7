/**
 * Attention of one new token per row over cached keys and values, for queries that are scaled already. Its softmax is worked out in parts (what rows share, what
 * a row wrote, the token itself), each with its own maximum, and merged at the end.
 */
import type { Graph, Value } from '../graph/graph.ts';
import { add, div, exp, maximum, mul, sub } from '../graph/ops/arithmetic.ts';
import { reshape, transpose } from '../graph/ops/layout.ts';
import { gather } from '../graph/ops/lookup.ts';
import { matmul } from '../graph/ops/matmul.ts';
import { maxLast, reduceSum } from '../graph/ops/reduce.ts';
import type { ModelConfig } from './config.ts';
import type { Attention } from './network.ts';

/** Every row has its whole past, prompt included, in a cache of its own. */
export function ownCacheAttention(graph: Graph, config: ModelConfig): Attention {
  const { heads, kvHeads, headWidth } = config;
  const cache = cacheInputs(graph, config, { name: 'suffix', blocks: 'rows' });
  const byHead = (x: Value, count: number) => reshape(x, ['rows', kvHeads, count / kvHeads, headWidth]);
  return (layer, q, k, v) => {
    const query = byHead(q, heads);
    const own = tokenPart(query, byHead(k, kvHeads), byHead(v, kvHeads));
    return reshape(merged([softmaxPart(query, cache(layer)), own]), ['rows', 1, heads * headWidth]);
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
    const prefix = softmaxPart(byGroup(query), prefixCache(layer));
    const apart = { top: bySlot(prefix.top), total: bySlot(prefix.total), out: bySlot(prefix.out) };
    const suffix = softmaxPart(query, suffixCache(layer));
    const own = tokenPart(query, inSlots(k, kvHeads), inSlots(v, kvHeads));
    const out = reshape(merged([apart, suffix, own]), ['slots', heads * headWidth]);
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
  total: Value | 1;
  out: Value;
}

function softmaxPart(query: Value, { keys, values, mask }: Cache): SoftmaxPart & { total: Value } {
  const scores = add(matmul(query, keys, { transposeB: true }), mask);
  const top = maxLast(scores);
  const weights = exp(sub(scores, top));
  return { top, total: reduceSum(weights, [-1]), out: matmul(weights, values) };
}

function tokenPart(query: Value, key: Value, value: Value): SoftmaxPart {
  return { top: reduceSum(mul(query, key), [-1]), total: 1, out: value };
}

function merged(parts: readonly SoftmaxPart[]): Value {
  const top = parts.map((part) => part.top).reduce(maximum);
  const weighed = parts.map((part) => {
    const share = exp(sub(part.top, top));
    return { total: part.total === 1 ? share : mul(share, part.total), out: mul(share, part.out) };
  });
  return div(weighed.map((part) => part.out).reduce(add), weighed.map((part) => part.total).reduce(add));
}

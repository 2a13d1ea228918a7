/** A CPU profile as shares of the parts of an orchestrator: each sample belongs to the innermost frame that names a part. */

const PARTS = [
  [
    'HTTP and the protocol',
    /node_modules\/undici|node:_http|node:net|node:internal\/(?:http|stream|streams|webstreams|timers)|dist\/engines\/|dist\/wire\//,
  ],
  ['tokenising', /dist\/tokens\/|dist\/open-chat|node_modules\/@huggingface/],
  ['the store', /dist\/store\/|node_modules\/libsql|@libsql|@neon-rs/],
  ['rollouts and scoring', /dist\/(?:policies|benchmarks|core)\//],
];
const REST = 'the rest';
const COLLECTION = 'garbage collection';

export const partNames = [...PARTS.map(([name]) => name), COLLECTION, REST];

/** @param profile as V8 gives it: a tree of frames, and samples with the time between them. */
export function shares({ nodes, samples, timeDeltas }) {
  const parent = new Map();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const { id, children = [] } of nodes) for (const child of children) parent.set(child, id);
  const known = new Map();
  const partOf = (id) => {
    if (id === undefined) return REST;
    if (known.has(id)) return known.get(id);
    const { functionName, url } = byId.get(id).callFrame;
    const part =
      functionName === '(garbage collector)'
        ? COLLECTION
        : (PARTS.find(([, pattern]) => pattern.test(url))?.[0] ?? partOf(parent.get(id)));
    known.set(id, part);
    return part;
  };
  const times = Object.fromEntries(partNames.map((name) => [name, 0]));
  let total = 0;
  for (const [i, id] of samples.entries()) {
    if (byId.get(id).callFrame.functionName === '(idle)') continue;
    const took = Math.max(0, timeDeltas[i] ?? 0);
    times[partOf(id)] += took;
    total += took;
  }
  return Object.fromEntries(Object.entries(times).map(([name, took]) => [name, total === 0 ? 0 : took / total]));
}

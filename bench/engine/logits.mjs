/** The logits at every position of a sequence, as one row after the other. */

import { GraphSession } from '../../dist/engines/local/graph/session.js';
import { logitsGraph } from '../../dist/engines/local/model/batch-graph.js';
import { weightFeeds } from '../../dist/engines/local/model/feeds.js';

export async function allLogits(config, base, tokens) {
  const session = await GraphSession.create(logitsGraph(config));
  const ids = (f) => ({ data: BigInt64Array.from(tokens, (id, t) => BigInt(f(id, t))), dims: [1, tokens.length] });
  const feeds = { tokens: ids((id) => id), positions: ids((_, t) => t), segments: ids(() => 0) };
  const { logits } = await session.run({ ...weightFeeds(config, { base }), ...feeds });
  await session[Symbol.asyncDispose]();
  return logits.data;
}

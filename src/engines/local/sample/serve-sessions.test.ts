import { expect, it } from 'vitest';
import { modelConfig } from '../model/config.ts';
import { weightFeeds } from '../model/feeds.ts';
import { initialiseModel } from '../model/initialise.ts';
import { decodeGraph } from '../model/serve-graph.ts';
import { ServeSessions } from './serve-sessions.ts';

const config = modelConfig({ vocabulary: 20, width: 16, layers: 1, heads: 2, context: 32 });
const version = (key: string) => ({ key, config, weights: weightFeeds(config, { base: initialiseModel(config, 1) }) });

it('keeps the sessions of the two latest versions and of those in use', async () => {
  await using sessions = new ServeSessions({});
  const get = (key: string) => sessions.get('decode', version(key), () => decodeGraph(config, 1));
  const [a, b, c] = await Promise.all(['a', 'b', 'c'].map(get));
  await sessions.trim((key) => key === 'a');
  expect(await get('a')).toBe(a);
  expect(await get('c')).toBe(c);
  expect(await get('b')).not.toBe(b);
  await sessions.trim(() => false);
  expect(await get('c')).toBe(c);
  expect(await get('a')).not.toBe(a);
});

import { expect, it } from 'vitest';
import type { SampleRequest, Sampler } from '../core/engine.ts';
import { limited } from './limit.ts';

const request = { messages: [], tools: [], n: 1, maxTokens: 1, temperature: 1, seed: 0 } satisfies SampleRequest;

function slow() {
  const state = { now: 0, most: 0, answered: 0 };
  const sampler: Sampler = {
    version: 'v',
    async sample({ seed }) {
      state.most = Math.max(state.most, ++state.now);
      await new Promise((resolve) => setTimeout(resolve, 1 + (seed % 3)));
      state.now--;
      if (seed === 4) throw new Error('refused');
      state.answered++;
      return { prompt: new Int32Array(), samples: [] };
    },
  };
  return { state, sampler };
}

it('never has more requests in flight, answers all of them, and a refused one frees its place', async () => {
  const { state, sampler } = slow();
  const gate = limited(sampler, 3);
  const all = await Promise.allSettled(Array.from({ length: 20 }, (_, seed) => gate.sample({ ...request, seed })));
  expect(state).toEqual({ now: 0, most: 3, answered: 19 });
  expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(1);
});

import { describe, expect, it } from 'vitest';
import { toyBenchmark } from '../benchmarks/toy/index.ts';
import type { Brief } from '../core/players.ts';
import type { Task } from '../core/types.ts';
import { environmentContext } from './context.ts';

const [seed] = (await toyBenchmark().base()) as [Task];
const brief: Brief = {
  slot: 0,
  seed,
  count: 4,
  lineage: [],
  overall: undefined,
  target: { alpha: 0.5, kMin: 0.1 },
};

describe('the context', () => {
  const shown = (changes: Partial<Brief>) => environmentContext({ ...brief, ...changes })[1]!.content;

  it('holds the seed task as JSON, and the band to aim at', () => {
    const text = shown({ target: { alpha: 0.5, kMin: 0.1 } });
    const json = text.split('\n')[1]!;
    expect(JSON.parse(json)).toEqual({ prompt: seed.prompt, tools: seed.tools, eval: seed.eval });
    expect(text).toContain('about 50% of its attempts (between 40% and 60%)');
  });

  it('says what became of earlier variations, oldest first, and of everything in the last epoch', () => {
    const lineage = [
      { epoch: 3, successes: 1, attempts: 8 },
      { epoch: 4, successes: 5, attempts: 16 },
    ];
    const text = shown({ lineage, overall: 0.138 });
    expect(text).toContain('success on variations of this task: epoch 3: 1 of 8, epoch 4: 5 of 16.');
    expect(text).toContain('in the last epoch: 14%.');
  });

  it('says so when there is no history', () => {
    const text = shown({});
    expect(text).toContain('has not attempted variations of this task yet');
    expect(text).not.toContain('last epoch');
    expect(text).not.toContain('undefined');
  });

  it('asks for no rate outside 0 to 100%', () => {
    expect(shown({ target: { alpha: 0.05, kMin: 0.1 } })).toContain('about 5% of its attempts (between 0% and 15%)');
    expect(shown({ target: { alpha: 1, kMin: 0.1 } })).toContain('about 100% of its attempts (between 90% and 100%)');
  });
});

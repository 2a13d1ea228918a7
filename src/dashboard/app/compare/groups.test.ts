import { describe, expect, it } from 'vitest';
import type { ComparedRun } from '../../api.ts';
import { differing, grouped, meanCurve } from './groups.ts';

const run = (id: string, settings: Record<string, string>, values: number[]): ComparedRun => ({
  id,
  status: 'finished',
  seed: Number(settings.seed),
  settings,
  points: values.map((value, i) => ({ epoch: i, value, tasks: 100 * i, tokens: 1000 * i * Number(settings.seed) })),
});
const runs = [
  run('a', { variant: 'genenv', seed: '1', 'curriculum.alpha': '0.5' }, [0.2, 0.4]),
  run('b', { variant: 'genenv', seed: '2', 'curriculum.alpha': '0.5' }, [0.4, 0.6, 0.7]),
  run('c', { variant: 'base', seed: '1', 'curriculum.alpha': '0.5' }, [0.1]),
];

describe('groups of runs', () => {
  it('are told apart by settings that differ, and never by the seed', () => {
    expect(differing(runs)).toEqual(['variant']);
    expect(grouped(runs, 'variant').map(({ name, runs: members }) => [name, members.length])).toEqual([
      ['base', 1],
      ['genenv', 2],
    ]);
    expect(grouped(runs, null)).toHaveLength(3);
  });

  it('have a mean at every epoch, with an interval where there are several runs', () => {
    const curve = meanCurve(grouped(runs, 'variant')[1]!, 'tokens', true);
    expect(curve.map(({ x, n }) => [x, n])).toEqual([
      [0, 2],
      [1500, 2],
      [4000, 1],
    ]);
    expect(curve[0]!.mean).toBeCloseTo(0.3);
    // Student's interval over two runs is wide; a share ends at 0 and 1.
    expect([curve[0]!.low, curve[0]!.high]).toEqual([0, 1]);
    expect(curve[2]).toMatchObject({ mean: 0.7, low: null, high: null });
  });
});

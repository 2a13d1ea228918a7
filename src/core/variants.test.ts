import { expect, it } from 'vitest';
import { VARIANTS } from './variants.ts';

it('gives the paper’s arms their names, and lets what was learned decide about new tasks in one of them only', () => {
  const arms = Object.entries(VARIANTS).map(([name, v]) => [name, v.tasks, v.author, v.adapts]);
  expect(arms).toEqual([
    ['genenv', 'fresh', 'environment', true],
    ['genenv-random', 'fresh', 'environment', false],
    ['genenv-static', 'fixed', 'environment', false],
    ['teacher-offline', 'fixed', 'teacher', false],
    ['base', 'none', 'environment', false],
  ]);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, to, withQuery } from './address.ts';

describe('addresses', () => {
  it('name every page', () => {
    expect(parse('/')).toEqual({ page: 'runs' });
    expect(parse('/compare')).toEqual({ page: 'compare' });
    expect(parse('/r/otter')).toEqual({ page: 'overview', run: 'otter' });
    expect(parse('/r/otter/tasks/')).toEqual({ page: 'tasks', run: 'otter' });
    expect(parse('/r/otter/epoch/3')).toEqual({ page: 'epoch', run: 'otter', epoch: '3' });
    expect(parse('/r/otter/epoch/3/batch/t-1')).toEqual({ page: 'batch', run: 'otter', epoch: '3', seed: 't-1' });
    expect(parse('/r/otter/task/t-1/rollouts')).toEqual({ page: 'rollouts', run: 'otter', task: 't-1' });
    expect(parse('/r/otter/generation/1.2.3')).toEqual({ page: 'generation', run: 'otter', id: '1.2.3' });
    for (const odd of ['/r', '/x', '/r/otter/what', '/r/otter/task', '/compare/more']) {
      expect(parse(odd), odd).toEqual({ page: 'nowhere' });
    }
  });

  it('hold any name of a run or a task, slashes and all', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (run, task) => {
        expect(parse(to('r', run, 'task', task))).toEqual({ page: 'task', run, task });
      }),
    );
  });

  it('that are badly encoded are taken as they are', () => {
    expect(parse('/r/%zz')).toEqual({ page: 'overview', run: '%zz' });
  });

  it('leave out what is not asked for', () => {
    expect(withQuery('/a', { x: 1, y: null, z: '', w: undefined, v: 'a&b' })).toBe('/a?x=1&v=a%26b');
  });
});

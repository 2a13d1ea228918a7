import { describe, expect, it } from 'vitest';
import type { TaskFilter, TaskListRow } from '../store/index.ts';
import { searchTasks } from './search-tasks.ts';

/** Tasks by row number, of which every so manieth matches. */
function tasks(count: number, every: number) {
  const asked: [before: number, after: number][] = [];
  const taskList = ({ before = count + 1, after = 0, limit = 100, search }: TaskFilter = {}) => {
    if (search) asked.push([before, after]);
    const rows: TaskListRow[] = [];
    for (let row = Math.min(count, before - 1); row > after && rows.length < limit; row--) {
      if (!search || row % every === 0) rows.push({ row } as TaskListRow);
    }
    return rows;
  };
  return { taskList, asked };
}

describe('a search through tasks', () => {
  it('finds what one long look would find, whatever the page', async () => {
    for (const [count, every] of [
      [0, 1],
      [1, 1],
      [8000, 3],
      [8001, 4000],
      [30_000, 7001],
    ] as const) {
      const { taskList } = tasks(count, every);
      const filter = { search: 'x', limit: 3 };
      let before: number | undefined;
      for (let page = 0; page < 4; page++) {
        const found = await searchTasks({ taskList }, { ...filter, before });
        const whole = taskList({ ...filter, before, limit: 4 });
        expect(found).toEqual({ tasks: whole.slice(0, 3), more: whole.length > 3 });
        before = found.tasks.at(-1)?.row;
      }
    }
  });

  it('stops at the first page it can fill', async () => {
    const { taskList, asked } = tasks(100_000, 2);
    await searchTasks({ taskList }, { search: 'x', limit: 10 });
    expect(asked).toHaveLength(1);
  });

  it('lets others in between, and ends when nobody waits for it', async () => {
    const { taskList, asked } = tasks(100_000, 1_000_000);
    const control = new AbortController();
    const searching = searchTasks({ taskList }, { search: 'x' }, control.signal);
    await new Promise((done) => setImmediate(done));
    control.abort();
    expect(await searching).toEqual({ tasks: [], more: false });
    expect(asked.length).toBeLessThan(12);
  });
});

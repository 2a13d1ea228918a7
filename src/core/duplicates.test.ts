import { describe, expect, it } from 'vitest';
import { sampleGeneration, variation } from '../store/fixtures.ts';
import { rejectDuplicates } from './duplicates.ts';

const writing = (id: string, taskId: string | null) =>
  sampleGeneration(id, taskId === null ? null : variation(taskId, 1));
const never = () => false;

describe('rejectDuplicates', () => {
  it('keeps the first writing of a task and rejects the later ones with the reason', () => {
    const written = [writing('1.0.0', 'a'), writing('1.0.1', 'b'), writing('1.1.0', 'a'), writing('1.1.1', 'a')];
    const kept = rejectDuplicates(written, new Set(), never);
    expect(kept.map((g) => g.task?.id ?? null)).toEqual(['a', 'b', null, null]);
    expect(kept[2]).toEqual({
      ...written[2],
      task: null,
      verdict: { kind: 'rejected', reason: 'duplicate', detail: 'a was already written in this epoch' },
    });
  });

  it('knows what earlier steps of the epoch wrote, and remembers what it accepts', () => {
    const before = new Set(['a']);
    const [first, second] = rejectDuplicates([writing('1.2.0', 'a'), writing('1.2.1', 'c')], before, never);
    expect([first!.task, second!.task?.id]).toEqual([null, 'c']);
    expect(before).toEqual(new Set(['a', 'c']));
  });

  it('rejects a held-out task as a copy, every time', () => {
    const before = new Set<string>();
    const held = rejectDuplicates([writing('1.0.0', 'v'), writing('1.0.1', 'v')], before, (id) => id === 'v');
    expect(held.map((g) => g.verdict)).toEqual([
      { kind: 'rejected', reason: 'copy', detail: 'v is a held-out task, and nobody may learn from it' },
      { kind: 'rejected', reason: 'copy', detail: 'v is a held-out task, and nobody may learn from it' },
    ]);
    expect(before.size).toBe(0);
  });

  it('leaves what was rejected before as it was', () => {
    const written = [writing('1.0.0', null), writing('1.0.1', null)];
    expect(rejectDuplicates(written, new Set(), never)).toEqual(written);
  });
});

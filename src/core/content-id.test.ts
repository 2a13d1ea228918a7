import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, structureOf, taskId } from './content-id.ts';
import type { Task } from './types.ts';

const task: Task = {
  id: '',
  seedId: null,
  rootId: 'r',
  origin: 'base',
  epoch: 0,
  prompt: [{ role: 'user', content: 'Book 2 seats to "Oslo"' }],
  tools: [{ name: 'book', description: 'books', parameters: { type: 'object', required: ['to'] } }],
  eval: { kind: 'toolCalls', target: [{ name: 'book', args: { to: 'Oslo', seats: 2 } }] },
  features: { depth: 1 },
  structure: '',
};

/** The same value with every object's keys in reverse. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, field]) => [key, reversed(field)]),
  );
};

describe('canonicalJson', () => {
  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      }),
    );
  });

  it('is JSON of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // Through text once, as −0 becomes 0 there.
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('keeps the order of arrays, drops undefined fields and tells types apart', () => {
    expect(canonicalJson([2, 1])).not.toBe(canonicalJson([1, 2]));
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
    expect(canonicalJson([1, '1', null, true, 'true'])).toBe('[1,"1",null,true,"true"]');
  });
});

describe('taskId', () => {
  it('is a short name of the content', () => {
    expect(taskId(task)).toMatch(/^t-[0-9a-f]{20}$/);
  });

  it.each<[string, Task]>([
    ['lineage', { ...task, id: 'x', seedId: 's', rootId: 'q', origin: 'generated', epoch: 7 }],
    ['features and structure', { ...task, features: {}, structure: 'y' }],
    ['the order of keys', reversed(task) as Task],
    ['how the prompt was tokenised', { ...task, prompt: [{ ...task.prompt[0]!, tokens: Int32Array.of(1, 2) }] }],
  ])('ignores %s', (_, other) => {
    expect(taskId(other)).toBe(taskId(task));
  });

  it.each<[string, Partial<Task>]>([
    ['the wording', { prompt: [{ role: 'user', content: 'Book 3 seats to "Oslo"' }] }],
    ['who speaks', { prompt: [{ role: 'system', content: 'Book 2 seats to "Oslo"' }] }],
    ['the calls in the prompt', { prompt: [{ ...task.prompt[0]!, toolCalls: [{ name: 'f', args: {} }] }] }],
    ['the tools', { tools: [] }],
    ['the target', { eval: { kind: 'toolCalls', target: [] } }],
    [
      'how it is judged',
      { eval: { kind: 'toolCalls', target: [{ name: 'book', args: { to: 'Oslo', seats: 2 } }], order: 'any' } },
    ],
  ])('changes with %s', (_, change) => {
    expect(taskId({ ...task, ...change })).not.toBe(taskId(task));
  });
});

describe('structureOf', () => {
  const calls = (...target: { name: string; args: Record<string, string | number> }[]) =>
    structureOf({ prompt: [], eval: { kind: 'toolCalls', target } });
  const asked = (content: string) =>
    structureOf({ prompt: [{ role: 'user', content }], eval: { kind: 'text', target: content, metric: 'f1' } });

  it('rubs the values out of calls, not the names, the arguments or the order', () => {
    const shape = calls({ name: 'f', args: { x: 1, y: 2 } }, { name: 'g', args: {} });
    expect(calls({ name: 'f', args: { y: 'other', x: 9 } }, { name: 'g', args: {} })).toBe(shape);
    expect(calls({ name: 'g', args: {} }, { name: 'f', args: { x: 1, y: 2 } })).not.toBe(shape);
    expect(calls({ name: 'f', args: { x: 1 } }, { name: 'g', args: {} })).not.toBe(shape);
    expect(calls({ name: 'h', args: { x: 1, y: 2 } }, { name: 'g', args: {} })).not.toBe(shape);
  });

  it('rubs numbers and quoted text out of other prompts', () => {
    expect(asked('Add 3 to "x y"')).toBe(asked('add 17.5 to "z"'));
    expect(asked('Add 3 to "x"')).not.toBe(asked('Take 3 from "x"'));
  });
});

import { expect, it } from 'vitest';
import type { Writes } from '../core/journal.ts';
import { digest } from './digest.ts';
import { at, newJournal, sampleGeneration, sampleGroup, sampleTask, sampleTrace, variation } from './fixtures.ts';

const base = sampleTask('base-0');
const [a, b] = [variation('a', 1), variation('b', 1)];

const content: Omit<Required<Writes>, 'meta'> = {
  tasks: [base, sampleTask('base-1')],
  generations: [sampleGeneration('1.0.0', a), sampleGeneration('1.0.1', b), sampleGeneration('1.0.2', null)],
  groups: [sampleGroup(1, a), sampleGroup(1, b), sampleGroup(1, base, 'base')],
  scores: [
    { generationId: '1.0.0', taskId: 'a', successRate: 0.5, envReward: 1, kept: true, weight: 0.3 },
    { generationId: '1.0.1', taskId: 'b', successRate: 0.5, envReward: 1, kept: true, weight: 0.3 },
  ],
  pool: [
    { pool: 'agent', memberId: 'a', epoch: 1, weight: 1 },
    { pool: 'agent', memberId: 'b', epoch: 1, weight: 1 },
  ],
  quarantine: [{ taskId: 'b', epoch: 1, reason: 'wrong label' }],
  metrics: [
    { key: 'env/successRate', epoch: 1, step: 0, value: 0.5 },
    { key: 'time/rollout', epoch: 1, step: 0, value: 12 },
  ],
  notes: [{ kind: 'resume', epoch: 1, detail: 'after a kill' }],
  checkpoints: [{ player: 'agent', ref: 'agent-1', sha256: 'ab' }],
};

/** `chunks` are committed one after the other; the cursor ends in the same place. */
function digestOf(...chunks: Writes[]): string {
  using journal = newJournal();
  for (const chunk of chunks) journal.commit(at(1), chunk);
  return digest(journal);
}

const whole = digestOf(content);

it('does not depend on how content is cut into commits, nor on its order', () => {
  const single = Object.entries(content).flatMap(([kind, items]) =>
    items.map((item) => ({ [kind]: [item] }) as Writes),
  );
  expect(digestOf(...single)).toBe(whole);
  const reversed = Object.fromEntries(Object.entries(content).map(([kind, items]) => [kind, [...items].reverse()]));
  expect(digestOf(reversed)).toBe(whole);
});

it('leaves out wall time, notes and the names of checkpoints', () => {
  expect(
    digestOf({
      ...content,
      metrics: [content.metrics[0]!, { key: 'time/rollout', epoch: 1, step: 0, value: 99 }],
      notes: [],
      checkpoints: [{ player: 'agent', ref: 'agent-other', sha256: 'ab' }],
    }),
  ).toBe(whole);
});

it('changes with any value', () => {
  const [generation] = content.generations;
  const [group] = content.groups;
  const traces = (changed: Parameters<typeof sampleTrace>[1]) => [
    { ...group!, traces: [sampleTrace(0, changed), ...group!.traces.slice(1)] },
    ...content.groups.slice(1),
  ];
  const turn = sampleTrace(0).turns[0]!;
  const variants: Writes[] = [
    { tasks: [sampleTask('base-0', { features: { tools: 2 } }), content.tasks[1]!] },
    { tasks: [...content.tasks, sampleTask('base-2')] },
    { generations: [{ ...generation!, text: 'other' }, ...content.generations.slice(1)] },
    { generations: [{ ...generation!, context: [] }, ...content.generations.slice(1)] },
    { generations: content.generations.slice(0, 2) },
    { groups: traces({ reward: 0.1 }) },
    { groups: traces({ answer: 'x' }) },
    { groups: traces({ error: 'x' }) },
    { groups: traces({ turns: [{ ...turn, logprobs: turn.logprobs.map((x, i) => (i === 7 ? x + 1e-6 : x)) }] }) },
    { groups: traces({ turns: [{ ...turn, tokens: turn.tokens.map((x, i) => (i === 7 ? x + 1 : x)) }] }) },
    { groups: [{ ...group!, role: 'replay' }, ...content.groups.slice(1)] },
    { scores: [{ ...content.scores[0]!, weight: 0.31 }, content.scores[1]!] },
    { pool: [{ ...content.pool[0]!, weight: 2 }, content.pool[1]!] },
    { quarantine: [] },
    { metrics: [{ ...content.metrics[0]!, value: 0.5000000001 }] },
    { checkpoints: [{ player: 'agent', ref: 'agent-1', sha256: 'ac' }] },
    { checkpoints: [{ player: 'environment', ref: 'agent-1', sha256: 'ab' }] },
  ];
  const digests = variants.map((variant) => digestOf({ ...content, ...variant }));
  expect(new Set([whole, ...digests]).size).toBe(variants.length + 1);
});

it('changes with the cursor', () => {
  using journal = newJournal();
  journal.commit(at(2), content);
  expect(digest(journal.folder)).not.toBe(whole);
});

it('reads past one page of every table', () => {
  const many = Array.from({ length: 1100 }, (_, i) => variation(`t${i}`, 1));
  const writes: Writes = {
    tasks: many,
    generations: many.map((task, i) => sampleGeneration(`1.${i}.0`, task)),
    groups: many.slice(0, 100).map((task) => sampleGroup(1, task, 'fresh', 1)),
  };
  const last = { ...writes, tasks: many.with(1099, variation('other', 1)) };
  expect(digestOf(writes)).toBe(digestOf(writes));
  expect(digestOf(last)).not.toBe(digestOf(writes));
});

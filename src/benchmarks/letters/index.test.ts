import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TaskDraft } from '../../core/benchmark.ts';
import { createRng } from '../../core/rng.ts';
import { lettersBenchmark } from './index.ts';
import { ALPHABET, answer, MAX_LETTERS, randomRequest, read, write } from './language.ts';

const letters = lettersBenchmark();
const [seed] = await letters.base();

describe('the language', () => {
  it('reads back every request it writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_LETTERS }), fc.integer(), (length, random) => {
        const request = randomRequest(length, createRng(random));
        expect(read(write(request))).toEqual(request);
      }),
    );
  });

  it.each([
    [{ operation: 'reverse', letters: ['c', 'a', 'b'] }, 'b a c'],
    [{ operation: 'sort', letters: ['c', 'a', 'b'] }, 'a b c'],
    [{ operation: 'double', letters: ['c', 'a'] }, 'c c a a'],
  ] as const)('answers %j with %s', ({ operation, letters: given }, wanted) => {
    expect(answer({ operation, letters: [...given] })).toBe(wanted);
  });

  it.each(['', 'reverse', 'sing a b', 'sort a z', `double ${'a '.repeat(MAX_LETTERS + 1)}`, 'constructor a'])(
    'does not know %j',
    (text) => {
      expect(read(text)).toHaveProperty('problem');
      expect(letters.read!(text, seed!)).toHaveProperty('problem');
    },
  );
});

describe('the tasks', () => {
  it('that are held out are longer than any base task, all different, and the same every time', async () => {
    const base = await letters.base();
    const held = [...(await letters.validation()), ...(await letters.test!())];
    expect(held).toHaveLength(192);
    expect(new Set([...base, ...held].map(({ id }) => id)).size).toBe(base.length + held.length);
    expect(Math.max(...base.map((t) => t.features.letters!))).toBeLessThan(
      Math.min(...held.map((t) => t.features.letters!)),
    );
    expect(await lettersBenchmark().base()).toEqual(base);
    expect(new Set(held.map((task) => letters.stratum!(task)))).toEqual(
      new Set(['5 letters', '6 letters', '7 letters', '8 letters']),
    );
  });
});

describe('the school', () => {
  const { corpus, demonstrations } = letters.school!;
  const words = new Set([...corpus()].flatMap((line) => line.split(' ')));

  it('uses no word that its corpus does not have', () => {
    for (const player of ['agent', 'environment'] as const) {
      for (const { messages, text } of demonstrations(player, 500, createRng(1), 0)) {
        for (const word of `${messages[0]!.content} ${text}`.split(' ')) expect(words).toContain(word);
      }
    }
    expect(words).toContain(ALPHABET[0]);
  });

  it('shows the agent right answers, mostly to short requests', () => {
    const shown = demonstrations('agent', 1000, createRng(2), 0);
    for (const { messages, text } of shown) {
      const task = letters.read!(messages[0]!.content, seed!) as TaskDraft;
      expect(task.eval).toMatchObject({ target: text });
    }
    const short = shown.filter(({ messages }) => messages[0]!.content.split(' ').length <= 4).length;
    expect(short / shown.length).toBeGreaterThan(0.8);
  });

  it('shows the environment tasks that can be read', () => {
    for (const { text } of demonstrations('environment', 500, createRng(3), 0))
      expect(letters.read!(text, seed!)).not.toHaveProperty('problem');
  });
});

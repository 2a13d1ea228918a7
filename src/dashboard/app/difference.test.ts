import fc from 'fast-check';
import { expect, it } from 'vitest';
import { changes } from './difference.ts';

const side = (found: ReturnType<typeof changes>, without: string) =>
  found
    .filter(({ kind }) => kind !== without)
    .map(({ text }) => text)
    .join('');

it('a difference holds both texts, whatever they are', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      const found = changes(before, after);
      expect(side(found, 'new')).toBe(before);
      expect(side(found, 'gone')).toBe(after);
    }),
  );
});

it('what the edit changed is told by words', () => {
  expect(changes('Ring the red bell 2 times.', 'Ring the blue bell 2 times.')).toEqual([
    { kind: 'same', text: 'Ring the ' },
    { kind: 'gone', text: 'red ' },
    { kind: 'new', text: 'blue ' },
    { kind: 'same', text: 'bell 2 times.' },
  ]);
});

it('long texts are compared by lines', () => {
  const text = Array.from({ length: 1200 }, (_, i) => `line ${i} of many\n`).join('');
  const found = changes(text, text.replace('line 600 of many', 'line 600 of few'));
  expect(found.filter(({ kind }) => kind !== 'same').map(({ text }) => text)).toEqual([
    'line 600 of many\n',
    'line 600 of few\n',
  ]);
});

import { describe, expect, it } from 'vitest';
import { capitals } from './fixtures.ts';
import { readLines } from './read-lines.ts';
import { resultOf } from './result.ts';
import { type Scored, scoreGold, scoreLines } from './score.ts';
import { wilson } from './wilson.ts';

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const score = (text: string | Uint8Array, longest?: number): Promise<Scored[]> =>
  all(scoreLines(capitals, readLines([Buffer.from(text)], longest)));

describe('reading lines', () => {
  it('finds the same lines however the bytes arrive', async () => {
    const bytes = Buffer.from('\uFEFF{"a":"é\u2028"}\r\n\n  \n{"b":1}\nlast');
    const expected = [
      { number: 1, text: '{"a":"é\u2028"}' },
      { number: 4, text: '{"b":1}' },
      { number: 5, text: 'last' },
    ];
    for (const size of [1, 2, 3, 7, 100]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      expect(await all(readLines(chunks))).toEqual(expected);
    }
  });

  it('passes over a line that is too long, and says so', async () => {
    expect(await all(readLines([Buffer.from(`${'x'.repeat(50)}\nok`)], 20))).toEqual([
      { number: 1, problem: 'longer than 20 bytes' },
      { number: 2, text: 'ok' },
    ]);
  });
});

describe('scoring lines', () => {
  it('gives one verdict a line, by the data set or by the target on the line', async () => {
    const lines = ['{"id":"q1","output":"Alba"}', '{"id":"q2","output":"?"}', '{"id":"x","output":"Y","target":"Y"}'];
    expect(await score(lines.join('\n'))).toEqual([
      { line: 1, id: 'q1', correct: true, score: 1 },
      { line: 2, id: 'q2', correct: false, score: 0, reason: 'not Brent' },
      { line: 3, id: 'x', correct: true, score: 1 },
    ]);
  });

  it('names the line that cannot be judged, and goes on', async () => {
    const lines = [
      '{"id":"q1","output":"Alba"',
      '{"output":"Alba"}',
      '[1]',
      'null',
      '{"id":"nowhere","output":1}',
      '{"__proto__":{"id":"q1"},"output":"Alba"}',
      '{"id":{"toString":1},"output":"Alba"}',
      '{"id":"q1","output":"Brent"}',
      '{"id":"q1","output":"Alba"}',
    ];
    const scored = await score(lines.join('\n'));
    expect(scored.map((one) => ('error' in one ? one.error : one.correct))).toEqual([
      expect.stringMatching(/^is not JSON/),
      expect.stringMatching(/^has no id/),
      'is not a JSON object',
      'is not a JSON object',
      'there is no question nowhere',
      expect.stringMatching(/^has no id/),
      expect.stringMatching(/^has no id/),
      false,
      'duplicate: this id was judged on line 8 already',
    ]);
  });

  it('takes 10 MB and ten thousand levels in its stride', async () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const lines = [`{"id":"q1","output":"${'x'.repeat(1e7)}"}`, `{"id":"q2","output":${deep}}`, `{"id":"\\ud800"}`];
    expect((await score(lines.join('\n'))).map((one) => 'correct' in one && one.correct)).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('judges the ground truth right', async () => {
    const gold = await all(scoreGold(capitals));
    expect(gold.map((one) => 'correct' in one && one.correct)).toEqual([true, true, true, true]);
  });
});

describe('results', () => {
  it('say how much of the exam they are over', async () => {
    const verdicts = [
      { id: 'q1', correct: true, score: 1 },
      { id: 'q2', correct: false, score: 0 },
    ];
    expect(await resultOf(capitals, verdicts)).toMatchObject({ total: 2, correct: 1, score: 0.5, unanswered: 2 });
    const foreign = [{ id: 'x', correct: true, score: 1 }];
    expect(await resultOf(capitals, foreign)).toMatchObject({ questions: null, unanswered: null });
    expect(await resultOf(capitals, [])).toMatchObject({ total: 0, score: 0, metrics: [] });
  });

  it('carry an interval that stays inside [0, 1] (worked by hand: 8 of 10)', () => {
    const [low, high] = wilson(0.8, 10)!;
    expect(low).toBeCloseTo(0.4902, 4);
    expect(high).toBeCloseTo(0.9433, 4);
    expect(wilson(0, 5)![0]).toBe(0);
    expect(wilson(1, 5)![1]).toBe(1);
    expect(wilson(0.5, 0)).toBeNull();
  });
});

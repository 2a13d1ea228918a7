import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../core/content-id.ts';
import type { JsonObject } from '../../core/types.ts';
import { judgeVector } from './vectors.ts';

const judge = (vector: JsonObject) => judgeVector(vector, { data: 'nowhere' });
const call = '<tool_call>{"parameters": {"query": "x"}}';

describe('vectors', () => {
  it.each<[JsonObject, JsonObject]>([
    [
      { kind: 'metric', prediction: 'In the Paris', golden_answers: 'Paris' },
      { normalized_prediction: 'in paris', em: 0, cover_em: 1, f1: 0.666666666667 },
    ],
    [
      { kind: 'search_r1_extract', text: '<answer>x</answer>', golden_answers: ['x'] },
      { extracted: null, score: 0 },
    ],
    [
      { kind: 'search_r1_extract', text: '<answer>y</answer><answer>x</answer>', golden_answers: ['X'] },
      { extracted: 'x', score: 1 },
    ],
    [
      { kind: 'toolrl_turn', assistant_output: call },
      { kind: 'search', query: 'x' },
    ],
    [
      { kind: 'toolrl_turn', assistant_output: 'x' },
      { kind: 'answer', answer: 'x' },
    ],
    [
      { kind: 'toolrl_turn', assistant_output: '<tool_call>' },
      { kind: 'ignored_turn', why: 'SyntaxError' },
    ],
    [{ kind: 'toolrl_judge', judge_output: '- Judgment: Yes' }, { score: 1 }],
  ])('%j agree with %j, and with nothing else', async (vector, expected) => {
    const agreed = await judge({ ...vector, expected });
    if (agreed === 'skipped') throw new Error('skipped');
    expect(canonicalJson(agreed.got)).toBe(canonicalJson(agreed.expected));
    const changed = Object.fromEntries(Object.keys(expected).map((key) => [key, 0.5]));
    const disagreed = await judge({ ...vector, expected: changed });
    expect(disagreed).not.toBe('skipped');
    if (disagreed !== 'skipped') expect(disagreed.got).not.toEqual(disagreed.expected);
  });

  it('of another kind are skipped, and broken ones say what is missing', async () => {
    expect(await judge({ kind: 'other', expected: {} })).toBe('skipped');
    await expect(judge({ kind: 'metric' })).rejects.toThrow('no expected');
    await expect(judge({ kind: 'metric', expected: {} })).rejects.toThrow('no prediction');
  });
});

const { GENENV_DATA } = process.env;

it.skipIf(!GENENV_DATA)('all agree with the official verdicts (GENENV_DATA)', async () => {
  const { vectors } = JSON.parse(readFileSync(`${GENENV_DATA}/bamboogle/vectors.json`, 'utf8')) as {
    vectors: JsonObject[];
  };
  for (const vector of vectors) {
    const judged = await judge(vector);
    if (judged === 'skipped') throw new Error(`${vector.id} was skipped`);
    expect({ id: vector.id, ...(judged.got as JsonObject) }).toEqual({
      id: vector.id,
      ...(judged.expected as JsonObject),
    });
  }
});

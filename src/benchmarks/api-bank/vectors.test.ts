import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../core/content-id.ts';
import type { Json, JsonObject } from '../../core/types.ts';
import { judgeVector } from './vectors.ts';

const vector = (output: string, gold: Json, more: JsonObject): JsonObject => ({
  suite: 'toolrl',
  output,
  gold,
  ...more,
});
const judged = async (one: JsonObject) => judgeVector(one, { data: 'nowhere' });

describe('a vector', () => {
  it('of another protocol is skipped', async () => {
    expect(await judged({ suite: 'official-parse', output: '[F()]' })).toBe('skipped');
  });

  it('has a score, and what was extracted where it says that too', async () => {
    const gold = { name: 'F', parameters: {} };
    expect(await judged(vector('{}', gold, { expected_score: 1 }))).toEqual({
      expected: { score: 1 },
      got: { score: 1 },
    });
    expect(await judged(vector('5\n{}', [gold], { expected_score: 0, extracted: [5, {}] }))).toEqual({
      expected: { score: 0, extracted: [5, {}] },
      got: { score: 0, extracted: [5, {}] },
    });
  });

  it('has a name for NaN, in what was extracted and in the gold call', async () => {
    const gold = { name: 'F', parameters: { a: ['__NaN__'] } };
    const same = vector('{"name": "F", "parameters": {"a": [NaN]}}', gold, { expected_score: 1, extracted: [gold] });
    const { expected, got } = (await judged(same)) as { expected: Json; got: Json };
    expect(got).toEqual(expected);
  });
});

describe.skipIf(!process.env.GENENV_DATA)('the official vectors (need GENENV_DATA)', () => {
  it('all agree', async () => {
    const file = readFileSync(join(process.env.GENENV_DATA!, 'api-bank', 'vectors.json'), 'utf8');
    const { vectors } = JSON.parse(file) as { vectors: JsonObject[] };
    let count = 0;
    for (const one of vectors) {
      const result = await judged(one);
      if (result === 'skipped') continue;
      count++;
      expect(canonicalJson(result.got), String(one.id)).toBe(canonicalJson(result.expected));
    }
    expect(count).toBeGreaterThan(20);
  });
});

/** Test vectors whose verdicts the official code gave: raw output and gold call in, extracted values and score out. */
import type { Json, JsonObject } from '../../core/types.ts';
import { extractCalls } from './answer.ts';
import { goldOf } from './data.ts';
import { softMatch } from './score.ts';

/** JSON has no NaN; vectors write it so. */
const NAN = '__NaN__';

/** Of the suites in such a file only ToolRL's is this benchmark's protocol. */
export async function judgeVector(
  vector: JsonObject,
  _options: { data: string },
): Promise<{ expected: Json; got: Json } | 'skipped'> {
  if (vector.suite !== 'toolrl') return 'skipped';
  const items = typeof vector.output === 'string' ? extractCalls(vector.output) : [];
  const gold = goldOf(spelledOut(vector.gold ?? null));
  const score = gold && softMatch(items, gold).correct ? 1 : 0;
  // A file may give the score alone.
  const withItems = Object.hasOwn(vector, 'extracted');
  return {
    expected: { score: vector.expected_score ?? null, ...(withItems ? { extracted: vector.extracted! } : {}) },
    got: { score, ...(withItems ? { extracted: items.map(written) } : {}) },
  };
}

/** With NaN for its name. */
function spelledOut(value: Json): Json {
  return mapped(value, (leaf) => (leaf === NAN ? Number.NaN : leaf));
}

function written(value: Json): Json {
  return mapped(value, (leaf) => (Number.isNaN(leaf) ? NAN : leaf));
}

function mapped(value: Json, change: (leaf: Json) => Json): Json {
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (typeof value !== 'object' || value === null) return change(value);
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, mapped(field, change)]));
}

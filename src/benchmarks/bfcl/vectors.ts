/** Third-party verdicts on single answers, compared with ours. */
import type { Exam } from '../../core/exam.ts';
import type { Json, JsonObject } from '../../core/types.ts';
import { bfclExams } from './exams.ts';

/**
 * The verdict that a vector expects and ours. Vectors must be read with `readJson`, or 5.0 has become 5 before we see it.
 * Suites of the multi-turn state checker are not ours to judge.
 */
export async function judgeVector(
  vector: JsonObject,
  { data }: { data: string },
): Promise<{ expected: Json; got: Json } | 'skipped'> {
  const exams = bfclExams({ data });
  switch (vector.suite) {
    case 'ast':
    case 'relevance': {
      const { correct } = await exams[vector.suite]!.judge(vector);
      return { expected: { valid: vector.expected_valid ?? null }, got: { valid: correct } };
    }
    case 'per_turn': {
      const { ordered, unordered } = await judgeTurn(vector, exams['per-turn']!);
      return {
        expected: {
          ordered: vector.expected_exact_ordered ?? null,
          unordered: vector.expected_exact_unordered ?? null,
        },
        got: { ordered, unordered },
      };
    }
    default:
      return 'skipped';
  }
}

async function judgeTurn(vector: JsonObject, exam: Exam): Promise<{ ordered: boolean; unordered: boolean }> {
  const { prediction = null, ...line } = vector;
  const { correct, details } = await exam.judge({ ...line, output: prediction });
  return { ordered: correct, unordered: details?.unordered === true };
}

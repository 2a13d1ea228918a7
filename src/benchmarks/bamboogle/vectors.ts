/** Judges test vectors, whose verdicts come from the official scripts, with the functions that examinations use. */
import type { Json, JsonObject } from '../../core/types.ts';
import { readTurn, searchR1Answer } from './answer.ts';
import { readJudgment } from './judge.ts';
import { normalise } from './normalise.ts';
import { isExactMatch, scoresOf } from './score.ts';

export interface Agreement {
  expected: Json;
  got: Json;
}

export async function judgeVector(vector: JsonObject, _options: { data: string }): Promise<Agreement | 'skipped'> {
  const expected = objectIn(vector, 'expected');
  switch (vector.kind) {
    case 'metric':
      return metric(vector, expected);
    case 'search_r1_extract': {
      const extracted = searchR1Answer(textIn(vector, 'text'), 2);
      const score = extracted !== undefined && isExactMatch(extracted, goldsIn(vector)) ? 1 : 0;
      return { expected, got: { extracted: extracted ?? null, score } };
    }
    case 'toolrl_turn':
      return turn(vector, expected);
    case 'toolrl_judge':
      return { expected, got: { score: readJudgment(textIn(vector, 'judge_output')) ? 1 : 0 } };
    default:
      return 'skipped';
  }
}

/** The vectors round F1 to twelve places. */
function metric(vector: JsonObject, expected: JsonObject): Agreement {
  const prediction = textIn(vector, 'prediction');
  const { em, coverEm, f1 } = scoresOf(prediction, goldsIn(vector));
  const got = { normalized_prediction: normalise(prediction), em, cover_em: coverEm, f1: rounded(f1) };
  return { expected: { ...expected, f1: rounded(Number(expected.f1)) }, got };
}

const rounded = (value: number): number => Math.round(value * 1e12) / 1e12;

/** Why a turn is lost is the name of a Python exception in the vectors, and words here: that it is lost is the verdict. */
function turn(vector: JsonObject, { why: _, ...expected }: JsonObject): Agreement {
  const read = readTurn(textIn(vector, 'assistant_output'));
  switch (read.kind) {
    case 'search':
      return { expected, got: { kind: read.kind, query: read.query } };
    case 'answer':
      return { expected, got: { kind: read.kind, answer: read.answer } };
    case 'ignored_turn':
      return { expected, got: { kind: read.kind } };
    default:
      return read satisfies never;
  }
}

function objectIn(vector: JsonObject, key: string): JsonObject {
  const value = vector[key];
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`The vector has no ${key}.`);
  return value;
}

function textIn(vector: JsonObject, key: string): string {
  const value = vector[key];
  if (typeof value !== 'string') throw new TypeError(`The vector has no ${key}.`);
  return value;
}

/** One gold may stand alone. */
function goldsIn({ golden_answers: golds = [] }: JsonObject): string[] {
  return (Array.isArray(golds) ? golds : [golds]).map(String);
}

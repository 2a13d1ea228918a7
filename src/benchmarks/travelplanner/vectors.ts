/** Judges the official evaluator's own verdicts: a vector with its query, or a conformance line that names one. */
import type { Json, JsonObject } from '../../core/types.ts';
import type { Check } from './check.ts';
import { openData, type Split, type TravelData } from './data.ts';
import { isDict } from './python-values.ts';
import { readQuery } from './query.ts';
import { type PlanVerdict, scorePlan } from './score.ts';

/** Plans are judged as they stand. Verdicts are compared, not the words they are explained with. */
export async function judgeVector(
  vector: JsonObject,
  { data }: { data: string },
): Promise<{ expected: Json; got: Json } | 'skipped'> {
  if (!isDict(vector.expected)) return 'skipped';
  const opened = dataAt(data);
  const named =
    vector.split === 'train' || vector.split === 'validation'
      ? opened.query(vector.split satisfies Split, Number(vector.idx))
      : undefined;
  const query = vector.query === undefined ? named : readQuery(vector.query);
  if (!query) return 'skipped';
  if ('problem' in query) return { expected: comparable(vector.expected), got: { problem: query.problem } };
  return {
    expected: comparable(vector.expected),
    got: outcome(scorePlan(query, vector.plan ?? null, opened.database)),
  };
}

/** One folder stays open: a file has many vectors. */
let last: { folder: string; data: TravelData } | undefined;
function dataAt(folder: string): TravelData {
  if (last?.folder !== folder) last = { folder, data: openData(folder) };
  return last.data;
}

/** Our verdict in the form of the vectors. An exception ends the official evaluation, so nothing else is told then. */
function outcome({ delivered, commonsense, hard, totalCost }: PlanVerdict): Json {
  const raised = errorIn('commonsense', commonsense) ?? errorIn('hard', hard);
  if (raised) return { delivered, error: raised };
  return { delivered, commonsense: passes(commonsense), hard: passes(hard), cost: totalCost };
}

const errorIn = (phase: string, checks: Record<string, Check> | null): string | undefined => {
  const error = Object.values(checks ?? {}).find((check) => check.error)?.error;
  return error && `${phase}:${error}`;
};

const passes = (checks: Record<string, Check> | null): Json =>
  checks && Object.fromEntries(Object.entries(checks).map(([name, { pass }]) => [name, pass]));

/** An official verdict, messages left out: of an exception its phase and name remain. */
function comparable(expected: JsonObject): Json {
  const { delivered = null, error, commonsense = null, hard = null, total_cost: cost = null } = expected;
  if (typeof error === 'string') return { delivered, error: error.split(':').slice(0, 2).join(':') };
  return { delivered, commonsense: verdicts(commonsense), hard: verdicts(hard), cost };
}

const verdicts = (checks: Json): Json =>
  isDict(checks)
    ? Object.fromEntries(
        Object.entries(checks).map(([name, check]) => [name, Array.isArray(check) ? check[0]! : check]),
      )
    : checks;

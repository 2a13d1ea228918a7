/** The exam: sole planning over the 105 validation queries whose reference information there is, judged by all checks. */
import { type Exam, type ExamVerdict, LineError } from '../../core/exam.ts';
import type { Json, JsonObject } from '../../core/types.ts';
import { openData, type Split, type TravelData } from './data.ts';
import { metricsOf } from './metrics.ts';
import { promptFor } from './prompt.ts';
import { isDict } from './python-values.ts';
import { type Query, readQuery } from './query.ts';
import { type PlanVerdict, scorePlan, type Tally, tallyOf } from './score.ts';
import { judgeOutput } from './world.ts';

export interface TravelPlannerExamOptions {
  data: string;
  /** Judge every output as it stands, in the suite `plan` too. */
  strict?: boolean;
}

/** The protocol's limit on a reply. */
const MAX_TOKENS = 4096;

/** Mean of the four pass rates, in per cent. */
const PAPER = { 'Qwen2.5-7B-Instruct': 14.3, 'GenEnv (7B)': 16.6 };

export function travelplannerExams({ data, strict = false }: TravelPlannerExamOptions): Record<string, Exam> {
  const opened = once(() => openData(data));
  return { plan: examOf('plan', opened, strict), 'plan-strict': examOf('plan-strict', opened, true) };
}

function examOf(name: string, data: () => TravelData, strict: boolean): Exam {
  return {
    name,
    about: `Plan a trip from reference information (validation, up to 105 queries; sole planning, direct prompting); eight commonsense and five hard checks${strict ? ', on the plan as it stands' : ', after clean-ups of prices and punctuation'}.`,
    paper: PAPER,
    ids: async () =>
      data()
        .rows('validation')
        .map(({ idx }) => idOf('validation', idx)),
    async answer(id, ask) {
      const row = data().row(...questionOf(id));
      if (!row) throw new LineError(`there is no question "${id}" with reference information`);
      const rendering = { compact: false, maxCharacters: Number.POSITIVE_INFINITY, keep: [], lot: '' };
      return ask(promptFor(row.query, row.reference, rendering), { maxTokens: MAX_TOKENS });
    },
    judge: (line) => judgeLine(line, data, strict),
    gold: async () =>
      data()
        .rows('train')
        .map(({ idx, annotated }) => ({ id: idOf('train', idx), output: JSON.stringify(annotated ?? null) })),
    summarise: (verdicts) => metricsOf(verdicts.map(({ details }) => tallyIn(details ?? {}))),
  };
}

/** Queries are numbered by split: `validation-12`, `train-3`. A bare number is a validation query, as in submissions. */
const idOf = (split: Split, idx: number) => `${split}-${idx}`;

function questionOf(id: string): [Split, number] {
  const match = /^(?:(train|validation)-)?(\d{1,6})$/.exec(id);
  if (!match) throw new LineError(`"${id.slice(0, 60)}" is not a question: they are called validation-12 or train-3`);
  return [(match[1] as Split | undefined) ?? 'validation', Number(match[2])];
}

function judgeLine(line: JsonObject, data: () => TravelData, strict: boolean): ExamVerdict {
  const id = idIn(line);
  const query = isDict(line.query) ? inlineQuery(line.query) : knownQuery(id, data());
  const { database } = data();
  if (Object.hasOwn(line, 'plan') && typeof line.plan !== 'string')
    return verdictOf(id, query, scorePlan(query, line.plan!, database));
  const written = Object.hasOwn(line, 'plan') ? line.plan : line.output;
  if (written === undefined) throw new LineError(`line "${id.slice(0, 60)}" has neither an output nor a plan`);
  return verdictOf(id, query, judgeOutput(query, written, database, { strict }));
}

function idIn({ id, idx }: JsonObject): string {
  const own = id ?? idx;
  if (typeof own !== 'string' && typeof own !== 'number') throw new LineError('a line needs an id');
  return String(own);
}

function inlineQuery(value: Json): Query {
  const query = readQuery(value);
  if ('problem' in query) throw new LineError(query.problem);
  return query;
}

function knownQuery(id: string, data: TravelData): Query {
  const [split, idx] = questionOf(id);
  const row = data.row(split, idx);
  if (row) return row.query;
  if (data.query(split, idx))
    throw new LineError(`${id} has no reference information and is not one of the 105: bring its query in the line`);
  throw new LineError(`there is no question "${id}"`);
}

/** Right is a final pass. The score is the mean of the four rates on this plan alone. */
function verdictOf(id: string, query: Query, verdict: PlanVerdict): ExamVerdict {
  const tally = tallyOf(verdict);
  const checks = Object.entries({ ...verdict.commonsense, ...verdict.hard });
  const failed = checks.filter(([, { pass }]) => pass === false);
  const reason = verdict.delivered
    ? failed.map(([, check]) => check.reason).join('; ')
    : 'no plan was found in the output';
  return {
    id,
    correct: tally.final,
    score: metricsOf([tally])[0]!.score,
    ...(tally.final ? {} : { reason }),
    details: {
      ...tally,
      level: query.level,
      days: query.days,
      cost: verdict.totalCost,
      failed: failed.map(([name]) => name),
      errors: Object.fromEntries(checks.flatMap(([name, { error }]) => (error ? [[name, error]] : []))),
    },
  };
}

function tallyIn(details: JsonObject): Tally {
  const flag = (name: string) => details[name] === true;
  const count = (name: string) => Number(details[name] ?? 0);
  return {
    delivered: flag('delivered'),
    commonsensePassed: count('commonsensePassed'),
    hardPassed: count('hardPassed'),
    hardTotal: count('hardTotal'),
    commonsenseAll: flag('commonsenseAll'),
    hardAll: flag('hardAll'),
    final: flag('final'),
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The examination: 125 questions in the ToolRL protocol, judged by exact match or, where one is given, by a judge. */
import { type Exam, type ExamVerdict, LineError } from '../../core/exam.ts';
import type { Json, JsonObject } from '../../core/types.ts';
import { finalAnswer } from './answer.ts';
import { type Question, readQuestions } from './data.ts';
import type { Judge } from './judge.ts';
import { playQuestion } from './loop.ts';
import { PAPER, summarise } from './metrics.ts';
import { MAX_TURNS } from './prompt.ts';
import { scoresOf } from './score.ts';
import type { Search } from './search.ts';

export interface BamboogleExamOptions {
  /** The folder that holds data.json. */
  data: string;
  /** Where the model's searches look; without one it is told that there is none. */
  search?: Search;
  /** Whose word counts instead of exact match. */
  judge?: Judge;
}

export function bamboogleExams(options: BamboogleExamOptions): Record<string, Exam> {
  return { qa: qaExam(options) };
}

function qaExam({ data, search, judge }: BamboogleExamOptions): Exam {
  let loaded: Promise<Question[]> | undefined;
  const questions = () => {
    loaded ??= readQuestions(data);
    return loaded;
  };
  const find = async (id: string): Promise<Question> => {
    const found = (await questions()).find((question) => question.id === id);
    if (!found) throw new LineError(`There is no question ${clip(id)}: ids are places in the file, from 0 to 124.`);
    return found;
  };

  return {
    name: 'qa',
    about: `Two-hop questions with a search tool, at most ${MAX_TURNS} turns (ToolRL protocol), judged by ${judge ? 'another model' : 'exact match'}.`,
    paper: PAPER,
    ids: async () => (await questions()).map(({ id }) => id),
    answer: async (id, ask) => playQuestion((await find(id)).question, ask, search),
    async judge(line) {
      const { id, golds, question } = await asked(line, find, judge !== undefined);
      const read = finalAnswer(line.output);
      const observations = 'observations' in read ? { observations: read.observations } : {};
      // Nothing said is wrong by every metric, and no judge is asked.
      const scores = 'problem' in read ? NOTHING : scoresOf(read.answer, golds);
      const judged =
        judge && (!('problem' in read) && (await judge(question, golds.join(' or '), read.answer)) ? 1 : 0);
      const score = judged ?? scores.em;
      const details: JsonObject = { ...scores, ...(judged === undefined ? {} : { judge: judged }), ...observations };
      const verdict: ExamVerdict = { id, correct: score === 1, score, details };
      return score === 1 ? verdict : { ...verdict, reason: 'problem' in read ? read.problem : 'another answer' };
    },
    gold: async () => (await questions()).map(({ id, golds }) => ({ id, output: golds[0]! })),
    summarise,
  };
}

const NOTHING = { em: 0, coverEm: 0, f1: 0, relaxed: 0 };

/** What a line is about: its own target where it has one, otherwise the question in the data. */
async function asked(
  line: JsonObject,
  find: (id: string) => Promise<Question>,
  needsQuestion: boolean,
): Promise<Question> {
  const id = own(line, 'id');
  if (typeof id !== 'string' && typeof id !== 'number') throw new LineError('The line has no id.');
  const target = own(line, 'target');
  if (target === undefined) return find(String(id));
  const question = own(line, 'question');
  if (typeof question === 'string') return { id: String(id), question, golds: goldsOf(target) };
  if (!needsQuestion) return { id: String(id), question: '', golds: goldsOf(target) };
  return { ...(await find(String(id))), golds: goldsOf(target) };
}

const own = (line: JsonObject, key: string): Json | undefined => (Object.hasOwn(line, key) ? line[key] : undefined);

/** Targets are a few answers, not books. */
const MAX_TARGETS = 100;
const MAX_CHARACTERS = 10_000;

function goldsOf(target: Json): string[] {
  const golds = Array.isArray(target) ? target : [target];
  if (golds.length === 0 || !golds.every((gold) => typeof gold === 'string'))
    throw new LineError('target must be a text or a list of texts.');
  if (golds.length > MAX_TARGETS) throw new LineError(`target has more than ${MAX_TARGETS} texts.`);
  if (golds.some((gold) => gold.length > MAX_CHARACTERS))
    throw new LineError(`target has a text of more than ${MAX_CHARACTERS} characters.`);
  return golds;
}

const clip = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

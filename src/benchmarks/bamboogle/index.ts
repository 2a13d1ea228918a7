/**
 * Bamboogle: two-hop questions that one search does not answer. 125 real ones to be examined on, in the ToolRL protocol, and
 * invented ones with their evidence to be trained on.
 */
import type { Benchmark } from '../../core/benchmark.ts';
import type { Origin } from '../../core/types.ts';
import { DataError } from '../data.ts';
import { type Question, readQuestions } from './data.ts';
import { contextOf, readWritten } from './environment.ts';
import { normalise } from './normalise.ts';
import type { Search } from './search.ts';
import { sessionOf } from './session.ts';
import { splits } from './splits.ts';
import { asTask, features, questionDraft, stratumOf, structure, twoHopDraft } from './tasks.ts';
import type { TwoHop } from './two-hop.ts';

export type { Passage } from './bm25.ts';
export { bm25, bm25Search } from './bm25.ts';
export { readCorpus } from './corpus.ts';
export { type BamboogleExamOptions, bamboogleExams } from './exams.ts';
export { type HttpSearchOptions, httpSearch, SearchError } from './http-search.ts';
export { type Judge, judgeBy } from './judge.ts';
export { openSearch, type SearchSettings } from './open-search.ts';
export { scoresOf } from './score.ts';
export { BAMBOOGLE_SCRIPTS } from './scripts.ts';
export type { Search, SearchResult } from './search.ts';
export { BAMBOOGLE_SOURCES } from './sources.ts';
export { judgeVector } from './vectors.ts';

export interface BamboogleOptions {
  /** The folder that holds data.json; training does without it. */
  data: string;
  baseTasks?: number;
  /** With a search the finished agent is tested on the real questions; without one, on invented ones. */
  search?: Search;
}

export function bamboogleBenchmark({ data, baseTasks, search }: BamboogleOptions): Benchmark {
  const asTasks = (questions: readonly TwoHop[], origin: Origin) =>
    questions.map((question) => asTask(twoHopDraft(question), origin));
  const { base, validation, test } = splits();
  const heldOut = new Set([...validation, ...test].map(({ question }) => normalise(question)));
  /** The real questions, where they are at hand: whatever a simulator remembers of them must not be trained on. */
  const guard = async () => {
    for (const { question } of await realQuestions(data)) heldOut.add(normalise(question));
  };
  return {
    name: 'bamboogle',
    async base() {
      await guard();
      return asTasks(base.slice(0, baseTasks), 'base');
    },
    validation: async () => asTasks(validation, 'validation'),
    test: async () =>
      search
        ? (await readQuestions(data)).map((question) => asTask(questionDraft(question), 'test'))
        : asTasks(test, 'test'),
    stratum: stratumOf,
    context: contextOf,
    read: (text, seed) => readWritten(text, seed, heldOut),
    features,
    structure,
    session: (task) => sessionOf(task, search),
  };
}

async function realQuestions(data: string): Promise<Question[]> {
  try {
    return await readQuestions(data);
  } catch (error) {
    if (error instanceof DataError) return [];
    throw error;
  }
}

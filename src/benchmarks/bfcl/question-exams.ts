/** The single-turn protocols: answers by the official AST rules, and whether a call is made at all. */
import { type Exam, type ExamVerdict, LineError } from '../../core/exam.ts';
import type { Json, JsonObject } from '../../core/types.ts';
import { NotPython } from '../python.ts';
import { answersOf, astError } from './ast-check.ts';
import { AST_CATEGORIES, loadQuestions, type Question, RELEVANCE_CATEGORIES } from './data.ts';
import { type DecodedCall, decodedList, decodeReply } from './decode.ts';
import { goldReply } from './gold.ts';
import { categoryOf, fieldOf, functionsOf, idOf, outputOf } from './line.ts';
import { questionMetrics } from './metrics.ts';
import { questionPrompt } from './prompt.ts';

const MAX_REPLY_TOKENS = 4096;

export function astExam(folder: string): Exam {
  return {
    name: 'ast',
    about: 'Single-turn simple, multiple, parallel and parallel_multiple questions, judged by the official AST rules.',
    ...asked(folder, AST_CATEGORIES),
    judge: (line) => judgeAst(line, folder),
    gold: async () =>
      (await allOf(folder, AST_CATEGORIES)).map((question) => ({ id: question.id, output: goldReply(question) })),
    summarise: questionMetrics,
  };
}

export function relevanceExam(folder: string): Exam {
  return {
    name: 'relevance',
    about: 'Questions that no function answers: right is whoever calls none. Relevance lines are right with any call.',
    ...asked(folder, RELEVANCE_CATEGORIES),
    judge: judgeRelevance,
    gold: async () =>
      (await allOf(folder, RELEVANCE_CATEGORIES)).map(({ id }) => ({
        id,
        output: 'None of these functions can do that.',
      })),
    summarise: questionMetrics,
  };
}

function asked(folder: string, categories: readonly string[]): Pick<Exam, 'ids' | 'answer'> {
  return {
    ids: async () => (await allOf(folder, categories)).map(({ id }) => id),
    answer: async (id, ask) =>
      ask(questionPrompt(await questionOf(id, folder, categories)), { maxTokens: MAX_REPLY_TOKENS }),
  };
}

async function allOf(folder: string, categories: readonly string[]): Promise<Question[]> {
  const files = await Promise.all(categories.map((category) => loadQuestions(folder, category)));
  return files.flatMap((questions) => [...questions.values()]);
}

async function questionOf(id: string, folder: string, categories: readonly string[]): Promise<Question> {
  const category = categoryIn(id);
  const question = categories.includes(category) ? (await loadQuestions(folder, category)).get(id) : undefined;
  if (!question)
    throw new LineError(
      `no question is called ${id.slice(0, 100)}: ids look like ${categories.map((c) => `${c}_0`).join(', ')}`,
    );
  return question;
}

/** `parallel_multiple_17` is of category `parallel_multiple`. */
const categoryIn = (id: string) => id.slice(0, Math.max(0, id.lastIndexOf('_')));

async function judgeAst(line: JsonObject, folder: string): Promise<ExamVerdict> {
  const id = idOf(line);
  const output = outputOf(line);
  const inline = fieldOf(line, 'target', 'possible_answer', 'ground_truth');
  const functions = functionsOf(line);
  const question = inline === undefined || !functions ? await questionOf(id, folder, AST_CATEGORIES) : undefined;
  const answers = checkedAnswers(inline ?? question?.answers ?? [], id);
  const docs = functions ?? question!.functions;
  const category = categoryOf(line) ?? question?.category ?? categoryLike(id, answers, docs.length);
  const calls = decoded(output);
  const dotToUnderscore = line.dot_to_underscore === true;
  const error = calls
    ? astError(calls, { category, functions: docs, answers, dotToUnderscore })
    : 'ast_decoder:decoder_failed';
  return verdict(id, error === undefined, error, category);
}

function checkedAnswers(answers: Json, id: string): Json[] {
  try {
    answersOf(answers);
    return answers as Json[]; // Else answersOf throws.
  } catch (error) {
    if (error instanceof NotPython) throw new LineError(`${id}: ${error.message}`);
    throw error;
  }
}

/** For a line that does not say its category and whose id does not either. */
function categoryLike(id: string, answers: readonly Json[], functions: number): string {
  const named = categoryIn(id);
  if (/simple|multiple|parallel/.test(named)) return named;
  if (answers.length !== 1) return 'parallel';
  return functions > 1 ? 'multiple' : 'simple';
}

function judgeRelevance(line: JsonObject): ExamVerdict {
  const id = idOf(line);
  const category = categoryOf(line) ?? categoryIn(id);
  if (!category.includes('relevance'))
    throw new LineError(`${id}: neither the id nor "category" says irrelevance or relevance`);
  const calls = decoded(outputOf(line)) ?? [];
  const wanted = !category.includes('irrelevance');
  const correct = wanted === calls.length > 0;
  return verdict(id, correct, wanted ? 'no call can be decoded' : 'a call is made, and none should be', category);
}

function decoded(output: Json): DecodedCall[] | undefined {
  if (typeof output === 'string') return decodeReply(output);
  return Array.isArray(output) ? decodedList(output) : undefined;
}

const verdict = (id: string, correct: boolean, reason: string | undefined, category: string): ExamVerdict => ({
  id,
  correct,
  score: correct ? 1 : 0,
  ...(correct || reason === undefined ? {} : { reason }),
  details: { category },
});

/** Questions as tasks: real ones with their gold alone, invented and written ones with their evidence. */
import { z } from 'zod';
import type { TaskDraft } from '../../core/benchmark.ts';
import { rootTask } from '../../core/root-task.ts';
import type { EvalSpec, JsonObject, Origin, Task } from '../../core/types.ts';
import type { Question } from './data.ts';
import { normalise, wordsOf } from './normalise.ts';
import { messagesOf, opening } from './prompt.ts';
import { kindOf, rivalsOf } from './rivals.ts';
import type { TwoHop } from './two-hop.ts';

export const WORLD = 'bamboogle';

export type Goal = { question: string; golds: string[]; twoHop?: TwoHop };

const passage = z.object({ title: z.string(), text: z.string() });
export const twoHop: z.ZodType<TwoHop> = z.object({
  question: z.string(),
  evidence: z.tuple([passage, passage]),
  bridge: z.string(),
  answer: z.string(),
});
const realGoal = z.object({ question: z.string(), golds: z.array(z.string()) });

/** The goal of a task of this world; undefined for any other eval. */
export function goalOf(spec: EvalSpec): Goal | undefined {
  if (spec.kind !== 'world' || spec.world !== WORLD) return undefined;
  const written = twoHop.safeParse(spec.goal);
  if (written.success) return { question: written.data.question, golds: [written.data.answer], twoHop: written.data };
  const real = realGoal.safeParse(spec.goal);
  return real.success ? real.data : undefined;
}

export const twoHopDraft = (task: TwoHop): TaskDraft => draftOf(task.question, task as unknown as JsonObject); // Plain data, but an interface has no index signature.

export const questionDraft = ({ question, golds }: Question): TaskDraft =>
  draftOf(question, { question, golds: [...golds] });

const draftOf = (question: string, goal: JsonObject): TaskDraft => ({
  prompt: messagesOf([opening(question)]),
  tools: [],
  eval: { kind: 'world', world: WORLD, goal },
});

export const asTask = (draft: TaskDraft, origin: Origin): Task => rootTask(draft, origin, { features, structure });

/** What reports are cut by. No update reads it. */
export function features({ eval: spec }: TaskDraft): Record<string, number> {
  const goal = goalOf(spec);
  if (!goal) return {};
  const answerWords = wordsOf(normalise(goal.golds[0] ?? '')).length;
  const questionWords = goal.question.trim().split(/\s+/).length;
  if (!goal.twoHop) return { questionWords, answerWords };
  const evidenceWords = goal.twoHop.evidence.flatMap(({ text }) => text.trim().split(/\s+/)).length;
  return { questionWords, answerWords, evidenceWords, rivals: rivalsOf(goal.twoHop) };
}

/** How the question asks, what kind of thing it asks for, and among how many of that kind the answer stands. */
export function structure({ eval: spec }: TaskDraft): string {
  const goal = goalOf(spec);
  if (!goal) return 'unreadable';
  const asked = wordsOf(normalise(goal.question)).find((word) => QUESTION_WORDS.has(word)) ?? 'other';
  const rivals = goal.twoHop ? [`rivals${Math.min(5, rivalsOf(goal.twoHop))}`] : [];
  return [asked, kindOf(goal.golds[0] ?? ''), ...rivals].join(' ');
}

const QUESTION_WORDS = new Set(['who', 'whom', 'whose', 'when', 'where', 'which', 'what', 'how', 'why']);

/** Names sort from easy to hard. */
export function stratumOf({ eval: spec }: Pick<Task, 'eval'>): string {
  const goal = goalOf(spec);
  if (!goal?.twoHop) return 'real questions';
  const rivals = rivalsOf(goal.twoHop);
  if (rivals === 0) return '0 rivals';
  return rivals <= 2 ? '1–2 rivals' : '3+ rivals';
}

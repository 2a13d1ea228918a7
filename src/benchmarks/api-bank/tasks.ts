/** Rows as tasks: the prompt is the protocol's two messages, and the verdict on the reply is the official one. */
import type { TaskDraft } from '../../core/benchmark.ts';
import { createRng, shuffled } from '../../core/rng.ts';
import { rootTask } from '../../core/root-task.ts';
import type { Json, Message, Task } from '../../core/types.ts';
import { type Call, goldOf, type Row } from './data.ts';
import { isAnswerable } from './defects.ts';
import { levelOfPrompt, promptOf, readPrompt } from './prompt.ts';
import type { GoldCall } from './score.ts';
import { type Split, splitDialogues } from './splits.ts';

export const WORLD = 'api-bank';

/** The tools are part of the prompt, as the protocol has it, and not announced to the engine again. */
export const draftOf = (prompt: Message[], gold: Call): TaskDraft => ({
  prompt,
  tools: [],
  eval: { kind: 'world', world: WORLD, goal: gold satisfies Json },
});

/** What a task of this world wants called. */
export function goldOfTask({ eval: spec }: Pick<Task, 'eval'>): GoldCall | undefined {
  return spec.kind === 'world' && spec.world === WORLD ? goldOf(spec.goal) : undefined;
}

/**
 * The tasks of one split in a fixed random order, so that the first few are as mixed as all. Equal rows are one task; base
 * tasks are without the rows that nobody can answer.
 */
export function tasksOf(rows: readonly Row[], split: Split): Task[] {
  const splits = splitDialogues(rows);
  const chosen = rows.filter((row) => splits.get(row.dialogue) === split && (split !== 'base' || isAnswerable(row)));
  const tasks = new Map<string, Task>();
  for (const row of shuffled(chosen, createRng('api-bank').fork(split))) {
    const task = rootTask(draftOf(promptOf(row), row.gold), split, { features, structure });
    tasks.set(task.id, task);
  }
  return [...tasks.values()];
}

/** How hard a task looks: what reports are cut by. No update reads it. */
export function features(draft: TaskDraft): Record<string, number> {
  const prompt = readPrompt(draft.prompt);
  if (!prompt) return {};
  const count = (kind: string) => prompt.dialogue.filter((segment) => segment.kind === kind).length;
  return {
    tools: prompt.list.tools.length,
    turns: count('user'),
    callsBefore: count('tool_call'),
    parameters: Object.keys(goldOfTask(draft)?.parameters ?? {}).length,
    words: draft.prompt.at(-1)!.content.split(/\s+/).length,
  };
}

/** Level, tool, and how many tools, turns and parameters, a word each: what is said is rubbed out. */
export function structure(draft: TaskDraft): string {
  const { tools = 0, turns = 0, parameters = 0, callsBefore = 0 } = features(draft);
  const tool = String(goldOfTask(draft)?.name ?? '').replace(/\s+/g, '_');
  return [
    `level${levelOfPrompt(draft.prompt) ?? 0}`,
    `calls:${tool}`,
    `tools${tools}`,
    `turns${Math.min(turns, MANY)}`,
    `parameters${parameters}`,
    callsBefore > 0 ? 'afterCalls' : 'firstCall',
  ].join(' ');
}

/** Beyond this, one more turn is no other shape. */
const MANY = 6;

export const stratum = ({ prompt }: Pick<Task, 'prompt'>): string => `level ${levelOfPrompt(prompt) ?? 'unknown'}`;

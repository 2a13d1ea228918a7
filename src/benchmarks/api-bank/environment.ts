/** What the simulator is shown and asked for, and how what it writes becomes a task. */
import type { TaskDraft } from '../../core/benchmark.ts';
import type { Brief } from '../../core/players.ts';
import type { Json, Message, Task } from '../../core/types.ts';
import type { Call } from './data.ts';
import { readPrompt, type Segment, writePrompt } from './prompt.ts';
import { draftOf, goldOfTask } from './tasks.ts';
import { problemWith, readWritten, type WrittenTask } from './written-task.ts';

const INSTRUCTIONS = `You design training tasks for an assistant that calls tools. A task is a list of tools, a dialogue so far, and the one call that the assistant should make next.
Given a seed task, write ONE new task of the same kind: you may change tools, names, values and turns. Make it harder or easier so that the assistant's success rate comes close to the target.
Rules:
- The tool of "call" is in "tools", and "call" has every parameter of that tool, except those whose description says Optional.
- Every value in "call" is a string, also numbers ("5"), booleans ("True") and lists ("['Ann', 'Bob']").
- Every value in "call" is said in the dialogue, in the same letters. A date such as 2023-03-26 15:00:00 may be said in words, with its year and time.
- The dialogue begins with {"user": …}; further turns are {"user": …}, {"response": …}, or {"tool_call": {…}} followed by {"obs": …}. It does not contain the call itself.
Answer with one JSON object {"tools": […], "dialogue": […], "call": {…}} in the form of the seed. No other text.`;

export function context({ seed, lineage, overall, target }: Brief): Message[] {
  const lines = [
    `Seed task:\n${JSON.stringify(asWritten(seed))}`,
    lineage.length > 0
      ? `The assistant's success on variations of this task: ${lineage.map((past) => `epoch ${past.epoch}: ${past.successes} of ${past.attempts}`).join(', ')}.`
      : 'The assistant has not attempted variations of this task yet.',
    overall === undefined ? '' : `Its success on all generated tasks in the last epoch: ${percent(overall)}.`,
    `Target: the assistant should solve the new task in about ${percent(target.alpha)} of its attempts (between ${percent(target.alpha - target.kMin)} and ${percent(target.alpha + target.kMin)}).`,
  ];
  return [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: lines.filter(Boolean).join('\n') },
  ];
}

const percent = (rate: number): string => `${Math.round(100 * Math.min(1, Math.max(0, rate)))}%`;

/** A task in the form in which the simulator writes one. */
export function asWritten(task: Pick<Task, 'prompt' | 'eval'>): Json {
  const prompt = readPrompt(task.prompt);
  const { name = '', parameters = {} } = goldOfTask(task) ?? {};
  return {
    tools: prompt?.list.tools ?? [],
    dialogue: (prompt?.dialogue ?? []).map(turnOf),
    call: { name, parameters },
  };
}

const turnOf = ({ kind, text }: Segment): Json => ({
  [kind]: kind === 'tool_call' ? (JSON.parse(text) as Call) : text,
});

/** Chatter around the object is fine; what is inside it must be right. */
export function read(text: string, seed: Task): TaskDraft | { problem: string } {
  const value = objectIn(text);
  if (value === undefined) return { problem: 'there is no JSON object' };
  const written = readWritten(value);
  if ('problem' in written) return written;
  const problem = problemWith(written, readPrompt(seed.prompt));
  return problem === undefined ? draftIn(written, seed) : { problem };
}

const draftIn = ({ tools, dialogue, call }: WrittenTask, seed: Task): TaskDraft =>
  draftOf(writePrompt(seed.prompt, tools, dialogue), call);

function objectIn(text: string): unknown {
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (from < 0 || to < from) return undefined;
  try {
    return JSON.parse(text.slice(from, to + 1));
  } catch {
    return undefined;
  }
}

/** Requests as tasks: their targets and their measures of difficulty. */
import type { TaskDraft } from '../../core/benchmark.ts';
import type { Message } from '../../core/types.ts';
import { interpret, senseless } from './interpret.ts';
import { TOOL_SPECS } from './lexicon.ts';
import { read } from './read.ts';
import { type Request, skillsOf } from './request.ts';
import { worldOf } from './world.ts';
import { write } from './write.ts';

/** A request as a task, or why it makes no sense. */
export function draftOf(request: Request): TaskDraft | { problem: string } {
  const problem = senseless(request);
  if (problem !== undefined) return { problem };
  const text = write(request);
  const plan = interpret(request, worldOf(text));
  if ('problem' in plan) return plan;
  return {
    prompt: [{ role: 'user', content: text }],
    tools: [...TOOL_SPECS],
    eval: { kind: 'toolCalls', target: plan.calls },
  };
}

export const requestOf = (prompt: readonly Message[]): Request | { problem: string } =>
  read(prompt.at(-1)?.content ?? '');

/** How hard a task looks: what reports are cut by. No update reads it. */
export function features({ prompt, eval: spec }: TaskDraft): Record<string, number> {
  const request = requestOf(prompt);
  if ('problem' in request) return {};
  const skills = skillsOf(request);
  return {
    clauses: request.clauses.length,
    skills: skills.length,
    calls: spec.kind === 'toolCalls' ? spec.target.length : 0,
    depth: depthOf(request),
    words: prompt.at(-1)!.content.split(' ').length,
    asks: skills.includes('find') || skills.includes('check') ? 1 : 0,
  };
}

/** How many skills act on one another at the deepest place. */
const depthOf = (request: Request) =>
  Math.max(...request.clauses.map((clause) => skillsOf({ facts: [], clauses: [clause], all: 1 }).length)) +
  request.all -
  1;

/** The number of clauses and which skills, a word each: values, verbs and places rubbed out. */
export function structure({ prompt }: TaskDraft): string {
  const request = requestOf(prompt);
  if ('problem' in request) return 'unreadable';
  return [`clauses${request.clauses.length}`, ...skillsOf(request).toSorted()].join(' ');
}

/**
 * The simulator's side: it is shown a turn and writes a variation of it, as {"tools", "history", "request", "calls"}. What
 * it writes becomes a task only if every call fits its tool's schema and every argument can be known from the text.
 */
import type { TaskDraft } from '../../core/benchmark.ts';
import type { Brief } from '../../core/players.ts';
import type { Json, JsonObject, Message, Task } from '../../core/types.ts';
import { type Call, jsonCall } from './calls.ts';
import { readJson } from './exact-json.ts';
import { type FunctionDoc, isObject } from './function-doc.ts';
import { groundOf, ungrounded } from './grounding.ts';
import { callsText, splitRequest, systemPrompt, toolsIn, toolsText } from './prompt.ts';
import { argumentsProblem } from './schema.ts';
import { draftOf, goalOf } from './tasks.ts';

export const MAX_CALLS = 8;
const MAX_REQUEST = 2000;

const INSTRUCTIONS = `You write practice tasks for an agent that calls tools. You are shown a seed: tools, perhaps an earlier conversation, a request, and the calls that carry it out. Write ONE new request in the same world and the calls that carry it out, in order. Make it harder or easier so that the agent's success rate comes close to the target: more or fewer calls, tools to choose from, arguments, or arguments that are only in the earlier conversation.
Every call must fit its tool, and every argument must stand in the request or in the earlier conversation exactly as the call has it; leave optional parameters out unless the request gives them. At most ${MAX_CALLS} calls.
Answer with one JSON object and no other text: {"tools": [names the agent may choose from, or leave it out for all], "history": true to keep the earlier conversation or false, "request": "...", "calls": [{"name": "...", "parameters": {...}}]}`;

export function contextOf({ seed, lineage, overall, target }: Brief): Message[] {
  const { before, request } = splitRequest(seed.prompt.at(-1)?.content ?? '');
  const earlier = [...seed.prompt.slice(1, -1).map(({ role, content }) => `${role}: ${content}`), before.trim()];
  const told = earlier.filter(Boolean).join('\n');
  const lines = [
    `Tools:\n${toolsText(toolsIn(seed.prompt[0]?.content ?? ''))}`,
    told === '' ? 'There is no earlier conversation.' : `Earlier conversation:\n${told}`,
    `Seed request: ${request}`,
    `Seed calls:\n${callsText(goalOf(seed)?.calls ?? [])}`,
    lineage.length > 0
      ? `Agent's success on variations of this seed: ${lineage.map((l) => `epoch ${l.epoch}: ${l.successes} of ${l.attempts}`).join(', ')}.`
      : 'The agent has not attempted variations of this seed yet.',
    overall === undefined ? '' : `Agent's success on all generated tasks in the last epoch: ${percent(overall)}.`,
    `Target: the agent should solve the new task in about ${percent(target.alpha)} of its attempts.`,
  ];
  return [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: lines.filter(Boolean).join('\n\n') },
  ];
}

const percent = (rate: number) => `${Math.round(100 * Math.min(1, Math.max(0, rate)))}%`;

/** The task that the simulator wrote, or what is wrong with it. */
export function readTask(text: string, seed: Task): TaskDraft | { problem: string } {
  const written = objectIn(text);
  if (written === undefined) return { problem: 'there is no JSON object in it' };
  const offered = toolsIn(seed.prompt[0]?.content ?? '');
  const docs = chosenTools(written.tools, offered);
  if ('problem' in docs) return docs;
  const { request, history = true } = written;
  if (typeof request !== 'string' || request.trim() === '') return { problem: 'there is no request' };
  if (request.length > MAX_REQUEST) return { problem: `the request has ${request.length} characters` };
  if (typeof history !== 'boolean') return { problem: 'history is neither true nor false' };
  const prompt = promptOf(request, history, docs, seed);
  const calls = checkedCalls(written.calls, docs, prompt);
  return 'problem' in calls ? calls : draftOf(prompt, { calls, docs });
}

/** What is between the first brace and the last. */
function objectIn(text: string): JsonObject | undefined {
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (start < 0 || end < start) return undefined;
  try {
    const value = readJson(text.slice(start, end + 1));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function chosenTools(names: Json | undefined, offered: readonly FunctionDoc[]): FunctionDoc[] | { problem: string } {
  if (names === undefined || names === null) return [...offered];
  if (!Array.isArray(names) || names.length === 0) return { problem: 'tools is not a list of names' };
  const unknown = names.find((name) => !offered.some((doc) => doc.name === name));
  if (unknown !== undefined) return { problem: `${JSON.stringify(unknown)} is no tool of the seed` };
  // In the order of the seed, so that the order says nothing.
  return offered.filter(({ name }) => names.includes(name));
}

function promptOf(request: string, history: boolean, docs: readonly FunctionDoc[], seed: Task): Message[] {
  const system: Message = { role: 'system', content: systemPrompt(docs) };
  if (!history) return [system, { role: 'user', content: request }];
  const { before } = splitRequest(seed.prompt.at(-1)?.content ?? '');
  return [system, ...seed.prompt.slice(1, -1), { role: 'user', content: before + request }];
}

function checkedCalls(
  calls: Json | undefined,
  docs: readonly FunctionDoc[],
  prompt: readonly Message[],
): Call[] | { problem: string } {
  // That nothing can be done is a claim that cannot be checked, so a generated task asks for something.
  if (!Array.isArray(calls) || calls.length === 0) return { problem: 'there are no calls' };
  if (calls.length > MAX_CALLS) return { problem: `${calls.length} calls, and ${MAX_CALLS} is the most` };
  const ground = groundOf(
    prompt
      .slice(1)
      .map(({ content }) => content)
      .join('\n'),
  );
  const checked: Call[] = [];
  for (const [i, written] of calls.entries()) {
    const call = jsonCall(written);
    if (!call || !isObject(written)) return { problem: `call ${i + 1} is not {"name", "parameters"}` };
    const args = written.parameters ?? written.arguments ?? {};
    const where = `call ${i + 1} (${call.name})`;
    const doc = docs.find(({ name }) => name === call.name);
    if (!doc) return { problem: `${where}: no such tool` };
    if (!isObject(args)) return { problem: `${where}: the parameters are no object` };
    const problem = argumentsProblem(args, doc);
    if (problem !== undefined) return { problem: `${where}: ${problem}` };
    const missing = ungrounded(args, doc, ground);
    if (missing !== undefined)
      return { problem: `${where}: ${missing} stands neither in the request nor in the conversation` };
    checked.push(call);
  }
  return checked;
}

/** What the model is shown for a turn: tools and rules, what has happened so far, and the request. */
import type { Json, Message } from '../../core/types.ts';
import { DataError } from '../data.ts';
import { type Call, plain } from './calls.ts';
import type { MultiTurn, Question, Turn } from './data.ts';
import type { FunctionDoc, ParameterDoc } from './function-doc.ts';

/** How much of the earlier turns is shown; the calls and results are the ground truth's. */
export type History = 'calls+results' | 'calls' | 'users' | 'none';
export const HISTORIES: readonly History[] = ['calls+results', 'calls', 'users', 'none'];

/** 9,000 tokens with 1,000 of them for the reply, at four characters a token. */
export const MAX_PROMPT_CHARACTERS = 32_000;

const INSTRUCTIONS = `You help a user by calling tools. Read the conversation, decide which calls the latest message asks for, and write all of them at once, in the order in which they have to be made. You do not see their results before you have written the last one.

Tools:
{tools}

Write your reply in this form:
<think>what is asked and which calls do it</think>
<tool_call>
{"name": "first_tool", "parameters": {"parameter": "value"}}
{"name": "second_tool", "parameters": {}}
</tool_call>
<response>what you tell the user</response>

Between <tool_call> and </tool_call> there is one JSON object a line, with the name of a tool and its parameters. Leave out optional parameters that the user says nothing about. Results of earlier calls stand between <obs> and </obs>. If no call is needed, leave <tool_call> out.`;

export function systemPrompt(docs: readonly FunctionDoc[]): string {
  return INSTRUCTIONS.replace('{tools}', () => toolsText(docs));
}

export const toolsText = (docs: readonly FunctionDoc[]): string => docs.map(toolText).join('\n');

function toolText({ name, description, parameters }: FunctionDoc, index: number): string {
  const { properties, required = [] } = parameters;
  return [
    `${index + 1}. Name: ${name}`,
    `Description: ${oneLine(description)}`,
    `Parameters: ${JSON.stringify(properties)}`,
    `Required: ${JSON.stringify(required)}`,
  ].join('\n');
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

const TOOL = /^\d+\. Name: (.*)\nDescription: (.*)\nParameters: (\{.*\})\nRequired: (\[.*\])$/gm;

/** The tools that a prompt of ours lists. */
export function toolsIn(text: string): FunctionDoc[] {
  return Array.from(text.matchAll(TOOL), ([, name, description, properties, required]) => ({
    name: name!,
    description: description!,
    parameters: {
      type: 'dict',
      properties: JSON.parse(properties!) as Record<string, ParameterDoc>,
      required: JSON.parse(required!) as string[],
    },
  }));
}

/** Calls as a reply writes them. */
export function callsText(calls: readonly Call[]): string {
  const lines = calls.map(({ name, args }) => JSON.stringify({ name, parameters: plain(args) }));
  return `<tool_call>\n${lines.map((line) => `${line}\n`).join('')}</tool_call>`;
}

export function docsOf(turn: Turn, { docs }: MultiTurn): FunctionDoc[] {
  return turn.classes.flatMap((name) => docs.get(name) ?? unknownClass(name, turn.id));
}

export function turnPrompt(turn: Turn, data: MultiTurn, history: History): Message[] {
  const system = systemPrompt(docsOf(turn, data));
  const earlier = Array.from({ length: turn.turn }, (_, t) => data.turns.get(`${turn.task}:turn_${t}`)!);
  // The oldest results go first when the prompt is too long.
  for (let dropped = 0; ; dropped++) {
    const dialogue = dialogueOf(turn, earlier, history, dropped);
    const length = dialogue.reduce((sum, message) => sum + message.content.length, system.length);
    if (length <= MAX_PROMPT_CHARACTERS || history !== 'calls+results' || dropped >= earlier.length)
      return [{ role: 'system', content: system }, ...dialogue];
  }
}

function dialogueOf(turn: Turn, earlier: readonly Turn[], history: History, dropped: number): Message[] {
  if (history === 'none' || earlier.length === 0) return [user(turn.user)];
  if (history === 'users') {
    const requests = earlier.map((past) => `- ${oneLine(past.user)}`).join('\n');
    return [user(`${EARLIER}${requests}\n\n${turn.user}`)];
  }
  const messages: Message[] = [];
  let results = '';
  for (const [t, past] of earlier.entries()) {
    messages.push(user(results + past.user), { role: 'assistant', content: callsText(past.calls) });
    results = history === 'calls' ? '' : resultsText(past, t < dropped);
  }
  return [...messages, user(results + turn.user)];
}

const EARLIER = 'These earlier requests have been carried out:\n';
const OBSERVED = '<obs>\n';
const OBSERVED_END = '\n</obs>\n\n';

/** The last message of a prompt, what is told in it apart from what is asked. */
export function splitRequest(content: string): { before: string; request: string } {
  const mark = content.startsWith(OBSERVED) ? OBSERVED_END : content.startsWith(EARLIER) ? '\n\n' : undefined;
  const end = mark === undefined ? -1 : content.indexOf(mark);
  const at = end < 0 ? 0 : end + mark!.length;
  return { before: content.slice(0, at), request: content.slice(at) };
}

const user = (content: string): Message => ({ role: 'user', content });

/** Results travel at the head of the next user message, so that roles alternate as every chat template wants. */
function resultsText({ id, calls, results }: Turn, dropped: boolean): string {
  if (results === undefined)
    throw new DataError(
      `the results of ${id} are not there: derived/long_context_turns.jsonl has them, and it is not part of the public data. Use history: calls, users or none.`,
    );
  if (calls.length === 0) return '';
  const lines = results.map((result, i) => `${calls[i]?.name ?? ''}: ${dropped ? '(left out)' : result}`);
  return `${OBSERVED}${lines.join('\n')}${OBSERVED_END}`;
}

function unknownClass(name: string, id: string): never {
  throw new DataError(`${id} has tools of ${name}, which nobody documents. Run: genenv data verify bfcl`);
}

const SINGLE_TURN = `You help a user by calling functions. Decide which functions answer the question and with which arguments. Where none of them does, or an argument they need is missing, say so instead of calling.
A reply that calls functions holds nothing else, and has this form: [first_function(name='value', count=2), second_function()]
These functions can be called:
{functions}`;

export function questionPrompt({ messages, functions }: Pick<Question, 'messages' | 'functions'>): Message[] {
  const listed = JSON.stringify(functions as unknown as Json, null, 4); // Interfaces have no index signature.
  const own = messages.filter(({ role }) => role === 'system').map(({ content }) => `\n\n${content}`);
  const system = SINGLE_TURN.replace('{functions}', () => listed) + own.join('');
  const rest = messages.filter(({ role }) => role !== 'system');
  return [
    { role: 'system', content: system },
    ...rest.map(({ role, content }): Message => ({ role: role === 'assistant' ? 'assistant' : 'user', content })),
  ];
}

/** The prompts of the ToolRL protocol. The whole dialogue is sent again each turn, as one message. */
import type { Message } from '../../core/types.ts';

export const MAX_TURNS = 4;
/** The protocol's limit on a reply. */
export const MAX_TOKENS = 4096;

const SYSTEM = `You are an assistant that talks with a user over several turns. You can call a tool to find out what you do not know, and you answer in a fixed form.

**Available Tools**
1. Name: Search
Description: Looks a query up with a search engine and returns the best results.
Parameters: {"query": {"description": "What to search for.", "type": "string", "default": ""}}

**Each Turn**
1. Think: recall what the dialogue says so far and what the user wants.
2. Decide whether a tool is needed; if so, name it and give its parameters.
3. Otherwise, or in addition, respond to the user.

**Output Format**
<think> your thoughts </think>
<tool_call>
{"name": "name of the tool", "parameters": {"name of a parameter": "its value"}}
</tool_call>
<response> your final response </response>

**Rules**
1. Always write <think>, and at least one of <tool_call> and <response>.
2. A tool call is one JSON object on one line, with the fields "name" and "parameters"; several calls are several lines.
3. The history shows the user's messages in <user>, your earlier turns, and what tools returned in <obs>.`;

export type Entry = { role: 'user' | 'obs' | 'assistant'; content: string };

export const opening = (question: string): Entry => ({
  role: 'user',
  content: `${question}\nPerform tool call if you are not sure about the answer. Make a plan to solve the problem step by step.`,
});

export const observation = (results: string): Entry => ({
  role: 'obs',
  content: `Search results for the first tool call query:\n${results}`,
});

/** What the user says after a search in this turn, counted from one: from the last but one on, no more searching. */
export const nudge = (turn: number): Entry => ({
  role: 'user',
  content:
    turn < MAX_TURNS - 1
      ? 'Please continue to search if needed. If you can obtain the answer, please do not call any tool and directly provide a succinct answer in the response.'
      : 'Do not make tool call any more. Please directly provide a succinct answer in your next response.',
});

/** The dialogue so far as the messages of one request. */
export const messagesOf = (history: readonly Entry[]): Message[] => [
  { role: 'system', content: SYSTEM },
  { role: 'user', content: `**Dialogue Records History**\n${render(history)}` },
];

/** Entries of the dialogue in their tags. */
export function render(history: readonly Entry[]): string {
  const blocks = history.map(({ role, content }) =>
    role === 'assistant' ? `${content}\n` : `<${role}> ${content} </${role}>\n\n`,
  );
  return blocks.join('').trim();
}

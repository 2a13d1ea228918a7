/**
 * The two messages of a row taken apart, and messages of the same form put together. Whatever is constant in them (the
 * instructions, the heading, the request to make one call) is the data's own and comes from the row that serves as a model.
 */
import type { Message } from '../../core/types.ts';
import type { Call, Level, Row } from './data.ts';
import { readToolList, type Tool, type ToolList, writeToolList } from './tool-list.ts';

export type SegmentKind = 'user' | 'response' | 'tool_call' | 'obs';

/** One thing said or done in the dialogue. */
export interface Segment {
  kind: SegmentKind;
  text: string;
}

export interface Prompt {
  list: ToolList;
  /** Without the closing request, which is the same everywhere. */
  dialogue: Segment[];
}

export const promptOf = ({ system, user }: Pick<Row, 'system' | 'user'>): Message[] => [
  { role: 'system', content: system },
  { role: 'user', content: user },
];

/** Undefined when the messages are not in the form of the data. */
export function readPrompt(messages: readonly Message[]): Prompt | undefined {
  const frame = frameOf(messages);
  return frame && { list: frame.list, dialogue: frame.dialogue };
}

/** Another task in the words of this one. */
export function writePrompt(
  model: readonly Message[],
  tools: readonly Tool[],
  dialogue: readonly Segment[],
): Message[] {
  const frame = frameOf(model);
  if (!frame) throw new Error('The model for a prompt is not in the form of the data.');
  const list = writeToolList({ style: frame.list.style, tools: [...tools] });
  const said = dialogue.map((segment, i) => writeSegment(segment, i, frame.padded)).join('');
  return [
    { role: 'system', content: `${frame.before}${list}${frame.after}` },
    { role: 'user', content: `${frame.heading}\n${said}\n${frame.request}` },
  ];
}

/** The level that a prompt is written like: 2 has a heading of its own, 3 a shorter list of tools. */
export function levelOfPrompt(messages: readonly Message[]): Level | undefined {
  const frame = frameOf(messages);
  if (!frame) return undefined;
  if (frame.list.style === 'short') return 3;
  return frame.heading.startsWith('***') ? 2 : 1;
}

interface Frame extends Prompt {
  before: string;
  after: string;
  heading: string;
  request: string;
  /** Level 2 has spaces around what is said. */
  padded: boolean;
}

/** The list runs from the first line numbered 1 to the first blank one; the request is the last thing the user says. */
function frameOf(messages: readonly Message[]): Frame | undefined {
  const system = messages.find(({ role }) => role === 'system')?.content ?? '';
  const user = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const from = system.indexOf('\n1. ') + 1;
  const to = system.indexOf('\n\n', from);
  const headingEnd = user.indexOf('\n');
  const requestAt = user.lastIndexOf('\n<user>') + 1;
  if (from === 0 || to < 0 || headingEnd < 0 || requestAt <= headingEnd + 1) return undefined;
  const list = readToolList(system.slice(from, to));
  const dialogue = readDialogue(user.slice(headingEnd + 1, requestAt));
  if (!list || !dialogue) return undefined;
  return {
    list,
    dialogue,
    before: system.slice(0, from),
    after: system.slice(to),
    heading: user.slice(0, headingEnd),
    request: user.slice(requestAt),
    padded: user.startsWith('<user> ', headingEnd + 1),
  };
}

const KINDS: readonly SegmentKind[] = ['user', 'response', 'tool_call', 'obs'];

/** Whether a text holds a tag of the format: such a text cannot stand inside a segment. */
export const holdsTag = (text: string): boolean =>
  KINDS.some((kind) => text.includes(`<${kind}>`) || text.includes(`</${kind}>`));

function readDialogue(text: string): Segment[] | undefined {
  const segments: Segment[] = [];
  for (let at = 0; ; ) {
    while (text[at] === '\n') at++;
    if (at === text.length) return segments;
    const kind = KINDS.find((one) => text.startsWith(`<${one}>`, at));
    const start = at + `<${kind}>`.length;
    const end = kind ? text.indexOf(`</${kind}>`, start) : -1;
    if (!kind || end < 0) return undefined;
    segments.push({ kind, text: text.slice(start, end).trim() });
    at = end + `</${kind}>`.length;
  }
}

/** A blank line comes before the user speaks again. */
function writeSegment({ kind, text }: Segment, index: number, padded: boolean): string {
  const gap = kind === 'user' && index > 0 ? '\n' : '';
  if (kind === 'tool_call') return `<tool_call>\n${text}\n</tool_call>\n`;
  const space = padded || kind === 'obs' ? ' ' : '';
  return `${gap}<${kind}>${space}${text}${space}</${kind}>\n`;
}

/** A call as one line of JSON, with the spaces that Python puts into it. */
export function writeCall({ name, parameters }: Call): string {
  const fields = Object.entries(parameters).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return `{"name": ${JSON.stringify(name)}, "parameters": {${fields.join(', ')}}}`;
}

/** A reply that makes this call, in the output format of the prompt. */
export const writeReply = (call: Call): string => `<tool_call>\n${writeCall(call)}\n</tool_call>`;

/**
 * The prompt of a conversation whose earlier turns were sampled. Their ids are kept as they were: tokenising the text
 * again could give others, and the policy would be trained on what it never wrote. Two ways, the first that fits:
 *
 * - The rendering extends the one the turn was sampled from and keeps all of its parts: the prompt then, the sampled ids,
 *   and what the template puts after them. The turns become one training sequence.
 * - The template rewrites the turn (drops its thoughts, say): its own rendering, with as much of the sampled ids as
 *   it left standing before the turn's end. A new training sequence begins.
 */
import type { Json, Message, ToolSpec } from '../core/types.ts';
import { defusedMessage, defusedTools } from './defuse.ts';
import { markedTurn, markMaker } from './marked.ts';
import type { PromptMemory } from './prompt-memory.ts';
import type { Renderer } from './renderer.ts';
import type { Reply } from './reply.ts';
import { TemplateError } from './template.ts';
import type { TemplateMessage } from './template-messages.ts';
import type { Tokenizer } from './tokenizer.ts';

export interface Splicing {
  tokenizer: Tokenizer;
  renderer: Renderer;
  /** Ids that end a turn in the template's eyes. */
  closing: ReadonlySet<number>;
  /** A sampled turn taken apart. */
  read(tokens: Int32Array): Reply;
  /** Sampled ids without the one that ended them. */
  body(tokens: Int32Array): Int32Array;
  memory: PromptMemory;
}

export function promptIds(splicing: Splicing, messages: readonly Message[], tools: readonly ToolSpec[]): Int32Array {
  const { tokenizer } = splicing;
  const turns = messages.map((message) => ({
    sampled: message.role === 'assistant' && message.tokens?.length ? message.tokens : undefined,
    message: defusedMessage(describe(message, splicing), tokenizer.defuse),
  }));
  // A copy: what is remembered must stay as it is.
  return spliced(splicing, turns, defusedTools(tools, tokenizer.defuse)).slice();
}

interface TurnOf {
  message: TemplateMessage;
  sampled: Int32Array | undefined;
}

/** A sampled turn is read from its ids: its content may be what is left for people to read. */
function describe({ role, content, toolCalls, tokens }: Message, { read }: Splicing): TemplateMessage {
  if (role !== 'assistant' || !tokens?.length) return { role, content, ...(toolCalls ? { toolCalls } : {}) };
  const reply = read(tokens);
  const thought = reply.reasoning === undefined ? {} : { reasoning: reply.reasoning };
  return toolCalls?.length
    ? { role, ...thought, content: reply.content, toolCalls }
    : { role, ...thought, content: reply.rest };
}

function spliced(splicing: Splicing, turns: readonly TurnOf[], tools: readonly ToolSpec[]): Int32Array {
  const { tokenizer, renderer, memory } = splicing;
  const text = renderer.render(messagesOf(turns), tools, true);
  const sampled = turns.flatMap((turn) => (turn.sampled ? [turn.sampled] : []));
  const known = memory.get(text, sampled);
  if (known) return known;
  const last = turns.findLastIndex((turn) => turn.sampled);
  const marked = last === -1 ? undefined : markedRendering(splicing, turns, tools);
  const ids = Int32Array.from(
    last === -1
      ? tokenizer.encodeMarked(text)
      : (extension(splicing, turns, tools, last, text, marked) ?? rewritten(splicing, turns, text, marked)),
  );
  memory.set(text, sampled, ids);
  return ids;
}

const messagesOf = (turns: readonly TurnOf[]) => turns.map(({ message }) => message);

/** Undefined where the rendering does not extend what the last sampled turn was sampled from. */
function extension(
  splicing: Splicing,
  turns: readonly TurnOf[],
  tools: readonly ToolSpec[],
  last: number,
  text: string,
  marked: Marked | undefined,
): number[] | undefined {
  const { tokenizer, renderer, closing } = splicing;
  if (!marked?.keeps(last)) return undefined;
  const before = turns.slice(0, last);
  const opened = attempt(() => renderer.render(messagesOf(before), tools, true));
  const closed = attempt(() => renderer.render(messagesOf(turns.slice(0, last + 1)), tools, false));
  if (opened === undefined || closed === undefined) return undefined;
  if (!text.startsWith(closed) || !closed.startsWith(opened)) return undefined;
  const end = lastMark(splicing, closed.slice(opened.length));
  if (!end) return undefined;
  const sampled = turns[last]!.sampled!;
  // From the mark on: tokenizers may treat the start of a text unlike what follows a mark.
  const after = tokenizer.encodeMarked(text.slice(opened.length + end.at));
  const ended = closing.has(sampled.at(-1)!);
  return [...spliced(splicing, before, tools), ...sampled, ...(ended ? after.slice(1) : after)];
}

/** The template's own rendering, with the ids of what it kept. */
function rewritten(splicing: Splicing, turns: readonly TurnOf[], text: string, marked: Marked | undefined): number[] {
  const { tokenizer, body } = splicing;
  const ids: number[] = [];
  let done = 0;
  for (const [i, { sampled }] of turns.entries()) {
    const end = sampled && marked?.endOf(i, text);
    if (end === undefined) continue;
    const kept = keptTail(tokenizer, body(sampled!), text.slice(done, end));
    if (kept.ids.length === 0) continue;
    ids.push(...tokenizer.encodeMarked(text.slice(done, end - kept.length)), ...kept.ids);
    done = end;
  }
  return [...ids, ...tokenizer.encodeMarked(text.slice(done))];
}

/** The longest tail of the sampled ids that the text ends with. */
function keptTail(tokenizer: Tokenizer, sampled: Int32Array, text: string): { ids: Int32Array; length: number } {
  const whole = tokenizer.decode(sampled);
  let common = 0;
  while (common < whole.length && whole.at(-1 - common) === text.at(-1 - common)) common++;
  let from = sampled.length;
  for (let length = 0; from > 0; from--) {
    length += tokenizer.decode([sampled[from - 1]!]).length;
    if (length > common) break;
  }
  // Characters of several ids, and spaces at the start of a text, make the sum of the pieces inexact.
  for (; from < sampled.length; from++) {
    const ids = sampled.subarray(from);
    const tail = tokenizer.decode(ids);
    if (tail !== '' && text.endsWith(tail)) return { ids, length: tail.length };
  }
  return { ids: new Int32Array(), length: 0 };
}

interface Marked {
  /** Whether every part of a turn is in the rendering. */
  keeps(turn: number): boolean;
  /** Where, in the unmarked rendering, the mark stands that ends a turn. */
  endOf(turn: number, text: string): number | undefined;
}

/** The same conversation with marks in its sampled turns. */
function markedRendering(splicing: Splicing, turns: readonly TurnOf[], tools: readonly ToolSpec[]): Marked | undefined {
  const fresh = markMaker(messagesOf(turns) as unknown as Json);
  const marked = turns.map(({ message, sampled }) => (sampled ? markedTurn(message, fresh) : { message, marks: [] }));
  const messages = marked.map(({ message }) => message);
  const text = attempt(() => splicing.renderer.render(messages, tools, true));
  if (text === undefined) return undefined;
  return {
    keeps: (turn) => marked[turn]!.marks.every((mark) => text.includes(mark)),
    endOf(turn, unmarked) {
      const at = Math.max(...marked[turn]!.marks.map((mark) => text.lastIndexOf(mark)));
      if (!(at >= 0)) return undefined;
      // No words hold a closing mark, so the same number of them stands before the end in both.
      return marksIn(splicing, unmarked)[marksIn(splicing, text.slice(0, at)).length];
    },
  };
}

const closingMarks = ({ closing, tokenizer }: Splicing) =>
  [...closing].map((id) => tokenizer.markOf(id)).filter((mark) => mark !== undefined);

/** Where closing marks stand, in order. */
function marksIn(splicing: Splicing, text: string): number[] {
  const places: number[] = [];
  for (const mark of closingMarks(splicing)) {
    for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + mark.length)) places.push(at);
  }
  return places.sort((a, b) => a - b);
}

function lastMark(splicing: Splicing, text: string): { at: number } | undefined {
  const at = marksIn(splicing, text).at(-1);
  return at === undefined ? undefined : { at };
}

/** Some templates refuse beginnings of a conversation that they accept as a whole. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}

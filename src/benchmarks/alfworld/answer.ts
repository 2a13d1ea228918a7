/** From what a model wrote to the action it means: SPEC rules for single steps, and the way replies are read in play. */
import type { Json } from '../../core/types.ts';
import type { Dialect } from './action.ts';

/** The action in a reply, normalised; empty when there is none. */
export const actionOf = (reply: string): string => normalise(extract(reply));

/** The first of these that is there: a tag, a tool call, a line `Action: …`, the last line; of each the last one. */
export function extract(reply: string): string {
  return lastTagged(reply, 'action').at(-1) ?? fromToolCall(reply) ?? fromActionLine(reply) ?? lastLine(reply);
}

/** Spelling that does not matter goes, and other ways of saying put and take become the one way. Numbers and articles stay. */
export function normalise(action: string): string {
  let text = withoutQuotes(action.trim());
  if (text.length > LONGEST_ACTION) return text;
  if (text.startsWith('> ')) text = text.slice(2);
  text = text.replace(/\s+/g, ' ').trim().toLowerCase();
  if (text.endsWith('.')) text = text.slice(0, -1).trimEnd();
  if (/^(put|place|move) /.test(text)) return asMove(text) ?? text;
  if (text.startsWith('pick up ') && text.includes(' from ')) return `take ${text.slice('pick up '.length)}`;
  return text;
}

/** What is longer is no action, and is left as it is. */
const LONGEST_ACTION = 10_000;

/** A normalised action as the environment of a dialect wants it. */
export function inDialect(action: string, dialect: Dialect): string {
  if (dialect === 'new' || !action.startsWith('move ')) return action;
  const at = action.indexOf(' to ');
  return at < 0 ? action : `put ${action.slice('move '.length, at)} in/on ${action.slice(at + ' to '.length)}`;
}

const QUOTES = '"\'`';

/** Pairs of quotes around the whole, however many. */
function withoutQuotes(text: string): string {
  let [start, end] = [0, text.length];
  while (end - start >= 2 && QUOTES.includes(text[start]!) && text[start] === text[end - 1]) {
    start++;
    end--;
  }
  return text.slice(start, end).trim();
}

const INTO = new Set(['in/on', 'into', 'onto', 'in', 'on', 'to']);

/** `put X in Y` as `move X to Y`: the first of the words between two others. */
function asMove(text: string): string | undefined {
  const words = text.split(' ');
  const at = words.findIndex((word, i) => i >= 2 && i < words.length - 1 && INTO.has(word));
  return at < 0 ? undefined : `move ${words.slice(1, at).join(' ')} to ${words.slice(at + 1).join(' ')}`;
}

/** The insides of `<tag>…</tag>`, in order. */
function lastTagged(text: string, tag: string): string[] {
  const [open, close] = [`<${tag}>`, `</${tag}>`];
  const found: string[] = [];
  for (let from = text.indexOf(open); from >= 0; ) {
    const start = from + open.length;
    const end = text.indexOf(close, start);
    if (end < 0) break;
    found.push(text.slice(start, end));
    from = text.indexOf(open, end + close.length);
  }
  return found;
}

function fromToolCall(reply: string): string | undefined {
  for (const block of lastTagged(reply, 'tool_call').reverse()) {
    const action = actionField(parsed(block));
    if (action !== undefined) return action;
  }
  return undefined;
}

function actionField(call: Json | undefined): string | undefined {
  for (const name of ['parameters', 'arguments']) {
    const given = field(call, name);
    // Some servers hand the arguments over as JSON in a text.
    const args = typeof given === 'string' ? parsed(given) : given;
    for (const key of ['action', 'command']) {
      const action = field(args, key);
      if (typeof action === 'string') return action;
    }
  }
  return undefined;
}

const field = (value: Json | undefined, key: string): Json | undefined =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && Object.hasOwn(value, key)
    ? value[key]
    : undefined;

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function fromActionLine(reply: string): string | undefined {
  for (const line of linesFromTheEnd(reply)) {
    if (line.slice(0, 'action:'.length).toLowerCase() !== 'action:') continue;
    const action = line.slice('action:'.length).trim();
    if (action !== '') return action;
  }
  return undefined;
}

function lastLine(reply: string): string {
  for (const line of linesFromTheEnd(reply)) return line;
  return '';
}

/** Lines with something on them, trimmed. */
function* linesFromTheEnd(text: string): Generator<string> {
  for (let end = text.trimEnd().length; end >= 0; ) {
    const start = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1;
    const line = start < end ? text.slice(start, end).trim() : '';
    if (line !== '') yield line;
    end = start - 1;
  }
}

/** A task as the simulator writes it, and what can be wrong with it: nothing enters a pool whose answer cannot be known. */
import { z } from 'zod';
import { canonicalJson } from '../../core/content-id.ts';
import type { Call } from './data.ts';
import { isOfType, requiredOf } from './defects.ts';
import { type Grounding, groundingOf } from './grounding.ts';
import { holdsTag, type Prompt, type Segment, writeCall } from './prompt.ts';
import { listen } from './said.ts';
import type { Tool } from './tool-list.ts';

export interface WrittenTask {
  tools: Tool[];
  dialogue: Segment[];
  call: Call;
}

const MAX_TOOLS = 8;
const MAX_PARAMETERS = 12;
const MAX_SEGMENTS = 40;
/** The data's prompts have at most 5.7 thousand characters; the protocol's context is 4,096 tokens. */
const MAX_CHARACTERS = 8000;

/** One line of text: the format has no others, and its tags must be its own. */
const text = z
  .string()
  .transform((value) => value.replace(/\s+/g, ' ').trim())
  .refine((value) => value !== '', 'is empty')
  .refine((value) => !holdsTag(value), 'holds a tag of the format');

const name = z.string().regex(/^[A-Za-z]\w{0,63}$/, 'is no name');

const call = z.object({ name, parameters: z.record(name, text) });

const tool = z.object({
  name,
  description: text,
  parameters: z.record(
    name,
    z.object({ type: z.enum(['str', 'int', 'float', 'bool', 'list', 'list(str)']), description: text }),
  ),
});

const said = (kind: 'user' | 'response' | 'obs') =>
  z.strictObject({ [kind]: text }).transform((turn): Segment => ({ kind, text: turn[kind] as string }));

const segment = z.union(
  [
    said('user'),
    said('response'),
    said('obs'),
    z
      .strictObject({ tool_call: call })
      .transform((turn) => ({ kind: 'tool_call' as const, text: writeCall(turn.tool_call) })),
  ],
  'must be one of {"user"}, {"response"}, {"tool_call"}, {"obs"}, with text on one line and without tags',
);

const schema = z.object({
  tools: z.array(tool).min(1).max(MAX_TOOLS),
  dialogue: z.array(segment).min(1).max(MAX_SEGMENTS),
  call,
});

export function readWritten(value: unknown): WrittenTask | { problem: string } {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  return { problem: issue ? `${issue.path.join('.') || 'the task'}: ${issue.message}` : 'not a task' };
}

/** Why a well-formed task is not fair or not in the form of the data; undefined when nothing is wrong. */
export function problemWith({ tools, dialogue, call }: WrittenTask, seed: Prompt | undefined): string | undefined {
  if (new Set(tools.map((one) => one.name)).size < tools.length) return 'two tools have the same name';
  const crowded = tools.find((one) => Object.keys(one.parameters).length > MAX_PARAMETERS);
  if (crowded) return `${crowded.name} has more than ${MAX_PARAMETERS} parameters`;
  return (
    problemOfDialogue(dialogue, tools) ??
    problemOfCall(call, tools) ??
    ungrounded(call, tools, dialogue) ??
    givenAway(call, dialogue) ??
    (canonicalJson(dialogue) === canonicalJson(seed?.dialogue) ? 'the dialogue is the seed’s, unchanged' : undefined)
  );
}

function problemOfDialogue(dialogue: readonly Segment[], tools: readonly Tool[]): string | undefined {
  if (dialogue[0]?.kind !== 'user') return 'the user does not speak first';
  if (dialogue.reduce((sum, turn) => sum + turn.text.length, 0) > MAX_CHARACTERS) return 'the dialogue is too long';
  for (const [i, { kind, text }] of dialogue.entries()) {
    if (kind === 'tool_call' && dialogue[i + 1]?.kind !== 'obs') return 'a call in the dialogue has no "obs" after it';
    if (kind === 'obs' && dialogue[i - 1]?.kind !== 'tool_call') return 'an "obs" has no call before it';
    const problem = kind === 'tool_call' ? unknownIn(JSON.parse(text) as Call, tools) : undefined;
    if (problem) return `a call in the dialogue is wrong: ${problem}`;
  }
  return undefined;
}

function unknownIn(call: Call, tools: readonly Tool[]): string | undefined {
  const called = tools.find((one) => one.name === call.name);
  if (!called) return `the tool ${call.name} is not on the list`;
  const unknown = Object.keys(call.parameters).find((key) => !Object.hasOwn(called.parameters, key));
  return unknown === undefined ? undefined : `${call.name} has no parameter ${unknown}`;
}

function problemOfCall(call: Call, tools: readonly Tool[]): string | undefined {
  const unknown = unknownIn(call, tools);
  if (unknown) return unknown;
  const called = tools.find((one) => one.name === call.name)!;
  const missing = requiredOf(called).find((key) => !Object.hasOwn(call.parameters, key));
  if (missing !== undefined) return `the call lacks ${missing}`;
  for (const [key, value] of Object.entries(call.parameters)) {
    const { type } = called.parameters[key]!;
    if (!isOfType(value, type)) return `${key} is not how a value of type ${type} is written: ${quoted(value)}`;
  }
  return undefined;
}

const MEANING: Record<Exclude<Grounding, 'said'>, string> = {
  spelledOtherwise: 'is in the dialogue only in other letters',
  yearNotSaid: 'has a year that nobody mentions',
  notSaid: 'is not in the dialogue',
};

function ungrounded(call: Call, tools: readonly Tool[], dialogue: readonly Segment[]): string | undefined {
  const called = tools.find((one) => one.name === call.name)!;
  const texts = dialogue.map((turn) => turn.text);
  for (const [key, value] of Object.entries(call.parameters)) {
    const { type, description } = called.parameters[key]!;
    const grounding = groundingOf(value, type, listen([...texts, description]));
    if (grounding !== 'said') return `${key} ${MEANING[grounding]}: ${quoted(value)}`;
  }
  return undefined;
}

/** A call that can be copied whole teaches nothing. */
function givenAway(call: Call, dialogue: readonly Segment[]): string | undefined {
  const wanted = canonicalJson(call);
  for (const { kind, text } of dialogue) {
    if (kind === 'tool_call' && canonicalJson(JSON.parse(text)) === wanted)
      return 'the call was made in the dialogue already';
    if (kind !== 'tool_call' && text.includes('"parameters"')) return 'a call is spelled out in the dialogue';
  }
  return undefined;
}

const quoted = (value: string): string => JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);

/** `genenv show <run> <task>/<epoch>/<index>`: one rollout, turn by turn, and how it was judged. */

import { align, type Pair } from '../core/align.ts';
import { canonicalJson } from '../core/content-id.ts';
import type { EvalSpec, Group, Json, ToolCall, Trace } from '../core/types.ts';
import type { RunReader } from '../store/index.ts';
import { UsageError } from './errors.ts';
import { type Field, fields } from './fields.ts';
import { counted } from './format.ts';
import { meanLogprob, tokenCount, tokenLine } from './log-probs.ts';
import { callText, excerpt, messageFields, messageText } from './messages.ts';
import { command, nextSteps } from './next-step.ts';
import { paint, say, sayJson, terminalWidth } from './say.ts';
import { targetLines } from './show-task.ts';
import { type Column, table } from './table.ts';
import { findTaskId, type Place, type Wanted } from './task-lookup.ts';
import { visible } from './visible.ts';

export function showTrace(reader: RunReader, wanted: Extract<Wanted, { kind: 'trace' }>, place: Place): void {
  const taskId = findTaskId(reader, wanted.task, place);
  const { group, trace } = findTrace(reader, taskId, wanted, place);
  const { epoch, role, task } = group;
  if (place.json) {
    const { turns } = trace;
    const messages = trace.messages.map(({ tokens: _, ...message }) => message);
    const sizes = { tokens: tokenCount(turns), meanLogprob: meanLogprob(turns) };
    sayJson({ run: place.run, epoch, role, ...trace, messages, ...sizes, task });
    return;
  }
  const width = terminalWidth();
  const others = group.traces.filter(({ index }) => index !== trace.index);
  const next = others.find(({ success }) => success !== trace.success) ?? others[0];
  const prefix = `${taskId}/${epoch}/${wanted.role === undefined ? '' : `${role}/`}`;
  say(
    '',
    `  ${paint('bold', `${prefix}${trace.index}`)}   ${role} · ${visible(trace.policy)} · ${visible(place.run)}`,
    '',
    ...fields([...messageFields(task.prompt, MESSAGE_LINES), ...conversation(trace)], width),
    '',
    ...comparison(trace, task.eval, width),
    '',
    ...fields(judgement(trace), width),
    ...nextSteps(
      ...(next ? [[command(place, 'show', place.run, `${prefix}${next.index}`), contrast(next)] as const] : []),
      [command(place, 'show', place.run, taskId), 'the task it is an attempt at'],
    ),
  );
}

const MESSAGE_LINES = 60;

const contrast = ({ success }: Trace) => `one that ${success ? 'succeeded' : 'failed'}`;

function findTrace(
  reader: RunReader,
  taskId: string,
  { epoch, role, index }: Extract<Wanted, { kind: 'trace' }>,
  place: Place,
): { group: Group; trace: Trace } {
  const group = reader.group(epoch, taskId, role);
  const trace = group?.traces.find((one) => one.index === index);
  if (group && trace) return { group, trace };
  const see = `See when it was: ${command(place, 'show', place.run, taskId)}`;
  throw new UsageError(
    group
      ? `Task ${taskId} has rollouts 0 to ${group.traces.length - 1} in epoch ${epoch}; there is no ${index}.`
      : `Task ${taskId} was not attempted in epoch ${epoch}${role === undefined ? '' : ` as ${role}`}. ${see}`,
  );
}

/** The agent's messages with what each cost; observations between them. */
function conversation({ messages, turns }: Trace): Field[] {
  let turn = 0;
  return messages.map((message): Field => {
    const text = messageText(message, MESSAGE_LINES);
    if (message.role !== 'assistant') return [message.role, text];
    const spoken = turns[turn++];
    return [message.role, spoken ? [...text, `(${tokenLine([spoken])})`] : text];
  });
}

/** What was answered beside what was asked for. */
function comparison({ answer }: Trace, spec: EvalSpec, width: number): string[] {
  if (spec.kind !== 'toolCalls') {
    const said =
      answer === null ? ['none'] : excerpt(typeof answer === 'string' ? answer : JSON.stringify(answer), MESSAGE_LINES);
    return fields(
      [
        ['answer', said],
        ['judged by', targetLines(spec)],
      ],
      width,
    );
  }
  const same = (a: ToolCall, b: ToolCall) => canonicalJson(a) === canonicalJson(b);
  const rows = align(callsIn(answer), spec.target, same);
  const isShared = ({ left, right }: Pair<ToolCall>) => left !== undefined && right !== undefined && same(left, right);
  const text = (call: ToolCall | undefined) => (call ? callText(call) : '');
  const half = Math.floor((width - 8) / 2);
  const columns: Column<Pair<ToolCall>>[] = [
    { title: 'answer', cell: ({ left }) => text(left), shrinkTo: half },
    {
      title: '',
      cell: (pair) => (isShared(pair) ? '=' : '≠'),
      paint: (cell, pair) => paint(isShared(pair) ? 'green' : 'red', cell),
    },
    {
      title: spec.order === 'any' ? 'target, in any order' : 'target',
      cell: ({ right }) => text(right),
      shrinkTo: half,
    },
  ];
  return table(columns, rows, width);
}

/** An answer to a task of calls is a list of them, or nothing. */
function callsIn(answer: Json): ToolCall[] {
  return Array.isArray(answer) ? (answer as unknown as ToolCall[]) : [];
}

function judgement(trace: Trace): Field[] {
  const { success, valid, reward, stop, error, turns } = trace;
  const verdict = valid ? (success ? 'solved' : 'not solved') : 'not evaluable, so left out of p̂ and of both updates';
  return [
    ['verdict', [`${verdict} · reward ${Number(reward.toFixed(4))} · stopped by ${stop}`]],
    ['error', error === undefined ? [] : excerpt(error, 10)],
    ['written', [`${tokenLine(turns)}, in ${counted(turns.length, 'turn')}`]],
  ];
}

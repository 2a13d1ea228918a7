/** A request that comes as a JSON task, with the calls its author thinks it asks for: what general language models write. */
import { z } from 'zod';
import type { TaskDraft } from '../../core/benchmark.ts';
import { canonicalJson } from '../../core/content-id.ts';
import type { Json, ToolCall } from '../../core/types.ts';
import { interpret } from './interpret.ts';
import { read } from './read.ts';
import type { Request } from './request.ts';
import { draftOf } from './tasks.ts';
import { WORLDS } from './world.ts';

/** No request has one. */
export const looksLikeJson = (text: string): boolean => text.includes('{');

/** The request's own task: its tools and spelling are the world's, so that no request is two tasks. */
export function readJsonTask(text: string): TaskDraft | { problem: string } {
  const parsed = schema.safeParse(parse(text));
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    return { problem: path.length > 0 ? `${path.join('.')}: ${message}` : message };
  }
  const { prompt, eval: spec } = parsed.data;
  const asked = prompt.findLast(({ role }) => role === 'user');
  if (!asked) return { problem: 'prompt: no message of the user' };
  const request = read(asked.content);
  if ('problem' in request) return { problem: `prompt: ${request.problem}` };
  const draft = draftOf(request);
  if ('problem' in draft) return { problem: `prompt: ${draft.problem}` };
  const problem = difference(spec.target, draft.eval, request);
  return problem === undefined ? draft : { problem };
}

const call = z
  .object({ name: z.string(), args: z.unknown().optional(), arguments: z.unknown().optional() })
  .transform(({ name, args, arguments: spelledOut }) => ({ name, args: args ?? spelledOut ?? {} }));

const message = z.object({ role: z.string(), content: z.string() });

/** Only what the author decides; `tools` may be listed, and are always those of the world. */
const schema = z.object(
  {
    prompt: z.union([z.array(message), z.string().transform((content) => [{ role: 'user', content }])], {
      error: 'expected a request, or messages that end with one',
    }),
    eval: z.object({ kind: z.literal('toolCalls'), target: z.array(call) }, { error: 'expected {kind, target}' }),
  },
  { error: 'not JSON: expected {"prompt", "tools", "eval"}' },
);

/** What is between the first and the last brace: some put their JSON in a fence, or words around it. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  } catch {
    return undefined;
  }
}

type Calls = readonly { name: string; args: unknown }[];

/** Where the author's calls are not what the request asks for. Nobody can know the world's answers: any will do. */
function difference(written: Calls, spec: TaskDraft['eval'], request: Request): string | undefined {
  const targets = WORLDS.map((world) => interpret(request, world)).flatMap((plan) =>
    'calls' in plan ? [plan.calls] : [],
  );
  const same = (target: readonly ToolCall[]) => firstDifference(written, target) === undefined;
  if (targets.some(same) || spec.kind !== 'toolCalls') return undefined;
  return firstDifference(written, spec.target);
}

function firstDifference(written: Calls, target: readonly ToolCall[]): string | undefined {
  for (const [i, wanted] of target.entries()) {
    const got = written[i];
    const asks = `the request asks for ${canonicalJson(wanted)}`;
    if (!got) return `eval.target ends after ${count(i)}, but then ${asks}`;
    if (canonicalJson(got) !== canonicalJson(wanted)) return `eval.target.${i} is ${clip(got as Json)}, but ${asks}`;
  }
  if (written.length === target.length) return undefined;
  return `eval.target has ${count(written.length)}, but the request asks for ${target.length}`;
}

const count = (calls: number) => (calls === 1 ? '1 call' : `${calls} calls`);

function clip(value: Json): string {
  const text = canonicalJson(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

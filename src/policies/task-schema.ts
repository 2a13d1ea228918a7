/** A task as people and models write it in JSON: seed files, generated tasks. Strict about types, clear about what is wrong. */
import { z } from 'zod';
import type { TaskDraft } from '../core/benchmark.ts';
import type { Json, JsonObject } from '../core/types.ts';

/** What is read comes out of JSON.parse, so its depths are JSON already: walking them again would only cost time. */
const json = z.custom<Json>((value) => value !== undefined, 'missing');
const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be a JSON object',
);

const toolCall = z
  .object({ name: z.string().min(1), args: jsonObject.optional(), arguments: jsonObject.optional() })
  .transform(({ name, args, arguments: spelledOut }) => ({ name, args: args ?? spelledOut ?? {} }));

const message = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string(),
  toolCalls: z.array(toolCall).optional(),
});

const toolSpec = z.object({
  name: z.string().min(1),
  description: z.string().default(''),
  parameters: jsonObject.default({ type: 'object' }),
});

const evalSpec = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('toolCalls'), target: z.array(toolCall), order: z.enum(['exact', 'any']).optional() }),
  z.object({ kind: z.literal('json'), target: json }),
  z.object({
    kind: z.literal('text'),
    target: z.string().min(1),
    metric: z.enum(['exact', 'f1', 'rougeL']).default('f1'),
  }),
  z.object({ kind: z.literal('script'), source: z.string() }),
  z.object({ kind: z.literal('world'), world: z.string(), goal: json }),
]);

/** `prompt` may be one string, the user's message. */
const prompt = z
  .union([z.string().min(1), z.array(message).min(1)])
  .transform((p) => (typeof p === 'string' ? [{ role: 'user' as const, content: p }] : p));

const taskSchema: z.ZodType<TaskDraft> = z.object({
  prompt,
  tools: z.array(toolSpec).default([]),
  eval: evalSpec,
  features: z.record(z.string(), z.number()).optional(),
}) as unknown as z.ZodType<TaskDraft>; // zod types optional fields as T | undefined; the parsed value omits them.

export function readDraft(value: unknown): { draft: TaskDraft } | { problem: string } {
  const read = taskSchema.safeParse(value);
  return read.success ? { draft: read.data } : { problem: firstProblem(read.error) };
}

/** The first problem, with its path: enough for a reason on record. */
function firstProblem(error: z.ZodError): string {
  const [issue] = error.issues;
  if (!issue) return 'not a task';
  return issue.path.length > 0 ? `${issue.path.join('.')}: ${issue.message}` : issue.message;
}

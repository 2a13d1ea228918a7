/** What can be asked in a URL, checked: numbers in range, words from a list, texts of a sane length. */
import { z } from 'zod';
import type { RejectReason, Role } from '../core/types.ts';
import type { RejectionFilter, TaskFilter } from '../store/index.ts';

/** A question that makes no sense, with what is wrong with it. */
export class BadQuestion extends Error {
  override readonly name = 'BadQuestion';
}

/** As they come: absent and empty mean the same, because that is what a cleared field sends. */
export type Asked = Readonly<Record<string, string | undefined>>;

const given = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

const whole = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const share = z.coerce.number().min(0).max(1);
const text = z.string().max(500);
const ROLES = ['fresh', 'base', 'replay', 'fixed', 'validation', 'test'] as const satisfies readonly Role[];
const REASONS = [
  'empty',
  'tooLong',
  'truncated',
  'controlCharacters',
  'notJson',
  'schema',
  'unsupportedChecker',
  'copy',
  'duplicate',
  'benchmark',
  'banned',
  'error',
] as const satisfies readonly RejectReason[];

const PAGE = { before: given(whole), limit: given(z.coerce.number().int().min(1).max(500)) };

const TASKS = z.object({
  search: given(text),
  origin: given(z.enum(['base', 'validation', 'test', 'generated', 'teacher'])),
  epoch: given(whole),
  verdict: given(z.enum(['kept', 'filtered', 'quarantined', 'unjudged'])),
  from: given(share),
  to: given(share),
  structure: given(text),
  ...PAGE,
});

const REJECTIONS = z.object({ search: given(text), reason: given(z.enum(REASONS)), epoch: given(whole), ...PAGE });

const ROLLOUTS = z.object({ epoch: given(whole), role: given(z.enum(ROLES)) });

const BATCHES = z.object({ after: given(whole) });

export const askTasks = (asked: Asked): TaskFilter => read(TASKS, asked);
export const askRejections = (asked: Asked): RejectionFilter => read(REJECTIONS, asked);
export const askRollouts = (asked: Asked): { epoch?: number | undefined; role?: Role | undefined } =>
  read(ROLLOUTS, asked);
export const askBatches = (asked: Asked): { after?: number | undefined } => read(BATCHES, asked);
export const askEpoch = (text: string): number => read(z.object({ epoch: whole }), { epoch: text }).epoch;
export const askKey = (text: string | undefined): string =>
  read(z.object({ key: z.string().min(1).max(200) }), { key: text }).key;

function read<T>(schema: z.ZodType<T>, asked: Asked): T {
  const result = schema.safeParse(asked);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new BadQuestion(`${issue?.path.join('.') || 'The question'}: ${issue?.message ?? 'not understood'}`);
}

/** Token ids and log-probs of one choice, from the several places where servers put them. */
import { asRecord } from './status.ts';

export interface TokenFacts {
  ids?: Int32Array;
  logprobs?: Float32Array;
  /** How many tokens there are, where anything of the above tells. */
  count?: number;
  /** What is wrong with what was given. */
  problem?: string;
}

/**
 * Ids: `token_ids` (vLLM), `id` beside each log-prob (llama.cpp), or `token_id:123` for its text (vLLM with
 * return_tokens_as_token_ids). Log-probs: `logprobs.content[].logprob` (chat) or `logprobs.token_logprobs` (completions).
 */
export function tokenFacts(choice: Record<string, unknown>): TokenFacts {
  const logprobs = asRecord(choice.logprobs);
  const content = Array.isArray(logprobs?.content) ? logprobs.content : undefined;
  const entries = content?.map(asRecord);
  const values = entries ? entries.map((entry) => entry?.logprob) : asArray(logprobs?.token_logprobs);
  const ids = idsIn(choice.token_ids) ?? (entries ? idsOf(entries) : namedIds(asArray(logprobs?.tokens)));
  const facts: TokenFacts = {};
  if (ids) facts.ids = ids;
  const count = ids?.length ?? values?.length;
  if (count !== undefined) facts.count = count;
  if (!values || (values.length === 0 && !ids?.length)) return facts;
  if (values.length !== count) return { ...facts, problem: `${values.length} log-probs for ${count} tokens` };
  const read = readLogprobs(values);
  return read ? { ...facts, logprobs: read } : { ...facts, problem: 'log-probs that are no log-probs' };
}

/** The ids of a prompt, where a server tells. */
export const idsIn = (value: unknown): Int32Array | undefined => {
  if (!Array.isArray(value) || !value.every(isId)) return undefined;
  return Int32Array.from(value);
};

function idsOf(entries: readonly (Record<string, unknown> | undefined)[]): Int32Array | undefined {
  if (entries.length === 0) return undefined;
  return entries.every((entry) => isId(entry?.id))
    ? Int32Array.from(entries, (entry) => entry!.id as number)
    : namedIds(entries.map((entry) => entry?.token));
}

const PREFIX = 'token_id:';

function namedIds(names: readonly unknown[] | undefined): Int32Array | undefined {
  if (!names?.length || typeof names[0] !== 'string' || !names[0].startsWith(PREFIX)) return undefined;
  const ids = names.map((name) =>
    typeof name === 'string' && name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length)) : -1,
  );
  return ids.every(isId) ? Int32Array.from(ids) : undefined;
}

const isId = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31;

/** Rounding may lift a certainty a little above 0. */
const ABOVE_ZERO = 1e-3;

function readLogprobs(values: readonly unknown[]): Float32Array | undefined {
  const read = new Float32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (typeof value !== 'number' || !(value <= ABOVE_ZERO) || value === Number.NEGATIVE_INFINITY) return undefined;
    read[i] = Math.min(0, value);
  }
  return read;
}

const asArray = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined);

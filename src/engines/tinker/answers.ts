/** What servers send, read with suspicion: anything that cannot be right is a badAnswer with its place and its number. */
import type { Sample } from '../../core/engine.ts';
import { Fault } from './fault.ts';

const bad = (what: string): never => {
  throw new Fault('badAnswer', what);
};

const fields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Numbers as JSON or protobuf bring them. */
const listOf = (value: unknown): ArrayLike<unknown> | undefined =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && 'length' in value) ? (value as ArrayLike<unknown>) : undefined;

export const readNothing = (): void => {};

export function readModelId(result: unknown): string {
  const { model_id } = fields(result);
  return typeof model_id === 'string' ? model_id : bad('create_model gave no model_id');
}

export interface Saved {
  path: string;
  /** Of what was saved, where the server tells. */
  sha256: string | undefined;
}

export function readSaved(result: unknown): Saved {
  const { path, sha256 } = fields(result);
  if (typeof path !== 'string' || !path.startsWith('tinker://')) return bad('save_weights gave no tinker:// path');
  return { path, sha256: typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256) ? sha256 : undefined };
}

export function readPublished(result: unknown): { sessionId?: string; path?: string } {
  const { sampling_session_id: sessionId, path } = fields(result);
  if (typeof sessionId === 'string') return { sessionId };
  if (typeof path === 'string') return { path };
  return bad('save_weights_for_sampler gave neither a session nor a path');
}

/** Metric names carry their reducer after a colon; servers differ in the rest. */
export function readMetrics(result: unknown): Record<string, number> {
  const metrics: Record<string, number> = {};
  for (const [key, value] of Object.entries(fields(fields(result).metrics))) {
    if (typeof value === 'number') metrics[key.split(':')[0]!.split('/').at(-1)!] = value;
  }
  return metrics;
}

/** Log-probs of each sequence's targets: as many as asked for, and numbers wherever the mask says they count. */
export const readLogprobs =
  (masks: readonly ArrayLike<number>[]) =>
  (result: unknown): Float32Array[] => {
    const outputs = fields(result).loss_fn_outputs;
    if (!Array.isArray(outputs)) return bad('a training result without loss_fn_outputs');
    if (outputs.length !== masks.length) return bad(`${outputs.length} outputs for ${masks.length} sequences`);
    return masks.map((mask, i) => {
      const data = listOf(fields(fields(outputs[i]).logprobs).data);
      if (!data) return bad(`sequence ${i} came back without log-probs`);
      if (data.length !== mask.length)
        return bad(`sequence ${i} has ${mask.length} targets and ${data.length} log-probs`);
      const logprobs = new Float32Array(mask.length);
      for (let t = 0; t < mask.length; t++) {
        const value: unknown = data[t];
        if (mask[t] === 0) continue;
        if (typeof value !== 'number' || !Number.isFinite(value)) {
          return bad(`the log-prob of target ${t} of sequence ${i} is ${value === null ? 'NaN' : String(value)}`);
        }
        logprobs[t] = value;
      }
      return logprobs;
    });
  };

export type RawSample = Omit<Sample, 'text'>;

export const readSamples =
  (count: number, maxTokens: number) =>
  (result: unknown): RawSample[] => {
    const { sequences } = fields(result);
    if (!Array.isArray(sequences)) return bad('a sampling result without sequences');
    if (sequences.length !== count) return bad(`${sequences.length} samples came where ${count} were asked for`);
    return sequences.map((sequence, i) => readSequence(fields(sequence), i, maxTokens));
  };

function readSequence({ stop_reason, tokens, logprobs }: Record<string, unknown>, i: number, most: number): RawSample {
  if (stop_reason !== 'stop' && stop_reason !== 'length') return bad(`sample ${i} ended for ${quoted(stop_reason)}`);
  const ids = Array.from(listOf(tokens) ?? [Number.NaN], Number);
  if (!ids.every((id) => Number.isInteger(id) && id >= 0)) return bad(`the tokens of sample ${i} are no ids`);
  // Some servers count the id that ends a turn, some do not.
  if (ids.length > most + 1) return bad(`sample ${i} has ${ids.length} tokens where at most ${most} were asked for`);
  const list = listOf(logprobs);
  if (!list) return bad(`sample ${i} came without log-probs`);
  const values = Array.from(list);
  if (values.length !== ids.length) return bad(`sample ${i} has ${ids.length} tokens and ${values.length} log-probs`);
  const wrong = values.findIndex((value) => typeof value !== 'number' || !(value <= 1e-3 && value > -Infinity));
  if (wrong !== -1) return bad(`the log-prob of token ${wrong} of sample ${i} is ${values[wrong] ?? 'NaN'}`);
  return { tokens: Int32Array.from(ids), logprobs: Float32Array.from(values, Number), stop: stop_reason };
}

const quoted = (reason: unknown) =>
  typeof reason === 'string' ? `the unknown reason ${JSON.stringify(reason.slice(0, 40))}` : 'no reason given';

/** One entry a prompt token after the first: P − 1 of them, or P with nothing at the first. */
export function readPromptLogprobs(result: unknown, prompt: number): 'full' | 'shifted' | 'none' {
  const list = listOf(fields(result).prompt_logprobs);
  if (!list) return 'none';
  const numbers = Array.from(list).filter((value) => typeof value === 'number' && !Number.isNaN(value)).length;
  if (list.length === prompt && numbers >= prompt - 1) return 'full';
  return list.length === prompt - 1 && numbers === prompt - 1 ? 'shifted' : 'none';
}

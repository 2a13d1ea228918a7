/** asample: from the wire's request to an engine's, and back. */
import type { SampleRequest } from '../wire/messages.ts';
import type { Outcome } from './futures.ts';
import type { HostBase, HostSampler } from './host.ts';
import { tokensOf } from './loss-data.ts';
import { Refusal } from './refusal.ts';

/** Checks the request; what it returns carries it out. */
export function sampleWith(
  request: SampleRequest,
  { config, end }: HostBase,
  seed: number,
): (held: HostSampler, signal: AbortSignal) => Promise<Outcome> {
  const { max_tokens, stop, temperature = 1, top_k = -1, top_p = 1 } = request.sampling_params;
  const prompt = tokensOf(request.prompt);
  if (prompt.length === 0) throw new Refusal(400, 'The prompt is empty: there is nothing to continue.');
  if (prompt.length > config.context)
    throw new Refusal(
      400,
      `The prompt has ${prompt.length} tokens, and the context of this model is ${config.context}.`,
    );
  const strange = prompt.find((id) => id < 0 || id >= config.vocabulary);
  if (strange !== undefined)
    throw new Refusal(400, `Token ${strange} of the prompt is outside the vocabulary of ${config.vocabulary}.`);
  // A prompt that fills the context can still be scored.
  const room = config.context - prompt.length;
  const maxTokens = Math.min(max_tokens ?? room, room);
  return async (held, signal) => {
    const rows =
      maxTokens === 0
        ? Array.from({ length: request.num_samples }, () => NOTHING)
        : await held.sample({
            prompt,
            n: request.num_samples,
            maxTokens,
            temperature,
            seed,
            ...stopRule(stop, end),
            ...(top_k > 0 ? { topK: top_k } : {}),
            ...(top_p < 1 ? { topP: top_p } : {}),
            signal,
          });
    const sequences = rows.map(({ tokens, logprobs, stop: stop_reason }) => ({ stop_reason, tokens, logprobs }));
    if (!request.prompt_logprobs) return { kind: 'sample', value: { sequences } };
    const prompt_logprobs = new Float32Array(prompt.length).fill(Number.NaN);
    if (prompt.length > 1) prompt_logprobs.set(await held.logprobs(prompt, signal), 1);
    return { kind: 'sample', value: { sequences, prompt_logprobs } };
  };
}

const NOTHING = { tokens: new Int32Array(), logprobs: new Float32Array(), stop: 'length' as const };

/** Without a word about it, and beside stop strings, the end of the turn stops; ids stop alone, and an empty list nothing. */
function stopRule(
  stop: SampleRequest['sampling_params']['stop'],
  end: number,
): { stopTokens: readonly number[]; stopStrings?: readonly string[] } {
  if (stop == null) return { stopTokens: [end] };
  const list = typeof stop === 'string' ? [stop] : stop;
  if (list.every((one) => typeof one === 'number')) return { stopTokens: list };
  return { stopTokens: [end], stopStrings: list as readonly string[] };
}

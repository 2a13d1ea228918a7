/** A published version of an adapter to sample from, found again where the server forgot it. */
import type { Completion, Sample, Sampler } from '../../core/engine.ts';
import type { Adapter } from './adapter.ts';
import { type RawSample, readSamples } from './answers.ts';
import { Fault } from './fault.ts';
import type { Profile } from './profile.ts';
import type { Asking, Server } from './server.ts';
import type { ChatTokens } from './settings.ts';

export interface SamplerParts {
  server: Server;
  adapter: Adapter;
  chat: ChatTokens;
  profile: Pick<Profile, 'snapshots' | 'several' | 'wideSeeds'>;
}

/** Times one request is sent before it counts as failed. */
const MOST_TRIES = 4;
/** Failed requests without one that went well in between: then it is the server, not the request. */
const MOST_FAILED = 3;

/** Publishes the adapter as it is now. */
export async function publish(parts: SamplerParts, version: string): Promise<Sampler> {
  const sampler = samplerOf(parts, version);
  await sampler.ready();
  return sampler;
}

export function samplerOf(parts: SamplerParts, version: string): Sampler & { ready(): Promise<unknown> } {
  const { server, adapter, chat, profile } = parts;
  const weights = adapter.version;
  let opening: Promise<string> | undefined;
  let requests = 0;
  let failed = 0;

  const open = (asking: Asking): Promise<string> => {
    if (adapter.version !== weights && (opening === undefined || profile.snapshots !== 'kept')) {
      throw new Error(`Version ${version} is gone: its model has been trained further. Publish it again.`);
    }
    opening ??= adapter.publish(asking.signal).catch((error) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };

  const ask = async (body: object, n: number, maxTokens: number, asking: Asking): Promise<RawSample[]> => {
    for (let tries = 1; ; tries++) {
      const asked = open(asking);
      const sampling_session_id = await asked;
      try {
        const ids = { sampling_session_id, seq_id: requests++, num_samples: n, type: 'sample' };
        const samples = await server.future('asample', { ...ids, ...body }, readSamples(n, maxTokens), asking);
        failed = 0;
        return samples;
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        if (error.kind === 'lost') {
          // Whoever notices first has it published again; the others wait for the same.
          if (opening === asked) opening = undefined;
        } else if (error.kind === 'refused') throw asReason(server, error);
        else if (error.kind !== 'failed' && error.kind !== 'badAnswer') throw server.stopped(error);
        if (tries >= MOST_TRIES) throw ++failed < MOST_FAILED ? asReason(server, error) : server.stopped(error);
        await server.pause(tries, asking);
      }
    }
  };

  return {
    version,
    ready: () => open({}),
    async sample({ messages, tools, n, maxTokens, temperature, topP, topK, stop, seed, signal }): Promise<Completion> {
      if (stop && stop.length > 0)
        throw new TypeError('A Tinker server stops on token ids; stop strings are not sent.');
      const prompt = chat.prompt(messages, tools);
      const body = (seedOfIt: number) => ({
        prompt: { chunks: [{ type: 'encoded_text', tokens: Array.from(prompt) }] },
        sampling_params: {
          max_tokens: maxTokens,
          // Some room is left to servers that count on from it.
          seed: profile.wideSeeds ? seedOfIt : seedOfIt >>> 2,
          stop: chat.stops,
          temperature,
          top_k: topK ?? -1,
          top_p: topP ?? 1,
        },
      });
      const asking = { signal };
      const raw =
        profile.several || n === 1
          ? await ask(body(seed), n, maxTokens, asking)
          : (
              await Promise.all(
                Array.from({ length: n }, (_, i) => ask(body((seed + i * 0x9e3779b1) >>> 0), 1, maxTokens, asking)),
              )
            ).flat();
      return { prompt, samples: raw.map((sample) => ({ ...wordsOf(sample, chat), ...sample })) };
    },
  };
}

/** Without thoughts and what ended it. The ids keep both: the model must learn to write them. */
function wordsOf({ tokens }: RawSample, chat: ChatTokens): Pick<Sample, 'text' | 'toolCalls'> {
  const { rest: text, calls, malformed } = chat.read(tokens);
  return calls.length > 0 && malformed === undefined ? { text, toolCalls: calls } : { text };
}

/** What is wrong with one request, a prompt that is too long perhaps, is the request's trouble alone. */
const asReason = (server: Server, fault: Fault) => new Error(`The server ${server.url}: ${fault.message}`);

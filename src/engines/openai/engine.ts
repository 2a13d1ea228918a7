/** The openai engine: samples from any server that speaks OpenAI's protocol. It cannot train, and says so in its type. */
import type { SamplingEngine } from '../../core/engine.ts';
import { type ClientParts, openClient } from './client.ts';
import { describeCapabilities } from './describe.ts';
import { type Capabilities, probeWith } from './probe.ts';
import { serverSampler } from './sampler.ts';
import { type OpenAiOptions, withDefaults } from './settings.ts';
import { meter, type Usage } from './usage.ts';

export interface OpenAiEngine extends SamplingEngine {
  readonly capabilities: Capabilities;
  /** The capabilities as a table. */
  describe(): string;
  /** Requests, tokens and cost so far, the probe's few tokens aside. */
  usage(): Usage;
  /** Requests in flight, waiting, and allowed at the moment. */
  load(): { inFlight: number; waiting: number; limit: number };
}

/**
 * Probes the server and opens it for sampling.
 * @throws EngineStopped where it is not there, refuses the key or does not know the model.
 */
export async function openAiEngine(options: OpenAiOptions, parts: ClientParts = {}): Promise<OpenAiEngine> {
  const settings = withDefaults(options);
  const client = openClient(settings, parts);
  let capabilities: Capabilities;
  try {
    capabilities = await probeWith(client, settings);
  } catch (error) {
    await client[Symbol.asyncDispose]();
    throw error;
  }
  const totals = meter(settings);
  const sampler = serverSampler({ client, settings, dialect: { ...capabilities.dialect }, meter: totals });
  return {
    name: 'openai',
    capabilities,
    describe: () => describeCapabilities(capabilities),
    usage: () => totals.usage(client.traffic),
    load() {
      const { inFlight, waiting, limit } = client.concurrency;
      return { inFlight, waiting, limit };
    },
    // One model plays whichever player is asked for.
    sampler: async () => sampler,
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

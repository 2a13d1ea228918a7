/**
 * What a server can do, found out by asking it a few tiny questions. Servers that call themselves compatible refuse,
 * ignore or lack different parts of the protocol, and say so nowhere.
 */
import { EngineStopped, type SampleRequest } from '../../core/engine.ts';
import { type Answer, readAnswer } from './answer.ts';
import { bodyOf, type Dialect } from './body.ts';
import { type Client, type ClientParts, openClient } from './client.ts';
import { type FaultKind, ServerFault, ServerStopped } from './fault.ts';
import { type OpenAiOptions, type OpenAiSettings, withDefaults } from './settings.ts';
import { asRecord } from './status.ts';

export const CAPABILITIES = [
  'models',
  'chat',
  'completions',
  'tools',
  'several',
  'logprobs',
  'tokenIds',
  'seed',
  'usage',
] as const;

export type CapabilityName = (typeof CAPABILITIES)[number];

export interface Finding {
  able: boolean;
  /** What was seen, or what the server said. */
  note: string;
}

export interface Capabilities {
  url: string;
  model: string;
  mode: OpenAiSettings['mode'];
  found: Record<CapabilityName, Finding>;
  /** How this server is spoken to from now on. */
  dialect: Dialect;
}

/** Probes a server without an engine around it. */
export async function probe(options: OpenAiOptions, parts?: ClientParts): Promise<Capabilities> {
  const settings = withDefaults(options);
  await using client = openClient(settings, parts);
  return await probeWith(client, settings);
}

const PLAIN: Dialect = {
  maxTokensField: 'max_tokens',
  several: false,
  seed: false,
  logprobs: false,
  tokenIds: false,
  tools: 'native',
};

const TOOL = {
  name: 'ring_bell',
  description: 'Rings the bell.',
  parameters: { type: 'object', properties: { times: { type: 'integer' } }, required: ['times'] },
};

const request = (content: string, more: Partial<SampleRequest> = {}): SampleRequest => ({
  messages: [{ role: 'user', content }],
  tools: [],
  n: 1,
  maxTokens: 8,
  temperature: 1,
  seed: 1,
  ...more,
});

/** @throws EngineStopped where the server is not there, refuses the key or does not know the model. */
export async function probeWith(client: Client, settings: OpenAiSettings): Promise<Capabilities> {
  const ask = (mode: OpenAiSettings['mode'], dialect: Dialect, wanted: SampleRequest) =>
    client.ask({
      path: PATHS[mode],
      body: bodyOf({ ...settings, mode }, dialect, wanted)(wanted.n, wanted.seed),
      read: (json) => ({ value: readAnswer(json, { ...wanted, logprobs: 'auto' }), tokens: wanted.maxTokens }),
      maxRetries: 2,
    });
  const { mode } = settings;
  const hello = request('Count from one to five.');

  const models = await listing(client, settings.model);
  const { dialect: plain, answer } = await firstWords(ask, mode, hello);
  const tried = <T>(question: Promise<T>, judge: (value: T) => Finding) => question.then(judge, refusal);
  const other = mode === 'chat' ? 'completions' : 'chat';
  const [otherMode, tools, several, logprobs, tokenIds, seed] = await Promise.all([
    tried(ask(other, plain, hello), () => yes()),
    tried(
      ask(mode, plain, request('Ring the bell twice.', { tools: [TOOL], maxTokens: 64 })),
      ({ samples: [first] }) => {
        if (mode === 'completions') return no('there are none at this endpoint, so they are written into the prompt');
        return yes(first?.toolCalls ? 'and calls come parsed' : 'accepted; the model called none when asked to');
      },
    ),
    tried(ask(mode, plain, { ...hello, n: 2 }), ({ samples }) =>
      samples.length === 2 ? yes() : no('accepted, but only one came'),
    ),
    tried(ask(mode, { ...plain, logprobs: true }, hello), ({ samples: [first] }) =>
      first?.logprobs.length ? yes() : no('accepted, but none came'),
    ),
    tried(ask(mode, { ...plain, tokenIds: true, logprobs: true }, hello), ({ samples: [first], prompt }) => {
      if (!first || first.tokens.length === 0 || first.tokens[0] === -1) return no('accepted, but none came');
      return yes(prompt.length > 0 ? 'of prompt and answer' : 'of the answer only');
    }),
    tried(
      Promise.all([ask(mode, { ...plain, seed: true }, hello), ask(mode, { ...plain, seed: true }, hello)]),
      ([a, b]) =>
        a.samples[0]?.text === b.samples[0]?.text ? yes('the same twice') : yes('accepted, but not the same twice'),
    ),
  ]);
  const found: Capabilities['found'] = {
    models,
    chat: mode === 'chat' ? yes() : otherMode,
    completions: mode === 'completions' ? yes() : otherMode,
    tools,
    several,
    logprobs,
    tokenIds,
    seed,
    usage: answer.count ? yes() : no('tokens are estimated from the length of texts'),
  };
  const { tools: wish, logprobs: wanted } = settings;
  const dialect: Dialect = {
    ...plain,
    several: several.able,
    seed: settings.seed && seed.able,
    logprobs: wanted === 'on' || (wanted === 'auto' && logprobs.able),
    tokenIds: tokenIds.able,
    tools: wish === 'auto' ? (tools.able ? 'native' : 'text') : wish,
  };
  return { url: settings.url, model: settings.model, mode, found, dialect };
}

export const PATHS = { chat: '/chat/completions', completions: '/completions' } as const;

const yes = (note = ''): Finding => ({ able: true, note });
const no = (note: string): Finding => ({ able: false, note });

/** Not what the server cannot do, but that it is not there: somebody must look, and waiting for it would look like hanging. */
const ABSENT: readonly FaultKind[] = ['unreachable', 'timeout', 'unavailable'];

/** What a server does not know it refuses in many ways. Anything that stops the engine but a missing page does so here too. */
function refusal(error: unknown): Finding {
  if (error instanceof ServerFault) {
    if (ABSENT.includes(error.kind)) throw new EngineStopped(`${error.message}. Is it running, and is url right?`);
    return no(error.message);
  }
  if (error instanceof ServerStopped && error.kind === 'notFound') return no(error.message);
  throw error;
}

/** Not every server lists its models, and not every list is complete; a wrong name shows at the first words. */
async function listing(client: Client, model: string): Promise<Finding> {
  const read = (json: unknown) => {
    const data = asRecord(json)?.data;
    const ids = Array.isArray(data) ? data.map((entry) => asRecord(entry)?.id) : [];
    return { value: ids.filter((id) => typeof id === 'string'), tokens: 0 };
  };
  try {
    const ids = await client.ask({ path: '/models', read, maxRetries: 2 });
    if (ids.includes(model)) return yes('and has this one');
    const shown = ids.slice(0, 5).join(', ');
    return ids.length === 0 ? no('the list is empty') : no(`it is not among ${shown}${ids.length > 5 ? ', …' : ''}`);
  } catch (error) {
    return refusal(error);
  }
}

/** Newer hosted models take the limit under another name, and say so when they meet the old one. */
async function firstWords(
  ask: (mode: OpenAiSettings['mode'], dialect: Dialect, wanted: SampleRequest) => Promise<Answer>,
  mode: OpenAiSettings['mode'],
  hello: SampleRequest,
): Promise<{ dialect: Dialect; answer: Answer }> {
  try {
    return { dialect: PLAIN, answer: await ask(mode, PLAIN, hello) };
  } catch (error) {
    if (!(error instanceof ServerFault)) throw error;
    if (!error.message.includes('max_completion_tokens')) throw new EngineStopped(error.message);
    const dialect: Dialect = { ...PLAIN, maxTokensField: 'max_completion_tokens' };
    return { dialect, answer: await ask(mode, dialect, hello) };
  }
}

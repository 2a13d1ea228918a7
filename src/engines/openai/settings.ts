/** What the engine is told about a server. Everything but its address and the model has a default. */

export interface OpenAiOptions {
  /** The server's address, with or without `/v1`. */
  url: string;
  model: string;
  /** Name of the environment variable that holds the key; the key itself is never written down. */
  keyEnv?: string;
  mode?: 'chat' | 'completions';
  /** Sent with every request. A value `$NAME` is read from that environment variable. */
  headers?: Readonly<Record<string, string>>;
  /** The longest one answer may take. */
  timeoutSeconds?: number;
  /** Attempts after the first, for faults that may pass. Waiting for a busy or absent server is not counted. */
  maxRetries?: number;
  /** How long a server may be down or busy before the engine gives up on it. */
  maxOutageSeconds?: number;
  /** Requests in flight: where the adaptive limit starts and ends. */
  startConcurrency?: number;
  maxConcurrency?: number;
  requestsPerSecond?: number;
  /** Price of a million tokens, in any currency. */
  inputPrice?: number;
  outputPrice?: number;
  /** `on` makes an answer without usable log-probs a failure, `auto` takes them where they come, `off` never asks. */
  logprobs?: 'on' | 'auto' | 'off';
  /** Whether requests carry a seed, where the server takes one. */
  seed?: boolean;
  /** `auto` shows tools to the server, or writes them into the prompt where it takes none. */
  tools?: 'auto' | 'native' | 'text';
  /** Further fields of every request body; null takes a field out. */
  extra?: Readonly<Record<string, unknown>>;
  /** The largest answer, in bytes. */
  maxAnswerBytes?: number;
}

export type OpenAiSettings = Required<Omit<OpenAiOptions, 'requestsPerSecond' | 'inputPrice' | 'outputPrice'>> &
  Pick<OpenAiOptions, 'requestsPerSecond' | 'inputPrice' | 'outputPrice'>;

export const DEFAULTS: Omit<OpenAiSettings, 'url' | 'model'> = {
  keyEnv: 'OPENAI_API_KEY',
  mode: 'chat',
  headers: {},
  timeoutSeconds: 600,
  maxRetries: 6,
  maxOutageSeconds: 300,
  startConcurrency: 32,
  maxConcurrency: 1024,
  logprobs: 'auto',
  seed: true,
  tools: 'auto',
  extra: {},
  maxAnswerBytes: 64 * 2 ** 20,
};

export function withDefaults(options: OpenAiOptions): OpenAiSettings {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const settings = { ...DEFAULTS, ...given } as OpenAiSettings; // Every key that is required has a default or was given.
  return { ...settings, url: baseUrl(options.url) };
}

/** `http://host:8000`, `…/v1` and `…/v1/` are the same server; another path is taken as it is. */
export function baseUrl(text: string): string {
  const url = new URL(text);
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path === '' ? '/v1' : path}`;
}

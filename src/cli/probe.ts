/** `genenv probe`: what a server can do, measured, before anything is trained on it. */
import { UsageError } from './errors.ts';
import { say, sayJson } from './say.ts';

export interface ProbeOptions {
  keyEnv?: string;
  model?: string;
  protocol?: 'tinker' | 'openai';
  rank: string;
  json?: boolean;
}

export async function probe(url: string, options: ProbeOptions): Promise<void> {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new UsageError(`"${url}" is no address. Give one such as http://localhost:8000.`);
  }
  const rank = Number(options.rank);
  if (!Number.isInteger(rank) || rank < 1 || rank > 4096) throw new UsageError('--rank takes a whole number from 1.');
  const protocol = options.protocol ?? ((await speaksTinker(url)) ? 'tinker' : 'openai');
  const { found, table } = protocol === 'tinker' ? await ofTinker(url, options, rank) : await ofOpenAi(url, options);
  if (options.json) sayJson({ protocol, ...found });
  else say(table);
}

/** Where nothing answers at all, the probe of the usual protocol says so better. */
async function speaksTinker(url: string): Promise<boolean> {
  const base = url.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
  // Without the key: it goes to a server only once it is known which.
  const answer = await fetch(`${base}/api/v1/healthz`, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  return answer === undefined || answer.ok || answer.status === 401 || answer.status === 403;
}

/** The outage a person at a terminal sits through. */
const PATIENCE_SECONDS = 20;

async function ofTinker(url: string, { keyEnv = 'TINKER_API_KEY', model }: ProbeOptions, rank: number) {
  const { describeProfile, probeServer } = await import('../engines/tinker/index.ts');
  const found = await probeServer({ url, keyEnv, maxOutageSeconds: PATIENCE_SECONDS }, { model, rank });
  return { found, table: describeProfile(found) };
}

async function ofOpenAi(url: string, { keyEnv = 'OPENAI_API_KEY', model }: ProbeOptions) {
  if (model === undefined)
    throw new UsageError('An OpenAI-compatible server is probed with a model: add --model NAME.');
  const { describeCapabilities, probe: probeOpenAi } = await import('../engines/openai/index.ts');
  const found = await probeOpenAi({ url, model, keyEnv });
  return { found, table: describeCapabilities(found) };
}

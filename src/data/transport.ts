/** The way out: through the proxies of the environment (HTTP_PROXY, HTTPS_PROXY, NO_PROXY), which Node's own fetch ignores. */
import { type Dispatcher, EnvHttpProxyAgent } from 'undici';

/** A connection that is silent for this long is taken for dead. */
const SILENCE_MS = 30_000;

export function openTransport(silenceMs: number = SILENCE_MS): Dispatcher {
  return new EnvHttpProxyAgent({
    bodyTimeout: silenceMs,
    headersTimeout: silenceMs,
    connectTimeout: silenceMs,
  });
}

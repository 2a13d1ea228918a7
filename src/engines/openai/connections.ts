/**
 * Connections that are kept alive, one request at a time on each. undici's own pool looks through all of its clients for
 * a free one, which is half the work with thousands in flight; here the free ones lie on a stack, the last used on top.
 */
import { buildConnector, Client, EnvHttpProxyAgent } from 'undici';
import { type ExchangeOptions, exchange } from './exchange.ts';
import { ServerFault } from './fault.ts';
import type { Environment } from './secrets.ts';
import type { HttpAnswer } from './status.ts';

export interface Connections extends AsyncDisposable {
  send(options: ExchangeOptions): Promise<HttpAnswer>;
}

/** Below the 5 s after which uvicorn, under vLLM and SGLang, hangs up on an idle connection. */
const KEEP_ALIVE_MS = 4000;
const CONNECT_MS = 10_000;

/** The exchange has its own clock, which also covers what these two would not. */
const NO_TIMEOUTS = { headersTimeout: 0, bodyTimeout: 0 };

export function openConnections(origin: string, env: Environment): Connections {
  const proxy = proxyFor(origin, env);
  return proxy ? throughProxy(proxy) : direct(origin);
}

/** What the environment says about proxies. One for the outside world does not know this machine, so never for loopback. */
function proxyFor(origin: string, env: Environment): EnvHttpProxyAgent.Options | undefined {
  const { protocol, hostname } = new URL(origin);
  if (hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')) return undefined;
  const httpProxy = env.http_proxy || env.HTTP_PROXY;
  const httpsProxy = env.https_proxy || env.HTTPS_PROXY || httpProxy;
  if (!(protocol === 'https:' ? httpsProxy : httpProxy)) return undefined;
  return {
    ...(httpProxy ? { httpProxy } : {}),
    ...(httpsProxy ? { httpsProxy } : {}),
    noProxy: env.no_proxy || env.NO_PROXY || '',
  };
}

function throughProxy(proxy: EnvHttpProxyAgent.Options): Connections {
  const agent = new EnvHttpProxyAgent({ ...proxy, ...NO_TIMEOUTS, keepAliveTimeout: KEEP_ALIVE_MS, pipelining: 1 });
  return {
    send: (options) => exchange(agent, options),
    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}

function direct(origin: string): Connections {
  // One connector for all, so that they share TLS sessions.
  const connect = buildConnector({ timeout: CONNECT_MS });
  const all = new Set<Client>();
  const free: Client[] = [];
  const open = () => {
    const client = new Client(origin, { ...NO_TIMEOUTS, keepAliveTimeout: KEEP_ALIVE_MS, pipelining: 1, connect });
    all.add(client);
    return client;
  };
  const over = async (client: Client, options: ExchangeOptions) => {
    try {
      const answer = await exchange(client, options);
      free.push(client);
      return answer;
    } catch (error) {
      // What is left of the exchange must not stand before the next request.
      all.delete(client);
      void client.destroy();
      throw error;
    }
  };
  return {
    async send(options) {
      const kept = free.pop();
      if (!kept) return over(open(), options);
      try {
        return await over(kept, options);
      } catch (error) {
        // The server may hang up on a kept connection just as we use it. That says nothing about the server.
        if (!(error instanceof ServerFault) || !error.unanswered) throw error;
        return over(open(), options);
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...all].map((client) => client.destroy()));
    },
  };
}

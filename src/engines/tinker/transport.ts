/** One HTTP request and its answer, with an end to how long and how large it may be. */
import { Agent, EnvHttpProxyAgent, request } from 'undici';
import { PROTOBUF } from '../../wire/json.ts';
import { Fault, kindOf } from './fault.ts';
import type { Environment, Key } from './secrets.ts';
import { outgoing, ProtoResult, type WireForm } from './wire-form.ts';

export interface Call {
  method: 'GET' | 'POST' | 'DELETE';
  /** Under /api/v1/. */
  path: string;
  body?: unknown;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

export interface Transport extends AsyncDisposable {
  readonly url: string;
  readonly redact: (text: string) => string;
  /** The answer's JSON. @throws Fault, or the signal's reason. */
  send(call: Call): Promise<unknown>;
}

/** Far above any answer; a page that never ends must not fill the memory. */
const MAX_BYTES = 512 << 20;
/** Below the 5 s after which uvicorn hangs up on an idle connection. */
const KEEP_ALIVE_MS = 4000;

export function openTransport(url: string, key: Key, env: Environment, form: WireForm): Transport {
  const base = `${url.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1/`;
  const dispatcher = agentFor(base, env);
  const send = async ({ method, path, body, timeoutMs, signal }: Call): Promise<unknown> => {
    const ended = AbortSignal.timeout(timeoutMs);
    let answered = false;
    const sent = outgoing(form, path, body);
    try {
      const answer = await request(base + sent.path, {
        dispatcher,
        method,
        headers: { ...sent.headers, ...key.headers },
        body: sent.body,
        signal: signal ? AbortSignal.any([signal, ended]) : ended,
      });
      answered = true;
      const bytes = await readBytes(answer.body);
      if (answer.statusCode === 200 && String(answer.headers['content-type']).includes(PROTOBUF)) {
        return new ProtoResult(bytes);
      }
      return readAnswer(answer.statusCode, bytes.toString('utf8'), answer.headers, key);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof Fault) throw error;
      if (ended.aborted) throw new Fault('timeout', `no answer within ${Math.round(timeoutMs / 1000)} s`);
      const when = answered ? ' in the middle of its answer' : '';
      throw new Fault('unreachable', key.redact(`the connection failed${when}: ${reasonOf(error)}`));
    }
  };
  return { url, redact: key.redact, send, [Symbol.asyncDispose]: () => dispatcher.destroy() };
}

/** Proxies as the environment says; one for the outside world does not know this machine, so never for loopback. */
function agentFor(base: string, env: Environment): Agent | EnvHttpProxyAgent {
  const options = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS, pipelining: 1 };
  const { hostname } = new URL(base);
  const isHere = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  const httpProxy = env.http_proxy || env.HTTP_PROXY;
  const httpsProxy = env.https_proxy || env.HTTPS_PROXY || httpProxy;
  if (isHere || !(httpProxy || httpsProxy)) return new Agent({ ...options, connect: { timeout: 10_000 } });
  return new EnvHttpProxyAgent({
    ...options,
    ...(httpProxy ? { httpProxy } : {}),
    ...(httpsProxy ? { httpsProxy } : {}),
    noProxy: env.no_proxy || env.NO_PROXY || '',
  });
}

async function readBytes(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Fault('refused', `the answer is larger than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function readAnswer(status: number, text: string, headers: Record<string, unknown>, key: Key): unknown {
  if (status === 204 || (status < 300 && text === '')) return {};
  const json = parse(text);
  if (status >= 200 && status < 300) {
    if (json !== undefined) return json;
    throw new Fault('unreadable', `the server answered with ${describe(text)} where JSON was expected`);
  }
  const said = key.redact(json === undefined ? describe(text) : saidIn(json));
  const wait = Number(headers['retry-after']);
  const message = `the server answered ${status}${said === '' ? '' : `: ${said}`}`;
  // A page in place of a refusal comes from something before the server: a proxy, a gateway that is restarting.
  const kind = json === undefined && kindOf(status) === 'lost' ? 'unreadable' : kindOf(status);
  throw new Fault(kind, message, { status, retryAfterMs: wait > 0 ? wait * 1000 : undefined });
}

/** Python writes NaN and Infinity into JSON. They become null here, and whoever expects a number says so. */
function parse(text: string): unknown {
  for (const tried of [text, text.replace(/(?<=[[,:\s])-?(?:NaN|Infinity)(?=[\],}\s])/g, 'null')]) {
    try {
      return JSON.parse(tried);
    } catch {
      // What it is if not JSON is said by the caller.
    }
  }
  return undefined;
}

function describe(text: string): string {
  if (/^\s*<(!doctype|html)/i.test(text)) return 'an HTML page';
  const shown = text.trim().slice(0, 120);
  return shown === '' ? 'nothing' : JSON.stringify(shown);
}

/** `detail` of FastAPI, `error` or `message` of others, as one line. */
function saidIn(json: unknown): string {
  const { detail, error, message } = (json ?? {}) as Record<string, unknown>;
  const said = detail ?? error ?? message ?? json;
  return (typeof said === 'string' ? said : JSON.stringify(said)).replace(/\s+/g, ' ').slice(0, 500);
}

/** `ECONNREFUSED` says more than the sentence around it; several addresses may each have failed. */
function reasonOf(error: unknown): string {
  const { errors, code, message } = error as { errors?: unknown[]; code?: unknown; message?: string };
  const first = Array.isArray(errors) ? errors[0] : undefined;
  if (first instanceof Error) return first.message;
  return message || (typeof code === 'string' ? code : 'unknown reason');
}

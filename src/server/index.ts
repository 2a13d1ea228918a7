/** The Tinker protocol over HTTP: access, routes, and nothing that knows what a call means. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PROTOBUF } from '../wire/json.ts';
import { WireError } from '../wire/proto-reader.ts';
import { type CallName, check, type RequestSchemas, requestSchemas } from '../wire/requests.ts';
import { type Access, checkAccess, checkHost } from './access.ts';
import { sendJson, sendOutcome } from './answer.ts';
import { readBody } from './body.ts';
import { type Calls, type CallsOptions, createCalls } from './calls.ts';
import { SERVER_LIMITS, type ServerLimits } from './limits.ts';
import { Refusal } from './refusal.ts';

export interface ServeOptions extends Omit<CallsOptions, 'limits'>, Access {
  /** 0 is any free port. */
  port: number;
  limits?: Partial<ServerLimits>;
}

export interface TinkerServer extends AsyncDisposable {
  readonly url: string;
  readonly counts: Calls['sessions']['counts'];
}

/** How often quiet sessions are looked for. */
const SWEEP_MS = 15_000;

/** Starts to listen. Disposing of it ends all sessions; the host is its owner's to dispose of. */
export async function startServer(options: ServeOptions): Promise<TinkerServer> {
  const limits = { ...SERVER_LIMITS, ...options.limits };
  const { key, host, allowedHosts, onError } = options;
  const calls = createCalls(randomUUID().slice(0, 8), { ...options, limits });
  const context: Context = {
    calls,
    limits,
    schemas: requestSchemas(limits),
    access: { key, host, allowedHosts },
    onError,
  };
  const server = createServer((request, response) => void answer(context, request, response));
  server.maxConnections = limits.connections;
  server.requestTimeout = 120_000;
  server.keepAliveTimeout = 65_000;
  server.listen(options.port, host);
  await once(server, 'listening');
  const sweep = setInterval(() => void calls.sessions.endQuiet().catch(onError), SWEEP_MS);
  sweep.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    get counts() {
      return calls.sessions.counts;
    },
    async [Symbol.asyncDispose]() {
      clearInterval(sweep);
      calls.futures.cancelAll(new Refusal(410, 'The server is stopping.'));
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      await calls.sessions.endAll();
    },
  };
}

interface Context {
  calls: Calls;
  limits: ServerLimits;
  schemas: RequestSchemas;
  access: Access;
  onError: (error: unknown) => void;
}

const PREFIX = '/api/v1/';

async function answer(context: Context, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const [pathname = ''] = (request.url ?? '').split('?', 1);
    if (pathname === `${PREFIX}healthz`) {
      checkHost(request.headers.host, context.access);
      sendJson(response, 200, { status: 'ok' });
      return;
    }
    checkAccess(request, context.access);
    if (!pathname.startsWith(PREFIX)) throw new Refusal(404, `The protocol is under ${PREFIX}.`);
    const route = pathname.slice(PREFIX.length);
    if (request.method === 'POST') await post(context, route, request, response);
    else await browse(context, request.method ?? '', route, response);
  } catch (error) {
    refuse(error, response, context.onError);
    if (!request.complete) drain(request);
  }
}

/** Lets a client that is still sending finish and read its refusal, but not for long. */
function drain(request: IncomingMessage): void {
  const timer = setTimeout(() => request.destroy(), DRAIN_MS);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
  request.resume();
}

const DRAIN_MS = 2000;

function refuse(error: unknown, response: ServerResponse, onError: (error: unknown) => void): void {
  if (error instanceof Refusal) sendJson(response, error.status, { detail: error.message });
  else if (error instanceof WireError) sendJson(response, 400, { detail: error.message });
  else if (response.destroyed) return;
  else {
    onError(error);
    sendJson(response, 500, { detail: 'The server failed at this call; its own output says why.' });
  }
}

/** Calls whose body nothing is made of, so that no client stumbles over them. */
const ACKNOWLEDGED: Readonly<Record<string, unknown>> = {
  telemetry: { status: 'accepted' },
  'client/dynamic_config': { sample_cancel_enabled: true },
};

async function post(
  context: Context,
  route: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { calls, limits, schemas } = context;
  const { call, message } = await readBody(request, route, limits.maxBodyBytes);
  if (Object.hasOwn(ACKNOWLEDGED, call)) return sendJson(response, 200, ACKNOWLEDGED[call]);
  if (call === 'cancel_future') {
    calls.futures.cancel(check(schemas.retrieve_future, message).request_id);
    return sendJson(response, 200, {});
  }
  const finish = /^sessions\/([^/]+)\/finish$/.exec(call);
  if (finish) {
    await calls.sessions.end(calls.sessions.get(finish[1]!).id);
    return sendJson(response, 200, {});
  }
  if (!Object.hasOwn(schemas, call)) throw new Refusal(404, `There is no call "${call.slice(0, 100)}" here.`);
  if (call === 'retrieve_future') return retrieve(context, message, request, response);
  try {
    sendJson(response, 200, await handle(context, call as Handled, message));
  } catch (error) {
    // The client has used the number up; 429 and 5xx it will try again.
    if (error instanceof WireError || (error instanceof Refusal && error.status === 400)) {
      const { model_id, seq_id } = (message ?? {}) as { model_id?: unknown; seq_id?: unknown };
      calls.refused(model_id, seq_id);
    }
    throw error;
  }
}

type Handled = Exclude<CallName, 'retrieve_future'>;

/** The schema and the handler of one call belong together, which the types of a table cannot say. */
function handle(context: Context, call: Handled, message: unknown): unknown {
  const request = check<unknown>(context.schemas[call], message);
  return (context.calls[call] as (request: unknown) => unknown)(request);
}

const GONE = 'the client has left';

async function retrieve(
  { calls, limits, schemas }: Context,
  message: unknown,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { request_id } = check(schemas.retrieve_future, message);
  const gone = new AbortController();
  // With a reason of its own: to make one, with its stack, costs more than all the rest of a question that is answered.
  response.once('close', () => gone.abort(GONE));
  const outcome = await calls.futures.retrieve(request_id, limits.holdMs, gone.signal);
  if (!outcome) return sendJson(response, 200, { type: 'try_again', request_id, queue_state: 'active' });
  const protobuf = (request.headers.accept ?? '').includes(PROTOBUF);
  sendOutcome(response, outcome, { protobuf });
}

/** What can be looked at, and removed. */
async function browse({ calls }: Context, method: string, route: string, response: ServerResponse): Promise<void> {
  const parts = route.split('/').map(decoded);
  const [collection, id, list, kind, name] = parts;
  if (method === 'GET' && route === 'get_server_capabilities') return sendJson(response, 200, calls.capabilities());
  if (method === 'GET' && collection === 'samplers' && parts.length === 2)
    return sendJson(response, 200, calls.samplerInfo(id!));
  if (collection === 'training_runs' && list === 'checkpoints') {
    if (method === 'GET' && parts.length === 3)
      return sendJson(response, 200, { checkpoints: await calls.checkpoints.list(id!) });
    if (method === 'DELETE' && parts.length === 5) {
      await calls.checkpoints.remove(`tinker://${id}/${kind}/${name}`);
      return sendJson(response, 200, {});
    }
  }
  throw new Refusal(404, `There is nothing to ${method} at ${PREFIX}${route.slice(0, 100)}.`);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Refusal(400, 'The path is not written as paths are.');
  }
}

/** A server on this machine that speaks OpenAI's protocol and answers as it is told: the tests' stand-in for a model. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface WireMessage {
  role: string;
  content: string | null;
}

export interface Loopback extends AsyncDisposable {
  url: string;
  /** Chat completions that were asked for, the engine's own probing included. */
  readonly requests: number;
}

/** `reply` is given the conversation and may take its time. What it does not know, an engine's probing say, is answered too. */
export async function serveAnswers(
  reply: (messages: WireMessage[]) => Promise<string | undefined> | string | undefined,
): Promise<Loopback> {
  let requests = 0;
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return send(response, 200, { object: 'list', data: [{ id: 'recorded' }] });
    requests++;
    const { messages = [] } = JSON.parse(await bodyOf(request)) as { messages?: WireMessage[] };
    const content = (await reply(messages)) ?? 'I do not know.';
    send(response, 200, {
      id: `chatcmpl-${requests}`,
      object: 'chat.completion',
      created: 0,
      model: 'recorded',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get requests() {
      return requests;
    },
    [Symbol.asyncDispose]: () => close(server),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const close = (server: Server) =>
  new Promise<void>((closed) => {
    server.close(() => closed());
    server.closeAllConnections();
  });

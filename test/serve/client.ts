/** For tests: a server over a tiny model, and a client of a few lines. */
import { type ServeSettings, type Serving, serve } from '../../src/serve.ts';

const corpus = ['the agent solves the task', 'one two three four five six seven'];

export const tinySettings = (folder: string): ServeSettings => ({
  models: {
    tiny: {
      kind: 'new',
      size: { width: 16, layers: 1, heads: 2, context: 32 },
      tokenizer: { corpus, kind: 'words', vocabulary: 64 },
    },
  },
  folder,
  threads: 1,
  limits: { models: 64 },
});

export const startTiny = (folder: string, settings: Partial<ServeSettings> = {}): Promise<Serving> =>
  serve({ ...tinySettings(folder), ...settings });

export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers as they come.
  body: any;
}

export interface TestClient {
  send(call: string, body: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Sends, then waits for the future. */
  result(call: string, body: unknown): Promise<Reply['body']>;
  retrieve(requestId: string): Promise<Reply>;
  /** Asks until there is an answer. */
  settled(requestId: string): Promise<Reply>;
  session(): Promise<string>;
  /** A model in a new session: a function that makes its calls in order. */
  model(options?: {
    rank?: number;
    seed?: number;
    session?: string;
    /** What the adapter is on. */
    switches?: Record<string, boolean>;
  }): Promise<TestModel>;
}

export interface TestModel {
  id: string;
  session: string;
  next(): number;
  call(name: string, body: Record<string, unknown>): Promise<Reply['body']>;
}

export function clientOf({ url, key }: Pick<Serving, 'url' | 'key'>): TestClient {
  const send: TestClient['send'] = async (call, body, headers = {}) => {
    const response = await fetch(`${url}/api/v1/${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key, ...headers },
      body: body instanceof Uint8Array ? new Uint8Array(body) : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  };
  const retrieve = (request_id: string) => send('retrieve_future', { request_id });
  const settled = async (requestId: string) => {
    for (;;) {
      const reply = await retrieve(requestId);
      if (reply.body.type !== 'try_again') return reply;
    }
  };
  const result: TestClient['result'] = async (call, body) => {
    const sent = await send(call, body);
    if (sent.status !== 200) throw new Error(`${call}: ${sent.status} ${sent.body.detail}`);
    const { body: got } = await settled(sent.body.request_id);
    if ('error' in got) throw new Error(got.error);
    return got;
  };
  const session = async () => (await send('create_session', { tags: [], sdk_version: 'test' })).body.session_id;
  let made = 0;
  return {
    send,
    retrieve,
    settled,
    result,
    session,
    async model({ rank, seed, session: given, switches = {} } = {}) {
      const session_id = given ?? (await session());
      const lora_config = rank === undefined ? undefined : { rank, seed, ...switches };
      const { model_id } = await result('create_model', {
        session_id,
        model_seq_id: made++,
        base_model: 'tiny',
        lora_config,
      });
      let seq = 0;
      const next = () => ++seq;
      return {
        id: model_id,
        session: session_id,
        next,
        call: (name, body) => result(name, { model_id, seq_id: next(), ...body }),
      };
    },
  };
}

const tensor = (data: readonly number[], dtype = 'float32') => ({ data, dtype, shape: [data.length] });

/** A datum of the whole sequence, with weight on all but the first target. */
export function datum(tokens: readonly number[], inputs: Record<string, readonly number[]> = {}): unknown {
  const targets = tokens.slice(1);
  const tensors = Object.entries(inputs).map(([name, data]) => [name, tensor(data)]);
  return {
    model_input: { chunks: [{ type: 'encoded_text', tokens: tokens.slice(0, -1) }] },
    loss_fn_inputs: { target_tokens: tensor(targets, 'int64'), ...Object.fromEntries(tensors) },
  };
}

export const lossInput = (data: readonly unknown[], loss_fn = 'cross_entropy', loss_fn_config?: unknown): unknown => ({
  data,
  loss_fn,
  ...(loss_fn_config ? { loss_fn_config } : {}),
});

export const SENTENCE: readonly number[] = [3, 8, 9, 10, 11, 12, 13, 8, 9, 14];

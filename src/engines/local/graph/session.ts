/** Runs a graph with ONNX Runtime. Feeds are typed arrays with shapes; results come back the same way. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Graph } from './graph.ts';
import { encodeModel } from './onnx.ts';

export type TensorData = Float32Array | BigInt64Array | Uint8Array;
export interface Feed {
  data: TensorData;
  dims: readonly number[];
}

/** Wraps every call into native code. */
export type Guard = <T>(work: () => Promise<T>) => Promise<T>;
const unguarded: Guard = (work) => work();

export interface SessionOptions {
  guard?: Guard | undefined;
  /** Threads inside one operator. 1 runs on the calling thread alone. */
  threads?: number;
}

export class GraphSession implements AsyncDisposable {
  readonly #session: InferenceSession;
  readonly #inputs: ReadonlySet<string>;

  readonly #guard: Guard;

  private constructor(session: InferenceSession, guard: Guard) {
    this.#session = session;
    this.#guard = guard;
    this.#inputs = new Set(session.inputNames);
  }

  /** Inputs that are `fixed` need no feed later, and the runtime lays them out for its kernels once instead of at each run. */
  static async create(
    graph: Graph,
    { threads = 1, guard = unguarded }: SessionOptions = {},
    fixed: Readonly<Record<string, Feed>> = {},
  ): Promise<GraphSession> {
    const model = encodeModel(graph, fixed);
    const options: InferenceSession.SessionOptions = {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      logSeverityLevel: 3,
      // Spinning threads starve a busy neighbour; denormals from masked softmax are many times slower than zeros.
      extra: { session: { set_denormal_as_zero: '1', intra_op: { allow_spinning: '0' } } },
    };
    return new GraphSession(await guard(() => InferenceSession.create(model, options)), guard);
  }

  /**
   * Feeds the graph does not read are ignored. `into` names outputs to be written in place, without a fresh buffer: their
   * tensors must have exactly the shape the graph produces.
   */
  async run(
    feeds: Readonly<Record<string, Feed>>,
    into: Readonly<Record<string, Feed>> = {},
  ): Promise<Record<string, Feed>> {
    const tensors: Record<string, Tensor> = {};
    for (const name of this.#inputs) {
      const feed = feeds[name];
      if (!feed) throw new Error(`graph input ${name} was not fed`);
      tensors[name] = toTensor(name, feed);
    }
    const fetches: Record<string, Tensor | null> = {};
    for (const name of this.#session.outputNames) fetches[name] = into[name] ? toTensor(name, into[name]) : null;
    const results = await this.#guard(() => this.#session.run(tensors, fetches));
    const out: Record<string, Feed> = {};
    for (const name of this.#session.outputNames) {
      const tensor = results[name]!;
      // Only the element types of DType leave a graph.
      out[name] = { data: tensor.data as TensorData, dims: tensor.dims };
    }
    return out;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#guard(() => this.#session.release());
  }
}

/** Releases what was created; a session that failed to start has nothing to release. */
export async function disposeSessions(sessions: Iterable<Promise<GraphSession> | undefined>): Promise<void> {
  for (const result of await Promise.allSettled([...sessions])) {
    if (result.status === 'fulfilled') await result.value?.[Symbol.asyncDispose]();
  }
}

function toTensor(name: string, feed: Feed): Tensor {
  const count = feed.dims.reduce((product, dim) => product * dim, 1);
  if (count !== feed.data.length) {
    throw new TypeError(`${name}: ${feed.data.length} elements do not fill [${feed.dims.join(', ')}]`);
  }
  if (feed.data instanceof Float32Array) return new Tensor('float32', feed.data, feed.dims);
  if (feed.data instanceof BigInt64Array) return new Tensor('int64', feed.data, feed.dims);
  return new Tensor('bool', feed.data, feed.dims);
}

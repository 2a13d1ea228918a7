/** Who is examined: the model of an engine as it is, or the agent of a run as its training left it. */
import type { Config } from '../config.ts';
import type { Sampler } from '../core/engine.ts';
import type { Json } from '../core/types.ts';
import { openBenchmark } from '../open-benchmark.ts';
import { openSampling } from '../open-engine.ts';
import { openPlayer } from '../run.ts';
import { openReader } from '../store/index.ts';

export interface Examinee extends AsyncDisposable {
  sampler: Sampler;
}

export async function openModel(config: Config, signal: AbortSignal): Promise<Examinee> {
  const engine = await openSampling(config, { benchmark: await openBenchmark(config), signal });
  return { sampler: await engine.sampler('agent'), [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose]() };
}

export async function openAgent(run: string): Promise<Examinee> {
  const { engine, trainer } = await openPlayer(run, 'agent');
  return { sampler: await trainer.publish('evaluated'), [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose]() };
}

/** What decides the answers of a run's agent: whose weights they are. */
export function agentOf(run: string): Json {
  using reader = openReader(run);
  const { ref, sha256 } = reader.checkpoint('agent') ?? { ref: null, sha256: null };
  return { ref, sha256 };
}

/** Who is examined: the model of an engine as it is, or the agent of a run as its training left it. */
import type { Config } from '../config.ts';
import type { Sampler } from '../core/engine.ts';
import type { Journal } from '../core/journal.ts';
import type { Json } from '../core/types.ts';
import { openBenchmark, openPlayer, openUnwatched } from '../run.ts';
import { openReader } from '../store/index.ts';

export interface Examinee extends AsyncDisposable {
  sampler: Sampler;
}

export async function openModel(config: Config, folder: string, signal: AbortSignal): Promise<Examinee> {
  const benchmark = openBenchmark(config);
  const engine = await openUnwatched({ config, folder, benchmark, journal: NOTHING_SPENT, signal });
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

const NOTHING_SPENT: Pick<Journal, 'ledger'> = {
  ledger: () => ({
    tasks: 0,
    rollouts: 0,
    invalidRollouts: 0,
    agentTokens: 0,
    environmentTokens: 0,
    generations: 0,
    rejectedGenerations: 0,
    validationRollouts: 0,
  }),
};

/** Both players as scripts, for the scripted engine in the world that is played. Part of the composition root. */
import type { BenchmarkConfig } from './config.ts';
import type { Benchmark } from './core/benchmark.ts';
import type { Script } from './core/script.ts';
import type { Player, Task } from './core/types.ts';
import { dataFolder } from './data/folder.ts';

/** Worlds without scripts of their own are left to those of the toy world, which can make nothing of them. */
export async function scriptsFor(
  { name }: Pick<BenchmarkConfig, 'name'>,
  benchmark: Benchmark,
): Promise<Record<Player, Script>> {
  switch (name) {
    case 'bfcl':
      return (await import('./benchmarks/bfcl/index.ts')).bfclScripts(await allTasks(benchmark));
    case 'api-bank':
      return (await import('./benchmarks/api-bank/index.ts')).apiBankScripts(await allTasks(benchmark));
    case 'alfworld':
      return (await import('./benchmarks/alfworld/index.ts')).ALFWORLD_SCRIPTS;
    case 'travelplanner':
      return (await import('./benchmarks/travelplanner/index.ts')).travelplannerScripts({ data: dataFolder(name) });
    case 'bamboogle':
      return (await import('./benchmarks/bamboogle/index.ts')).BAMBOOGLE_SCRIPTS;
    default:
      return (await import('./benchmarks/toy/scripts.ts')).TOY_SCRIPTS;
  }
}

/** Tasks in people's words are read by no script: what they ask for is looked up. */
async function allTasks(benchmark: Benchmark): Promise<Task[]> {
  return [...(await benchmark.base()), ...(await benchmark.validation()), ...((await benchmark.test?.()) ?? [])];
}

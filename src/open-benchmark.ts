/** From `benchmark` in the configuration to a benchmark: part of the composition root, apart because each loads lazily. */
import type { BenchmarkConfig, Config } from './config.ts';
import type { Benchmark } from './core/benchmark.ts';
import { dataFolder } from './data/folder.ts';

export async function openBenchmark({ benchmark }: Pick<Config, 'benchmark'>): Promise<Benchmark> {
  switch (benchmark.name) {
    case 'toy':
      return (await import('./benchmarks/toy/index.ts')).toyBenchmark(benchmark);
    case 'errands':
      return (await import('./benchmarks/errands/index.ts')).errandsBenchmark(benchmark);
    case 'letters':
      return (await import('./benchmarks/letters/index.ts')).lettersBenchmark(benchmark);
    case 'file': {
      const { readDraft } = await import('./policies/task-schema.ts');
      return (await import('./benchmarks/file/index.ts')).fileBenchmark({ ...benchmark, readDraft });
    }
    case 'bfcl':
      return (await import('./benchmarks/bfcl/index.ts')).bfclBenchmark(withData(benchmark));
    case 'api-bank':
      return (await import('./benchmarks/api-bank/index.ts')).apiBankBenchmark(withData(benchmark));
    case 'alfworld':
      return (await import('./benchmarks/alfworld/index.ts')).alfworldBenchmark(withData(benchmark));
    case 'travelplanner':
      return (await import('./benchmarks/travelplanner/index.ts')).travelplannerBenchmark(withData(benchmark));
    case 'bamboogle': {
      const { corpus, search, ...rest } = benchmark;
      const { searchOf } = await import('./search.ts');
      const options = { ...withData(rest), ...searchOf({ corpus, search }) };
      return (await import('./benchmarks/bamboogle/index.ts')).bamboogleBenchmark(options);
    }
    default:
      return benchmark satisfies never;
  }
}

const withData = <T extends Pick<BenchmarkConfig, 'name'>>(benchmark: T): T & { data: string } => ({
  ...benchmark,
  data: dataFolder(benchmark.name),
});

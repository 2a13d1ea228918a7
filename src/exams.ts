/** The benchmarks with an official examination, by name. Part of the composition root: each loads when it is asked for. */
import type { BenchmarkConfig } from './config.ts';
import type { Ask, Exam } from './core/exam.ts';
import type { Json, JsonObject } from './core/types.ts';
import type { DataSet } from './data/pull.ts';

export const EXAMINED = ['bfcl', 'api-bank', 'alfworld', 'travelplanner', 'bamboogle'] as const;
export type ExaminedName = (typeof EXAMINED)[number];

export type ExaminedConfig = Extract<BenchmarkConfig, { name: ExaminedName }>;

/** A third party's verdict beside ours, or `skipped` where the vector is about another protocol. */
export type VectorVerdict = { expected: Json; got: Json } | 'skipped';
export type JudgeVector = (vector: JsonObject, options: { data: string }) => Promise<VectorVerdict>;

/** The exams of a benchmark by suite, the default first. A judge is for protocols that leave the verdict to a model. */
export async function openExams(config: ExaminedConfig, data: string, judge?: Ask): Promise<Record<string, Exam>> {
  switch (config.name) {
    case 'bfcl':
      return (await import('./benchmarks/bfcl/index.ts')).bfclExams({ ...config, data });
    case 'api-bank':
      return (await import('./benchmarks/api-bank/index.ts')).apiBankExams({ ...config, data });
    case 'alfworld':
      return (await import('./benchmarks/alfworld/index.ts')).alfworldExams({ ...config, data });
    case 'travelplanner':
      return (await import('./benchmarks/travelplanner/index.ts')).travelplannerExams({ ...config, data });
    case 'bamboogle':
      return bamboogle(config, data, judge);
    default:
      return config satisfies never;
  }
}

async function bamboogle(
  config: Extract<ExaminedConfig, { name: 'bamboogle' }>,
  data: string,
  judge: Ask | undefined,
): Promise<Record<string, Exam>> {
  const { bamboogleExams, judgeBy } = await import('./benchmarks/bamboogle/index.ts');
  const { searchOf } = await import('./search.ts');
  return bamboogleExams({ data, ...searchOf(config), ...(judge ? { judge: judgeBy(judge) } : {}) });
}

/** Which files a benchmark needs, and where they are public. */
export async function dataSetOf(benchmark: ExaminedName): Promise<DataSet> {
  switch (benchmark) {
    case 'bfcl':
      return { benchmark, files: (await import('./benchmarks/bfcl/sources.ts')).BFCL_SOURCES };
    case 'api-bank':
      return { benchmark, files: (await import('./benchmarks/api-bank/sources.ts')).API_BANK_SOURCES };
    case 'alfworld':
      return alfworldData();
    case 'travelplanner':
      return { benchmark, files: (await import('./benchmarks/travelplanner/sources.ts')).TRAVELPLANNER_SOURCES };
    case 'bamboogle':
      return { benchmark, files: (await import('./benchmarks/bamboogle/sources.ts')).BAMBOOGLE_SOURCES };
    default:
      return benchmark satisfies never;
  }
}

/** Games come in one archive; worlds are made from them. */
async function alfworldData(): Promise<DataSet> {
  const [{ ALFWORLD_SOURCES }, { prepare }] = await Promise.all([
    import('./benchmarks/alfworld/sources.ts'),
    import('./benchmarks/alfworld/release.ts'),
  ]);
  return {
    benchmark: 'alfworld',
    files: ALFWORLD_SOURCES,
    prepare: async (folder) => void (await prepare(folder)),
    made: ['valid_seen.worlds.jsonl', 'valid_unseen.worlds.jsonl'],
  };
}

const VECTORS: Record<ExaminedName, () => Promise<{ judgeVector: JudgeVector }>> = {
  bfcl: () => import('./benchmarks/bfcl/vectors.ts'),
  'api-bank': () => import('./benchmarks/api-bank/vectors.ts'),
  alfworld: () => import('./benchmarks/alfworld/vectors.ts'),
  travelplanner: () => import('./benchmarks/travelplanner/vectors.ts'),
  bamboogle: () => import('./benchmarks/bamboogle/vectors.ts'),
};

export const vectorJudge = async (benchmark: ExaminedName): Promise<JudgeVector> =>
  (await VECTORS[benchmark]()).judgeVector;

/** How a benchmark reads JSON that users bring: BFCL's rules tell 5.0 from 5, which JSON.parse does not. */
export async function jsonReader(benchmark: ExaminedName): Promise<(text: string) => Json> {
  if (benchmark === 'bfcl') return (await import('./benchmarks/bfcl/exact-json.ts')).readJson;
  return (text) => JSON.parse(text) as Json;
}

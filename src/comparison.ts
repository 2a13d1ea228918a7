/** From the folders of runs to a `Comparison`: everything a report needs, read once. */
import { availableParallelism, cpus } from 'node:os';
import type { Config } from './config.ts';
import { sinceWhen, whatChanged } from './control/told.ts';
import { alphaSteps, type Change, readChanges } from './control/tuning.ts';
import type { Benchmark } from './core/benchmark.ts';
import type { Ledger } from './core/journal.ts';
import type { Task } from './core/types.ts';
import { VARIANTS } from './core/variants.ts';
import { openBenchmark } from './open-benchmark.ts';
import type { ArmRun, Comparison, EpochPoint, ReportedChange, SplitResult } from './report/comparison.ts';
import { openReader, type PoolGrowth, type RunReader } from './store/index.ts';
import { completedEpochs } from './summary.ts';
import { VERSION } from './version.ts';

export interface ReportedRun {
  run: string;
  folder: string;
  config: Config;
}

/** One run alone: a comparison of one arm with one seed. `command` is what to type to get its numbers again. */
export async function comparisonOfOne(run: ReportedRun, command: string, createdAt: string): Promise<Comparison> {
  const { variant, seed } = run.config;
  const arm = {
    name: variant,
    description: VARIANTS[variant].description,
    settings: {},
    runs: [{ ...(await collectRun(run)), run: '.' }],
  };
  return { title: run.run, command, version: VERSION, createdAt, ...setting(run.config), seeds: [seed], arms: [arm] };
}

/** Where and in which world the runs were played. */
export function setting({
  benchmark,
  engine,
  curriculum,
}: Pick<Config, 'benchmark' | 'engine' | 'curriculum'>): Pick<Comparison, 'machine' | 'benchmark' | 'engine' | 'band'> {
  return {
    machine: { cpu: cpus()[0]?.model.trim() ?? 'unknown', cores: availableParallelism(), node: process.version },
    benchmark: benchmark.name,
    engine: engine.kind,
    band: { alpha: curriculum.alpha, kMin: curriculum.kMin },
  };
}

export async function collectRun({ run, folder, config }: ReportedRun): Promise<ArmRun> {
  const benchmark = await openBenchmark(config);
  using reader = openReader(folder);
  const last = completedEpochs(reader);
  const steps = { rewards: byEpoch(reader, 'agent/stepReward'), kl: byEpoch(reader, 'agent/kl') };
  const pools = reader.browse.poolGrowth();
  const changes = readChanges(reader.meta());
  const alphas = alphaSteps(config.curriculum.alpha, changes).filter(({ epoch }) => epoch <= last);
  return {
    seed: config.seed,
    run,
    seconds: Number(reader.meta().seconds ?? 0),
    epochs: Array.from({ length: last + 1 }, (_, epoch) => epochPoint(reader, epoch, steps, pools)),
    test: splitResult(reader, last, 'test', benchmark),
    validation: splitResult(reader, last, 'validation', benchmark),
    ...(alphas.length > 0 ? { alphaSteps: alphas } : {}),
    ...(changes.length > 0 ? { changes: changes.map(reportedChange) } : {}),
  };
}

const reportedChange = (change: Change): ReportedChange => ({
  who: change.who,
  timeMs: change.timeMs,
  what: whatChanged(change),
  from: sinceWhen(change.from),
});

const LEDGER = 'ledger/';

type ByEpoch = ReadonlyMap<number, number[]>;

function epochPoint(
  reader: RunReader,
  epoch: number,
  steps: { rewards: ByEpoch; kl: ByEpoch },
  pools: readonly PoolGrowth[],
): EpochPoint {
  const all = Object.entries(reader.metrics(epoch));
  const { base, verdicts } = reader.browse.epochFacts(epoch);
  const grown = pools.filter((growth) => growth.epoch <= epoch);
  const kl = steps.kl.get(epoch);
  const spent = all.filter(([key]) => key.startsWith(LEDGER)).map(([key, value]) => [key.slice(LEDGER.length), value]);
  return {
    epoch,
    metrics: {
      ...Object.fromEntries(all.filter(([key]) => !key.startsWith(LEDGER))),
      ...(kl ? { 'agent/kl': sum(kl) / kl.length } : {}),
      ...(base.attempts > 0 ? { 'base/successRate': base.successes / base.attempts } : {}),
      ...(grown.length > 0 ? { 'pool/agent': sum(grown.map(({ agent }) => agent)) } : {}),
      ...(grown.length > 0 ? { 'pool/environment': sum(grown.map(({ environment }) => environment)) } : {}),
    },
    verdicts,
    ledger: Object.fromEntries(spent) as unknown as Ledger, // ledgerMetrics wrote these keys from a ledger.
    stepRewards: steps.rewards.get(epoch) ?? [],
  };
}

const sum = (xs: readonly number[]) => xs.reduce((a, b) => a + b, 0);

/** What is measured at every optimizer step, by epoch and in the order of the steps. */
function byEpoch(reader: RunReader, key: string): ByEpoch {
  const found = new Map<number, number[]>();
  const page = (after: number) => reader.metricRows({ prefix: key, after });
  for (let rows = page(0); rows.length > 0; rows = page(rows.at(-1)!.row)) {
    for (const { epoch, value } of rows) found.set(epoch, [...(found.get(epoch) ?? []), value]);
  }
  return found;
}

function splitResult(
  reader: RunReader,
  epoch: number,
  split: 'validation' | 'test',
  benchmark: Pick<Benchmark, 'stratum'>,
): SplitResult | null {
  const whole = count();
  const strata = new Map<string, Count>();
  for (const outcome of reader.outcomes(epoch, split)) {
    const name = stratumOf(reader.task(outcome.taskId)!, benchmark);
    const stratum = strata.get(name) ?? count();
    strata.set(name, stratum);
    for (const one of [whole, stratum]) {
      one.tasks += 1;
      one.successes += outcome.successes;
      one.attempts += outcome.attempts;
    }
  }
  if (whole.attempts === 0) return null;
  const named = [...strata].sort(([a], [b]) => NATURAL.compare(a, b));
  return { ...resultOf(whole), strata: named.map(([name, stratum]) => ({ name, ...resultOf(stratum) })) };
}

interface Count {
  tasks: number;
  successes: number;
  attempts: number;
}

const count = (): Count => ({ tasks: 0, successes: 0, attempts: 0 });

const resultOf = ({ tasks, successes, attempts }: Count) => ({
  tasks,
  successRate: attempts > 0 ? successes / attempts : 0,
});

/** `7 letters` before `10 letters`: a benchmark names its strata so that they sort from easy to hard. */
const NATURAL = new Intl.Collator('en', { numeric: true });

function stratumOf(task: Task, benchmark: Pick<Benchmark, 'stratum'>): string {
  const [feature] = Object.entries(task.features);
  return benchmark.stratum?.(task) ?? (feature ? feature.join(' ') : 'all');
}

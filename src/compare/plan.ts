/**
 * What a comparison is going to do, written down before it does anything. The plan alone decides the runs: a comparison
 * that was stopped or killed goes on by reading it, and a different one in the same folder is refused.
 */
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Config, type ConfigInput, differences, type LoadOptions, loadConfig, settingAt } from '../config.ts';
import { canonicalJson } from '../core/content-id.ts';
import type { Json } from '../core/types.ts';
import { trainable } from '../open-engine.ts';
import { writeJson } from '../report/write-whole.ts';
import { hasRun } from '../store/index.ts';
import { VERSION } from '../version.ts';
import type { ArmSpec } from './arms.ts';
import { CompareError } from './errors.ts';

export interface Plan {
  /** Of GenEnv. */
  version: string;
  createdAt: string;
  name: string;
  /** What was typed, or what would have to be typed to begin it again. */
  command: string;
  seeds: number[];
  arms: PlannedArm[];
}

export interface PlannedArm {
  name: string;
  description: string;
  /** Every setting of its runs; the seed is the run's. */
  config: ArmConfig;
}

export type ArmConfig = Omit<Config, 'name' | 'seed'>;

export interface PlannedRun {
  arm: string;
  seed: number;
  run: string;
  folder: string;
  config: Config;
}

export interface PlanOptions {
  name: string;
  command: string;
  /** The configuration all arms share. */
  config: Omit<LoadOptions, 'overrides'>;
  arms: readonly ArmSpec[];
  seeds: readonly number[];
  /** Runs at a time: they share the machine's threads. */
  parallel: number;
  createdAt: string;
}

/**
 * The plan in a folder: a new one is written, one that was begun before is found and must be the same.
 * @throws CompareError with what is different.
 */
export function openPlan(folder: string, options: PlanOptions): Plan {
  if (hasRun(folder)) throw new CompareError(`${folder} holds a run. Give the comparison another --name.`);
  if (!existsSync(planFile(folder))) {
    const plan = makePlan(options, threadsFor(options.parallel));
    writeJson(planFile(folder), plan);
    return plan;
  }
  const begun = readPlan(folder);
  const changes = planDifferences(begun, makePlan(options, threadsOf(begun)));
  if (changes.length === 0) return begun;
  throw new CompareError(
    `${folder} holds another comparison:\n${changes.map((change) => `  ${change}`).join('\n')}\n` +
      `Give this one another --name, or go on with that one: genenv compare --resume ${folder}`,
  );
}

/**
 * The number of threads decides in which order the local engine adds up, and so the last bits of its weights. So it is
 * part of the plan: begun with one --parallel and continued with another, a comparison is still one comparison.
 */
const threadsFor = (parallel: number) =>
  Math.max(1, Math.min(MAX_THREADS, Math.floor(availableParallelism() / parallel)));

/** As many as the local engine takes by itself. */
const MAX_THREADS = 16;

const threadsOf = ({ arms: [first] }: Plan) =>
  first?.config.engine.kind === 'local' ? first.config.engine.threads : 1;

export function makePlan(options: PlanOptions, threads: number | 'auto'): Plan {
  const { name, command, arms, seeds, createdAt } = options;
  // The test split is what a comparison is judged on; --set can still turn it off.
  const { config } = loadConfig({ ...options.config, overrides: { evaluation: { test: true } } });
  trainable(config);
  if ('record' in config.engine) {
    throw new CompareError('engine.record names one file, and a comparison is many runs. Leave it out.');
  }
  const { engine } = config;
  const shared =
    engine.kind === 'local' && engine.threads === 'auto' ? { ...config, engine: { ...engine, threads } } : config;
  return {
    version: VERSION,
    createdAt,
    name,
    command,
    seeds: [...seeds],
    arms: arms.map((arm) => ({ name: arm.name, description: arm.description, config: armConfig(shared, arm) })),
  };
}

function armConfig(shared: Config, { settings }: ArmSpec): ArmConfig {
  const changed = Object.entries(settings).map(([key, value]) => {
    const section = shared[key as keyof Config]; // A key of a ConfigInput is one of a Config.
    return [key, typeof value === 'object' ? { ...(section as object), ...value } : value];
  });
  const {
    name: _name,
    seed: _seed,
    ...config
  } = loadConfig({
    overrides: { ...shared, ...Object.fromEntries(changed) } as ConfigInput,
  }).config;
  return config;
}

/**
 * Seeds outside, arms inside: whatever is finished is paired, and the arms of a seed share the models it warms up. With
 * several runs at a time as many seeds go together, so that nobody waits for the models of another.
 */
export function runsOf(plan: Plan, folder: string, parallel: number): PlannedRun[] {
  const runs: PlannedRun[] = [];
  for (let from = 0; from < plan.seeds.length; from += parallel) {
    for (const arm of plan.arms) {
      for (const seed of plan.seeds.slice(from, from + parallel)) {
        const run = `${arm.name}-s${seed}`;
        runs.push({ arm: arm.name, seed, run, folder: join(folder, run), config: { ...arm.config, seed, name: run } });
      }
    }
  }
  return runs;
}

/** The settings in which an arm differs from the first one. */
export function settingsOf(arm: PlannedArm, first: PlannedArm): Record<string, Json> {
  const asConfig = ({ config }: PlannedArm): Config => ({ ...config, seed: 0 });
  const paths = differences(asConfig(arm), asConfig(first));
  return Object.fromEntries(paths.map((path) => [path, settingAt(asConfig(arm), path) as Json])); // Settings are plain data.
}

/** Arms that would play the very same runs as an earlier one. */
export const twins = (arms: readonly PlannedArm[]): [arm: string, twin: string][] =>
  arms.flatMap((arm, i) => {
    const twin = arms
      .slice(0, i)
      .find(({ config }) => canonicalJson(plain(config)) === canonicalJson(plain(arm.config)));
    return twin ? [[arm.name, twin.name] as [string, string]] : [];
  });

export const planFile = (folder: string): string => join(folder, 'compare.json');

export function readPlan(folder: string): Plan {
  if (!existsSync(planFile(folder))) {
    throw new CompareError(`${folder} holds no comparison: it has no compare.json. Check the name.`);
  }
  const plan = parsePlan(planFile(folder));
  if (plan.version === VERSION) return plan;
  throw new CompareError(
    `${folder} was begun with GenEnv ${plan.version}, and this is ${VERSION}: its runs might differ by more than their arms. Finish it with that version, or begin a new one.`,
  );
}

function parsePlan(file: string): Plan {
  try {
    const { arms, ...plan } = JSON.parse(readFileSync(file, 'utf8')) as Plan;
    // Configurations are checked again: somebody may have written in the file.
    const checked = arms.map((arm) => ({ ...arm, config: armConfig(arm.config as Config, { ...arm, settings: {} }) }));
    return { ...plan, arms: checked };
  } catch (error) {
    throw new CompareError(`${file} can't be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** In words, what is not the same; empty when the two would play the same runs. */
export function planDifferences(begun: Plan, wanted: Plan): string[] {
  const told = (what: string, was: string, is: string) => (was === is ? [] : [`${what} ${was}, now ${is}`]);
  const names = ({ arms }: Plan) => arms.map(({ name }) => name).join(', ');
  const top = [
    ...told('seeds were', begun.seeds.join(', '), wanted.seeds.join(', ')),
    ...told('arms were', names(begun), names(wanted)),
  ];
  if (top.length > 0) return top;
  const changes = begun.arms.flatMap((arm, i) => {
    const [was, is] = [settingsOf(arm, wanted.arms[i]!), settingsOf(wanted.arms[i]!, arm)];
    const paths = [...new Set([...Object.keys(was), ...Object.keys(is)])];
    return paths.map((path) => `${path} was ${show(was[path])}, now ${show(is[path])}`);
  });
  // A setting that is shared changes in every arm: once is enough.
  return [...new Set(changes)];
}

const show = (value: Json | undefined) => (value === undefined ? 'not set' : JSON.stringify(value));
const plain = (config: ArmConfig) => config as unknown as Json; // Plain data, but an interface has no index signature.

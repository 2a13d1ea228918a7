/** From the flags of `genenv compare` to a plan: a new one, or the one that was begun. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findArm } from '../compare/arms.ts';
import { openPlan, type Plan, planFile, readPlan } from '../compare/plan.ts';
import { UsageError } from './errors.ts';
import { command, USUAL_PLACE } from './next-step.ts';
import { type CommonOptions, wholeNumber } from './options.ts';
import { newRunName } from './run-name.ts';

export interface CompareOptions extends CommonOptions {
  arms?: string;
  seeds?: string;
  firstSeed?: string;
  preset?: string;
  engine?: string;
  epochs?: string;
  set?: string[];
  parallel?: string;
  name?: string;
  resume?: string;
  listArms?: boolean;
}

const DEFAULT_ARMS = 'genenv,genenv-random,genenv-static,base';
/** Training uses seed 1 unless told otherwise, and whoever tuned anything tuned it on that. */
const FIRST_SEED = '101';

export interface Begun {
  folder: string;
  plan: Plan;
}

export function begin(file: string | undefined, options: CompareOptions, parallel: number): Begun {
  const { runsDir, preset, engine, epochs, set } = options;
  const arms = (options.arms ?? DEFAULT_ARMS).split(',').map((name) => findArm(name.trim()));
  const names = arms.map((arm) => arm.name);
  checkUnique('--arms', names);
  const seeds = readSeeds(options);
  const name = checkedName(options.name) ?? newRunName((taken) => existsSync(join(runsDir, taken)));
  const folder = join(runsDir, name);
  const plan = openPlan(folder, {
    name,
    command: typed(file, options, names, seeds),
    config: { file, preset, flags: { engine, epochs }, set },
    arms,
    seeds,
    parallel,
    createdAt: new Date().toISOString(),
  });
  return { folder, plan };
}

/** `--seeds 5` counts from the first seed; `--seeds 11,12,13` names them. */
function readSeeds({ seeds = '5', firstSeed = FIRST_SEED }: CompareOptions): number[] {
  if (!seeds.includes(',')) {
    const first = wholeNumber('--first-seed', firstSeed, 0);
    return Array.from({ length: wholeNumber('--seeds', seeds, 1) }, (_, i) => first + i);
  }
  const named = seeds.split(',').map((seed) => wholeNumber('--seeds', seed.trim(), 0));
  checkUnique('--seeds', named);
  return named;
}

function checkUnique(flag: string, values: readonly unknown[]): void {
  const twice = values.find((value, i) => values.indexOf(value) < i);
  if (twice !== undefined) throw new UsageError(`${flag} names ${twice} twice.`);
}

function checkedName(name: string | undefined): string | undefined {
  if (name === undefined || /^(?!\.)[A-Za-z0-9._-]{1,80}$/.test(name)) return name;
  throw new UsageError(
    '--name must be 1 to 80 letters, digits, dots, dashes or underscores, and not start with a dot.',
  );
}

export function continued(
  resume: string,
  file: string | undefined,
  { runsDir, arms, seeds, firstSeed, preset, engine, epochs, set, name }: CompareOptions,
): Begun {
  const given = [file, arms, seeds, firstSeed, preset, engine, epochs, set, name];
  if (given.some((value) => value !== undefined)) {
    throw new UsageError('--resume goes on with the plan in that folder: nothing else can be said but --parallel.');
  }
  const inRunsDir = join(runsDir, resume);
  const folder = existsSync(planFile(inRunsDir)) ? inRunsDir : resume;
  return { folder, plan: readPlan(folder) };
}

/** Arms and seeds are spelt out, so that it means the same when defaults change. */
function typed(
  file: string | undefined,
  { preset, engine, epochs, set = [] }: CompareOptions,
  arms: readonly string[],
  seeds: readonly number[],
): string {
  const flag = (name: string, value: string | undefined) => (value === undefined ? [] : [name, value]);
  return command(
    USUAL_PLACE,
    'compare',
    ...(file === undefined ? [] : [file]),
    ...['--arms', arms.join(',')],
    ...(seeds.length > 1 ? ['--seeds', seeds.join(',')] : ['--seeds', '1', '--first-seed', String(seeds[0])]),
    ...flag('--preset', preset),
    ...flag('--engine', engine),
    ...flag('--epochs', epochs),
    ...set.flatMap((setting) => ['--set', setting]),
  );
}

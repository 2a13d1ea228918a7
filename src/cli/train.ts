/** `genenv train` and `genenv resume`: play the game, show it, and survive Ctrl-C. */
import { existsSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { comparisonOfOne } from '../comparison.ts';
import { type Config, differences, loadConfig, presetConfig, settingAt, settingText } from '../config.ts';
import { checkToken, newToken } from '../control.ts';
import { diagnose } from '../doctor.ts';
import { createRunFolder, play, type Summary, storedConfig } from '../run.ts';
import { hasRun, openReader } from '../store/index.ts';
import { UsageError } from './errors.ts';
import { listenForInterrupts } from './interrupts.ts';
import { command, USUAL_PLACE } from './next-step.ts';
import type { CommonOptions } from './options.ts';
import { findRun } from './run-folder.ts';
import { newRunName } from './run-name.ts';
import { openView, type View } from './view.ts';
import { brief } from './visible.ts';

export interface TrainOptions extends CommonOptions {
  preset?: string;
  engine?: string;
  variant?: string;
  epochs?: string;
  seed?: string;
  name?: string;
  threads?: string;
  set?: string[];
  control?: boolean;
}

export async function train(file: string | undefined, options: TrainOptions): Promise<void> {
  const { runsDir, preset, set, engine, variant, epochs, seed, name, threads } = options;
  const { config, overridden } = loadConfig({
    file,
    preset,
    flags: { engine, variant, epochs, seed, name, 'engine.threads': threads },
    set,
  });
  const run = config.name ?? newRunName((taken) => existsSync(join(runsDir, taken)));
  const folder = join(runsDir, run);
  const view = openView(options);
  createRunFolder(folder, { ...config, name: run });
  view.header(folder, config, overridden);
  for (const { message } of diagnose(config).warnings) view.warn(message);
  try {
    await watch(folder, config, view, options);
  } catch (error) {
    // A run that failed before its first commit, on a missing seed file say, has nothing to resume.
    if (!hasCommitted(folder)) rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

export interface ResumeOptions extends CommonOptions {
  epochs?: string;
  concurrency?: string;
  control?: boolean;
}

export async function resume(run: string, options: ResumeOptions): Promise<void> {
  const { folder } = findRun(run, options);
  const stored = readStored(folder);
  const { epochs, concurrency } = options;
  const { config } = loadConfig({ overrides: stored, flags: { epochs, concurrency } });
  if (config.epochs < stored.epochs) {
    throw new UsageError(`${run} was started for ${stored.epochs} epochs; --epochs can only add to that.`);
  }
  const view = openView(options);
  view.header(folder, config, []);
  await watch(folder, config, view, options);
}

function readStored(folder: string): Config {
  using reader = openReader(folder);
  return storedConfig(reader.meta().config);
}

function hasCommitted(folder: string): boolean {
  if (!hasRun(folder)) return false;
  using reader = openReader(folder);
  return reader.cursor() !== undefined;
}

/**
 * Ctrl-C once: the step in progress is finished and committed. Twice: it is abandoned. Either way the run can be resumed,
 * and says how.
 */
async function watch(
  folder: string,
  config: Config,
  view: View,
  options: CommonOptions & { control?: boolean },
): Promise<void> {
  using interrupts = listenForInterrupts(view.stopping);
  const controlToken = options.control ? chooseToken(basename(folder), options) : undefined;
  try {
    for await (const event of play(folder, config, interrupts, { controlToken })) {
      view.event(event.type === 'summary' ? await withReport(event, folder, config, view) : event);
      // An engine that answers at once never leaves the microtask queue, and no signal would ever be delivered.
      await setImmediate();
    }
  } catch (error) {
    if (hasCommitted(folder)) view.failed(command(options, 'resume', basename(folder)));
    throw interrupts.signal.aborted ? interrupts.signal.reason : error;
  } finally {
    view.close();
  }
  if (interrupts.stop.aborted) process.exitCode = 130;
}

/** The token to steer the run with: said even when nothing else is, and on stderr, where no program looks for events. */
function chooseToken(run: string, options: CommonOptions): string {
  const given = process.env.GENENV_CONTROL_TOKEN;
  const token = given ? checkToken(given) : newToken();
  const shown = given ? [] : ['--token', token];
  const typed = command(options, 'control', run, 'pause', ...shown);
  const page = command(options, 'ui', run, '--control', ...shown);
  process.stderr.write(`  control  ${typed}\n           ${page}\n\n`);
  return token;
}

/** The report of what a run amounts to so far. The run is what matters: a disk that is full now must not make it a failure. */
async function withReport(summary: Summary, folder: string, config: Config, view: View): Promise<Summary> {
  if (summary.epochs === 0) return summary;
  try {
    const run = { run: summary.run, folder, config };
    const { writeReport } = await import('../report/index.ts');
    const comparison = await comparisonOfOne(run, commandOf(config), new Date().toISOString());
    return { ...summary, report: (await writeReport(folder, comparison)).html };
  } catch (error) {
    view.warn(`The report could not be written: ${brief(error instanceof Error ? error.message : String(error))}`);
    return { ...summary, report: null };
  }
}

/** What to type to play the same run again. */
function commandOf(config: Config): string {
  const changes = differences(config, presetConfig(config.preset)).flatMap((path) => [
    '--set',
    `${path}=${settingText(settingAt(config, path))}`,
  ]);
  return command(USUAL_PLACE, 'train', '--preset', config.preset, ...changes);
}

/** `genenv train` and `genenv resume`: play the game, show it, and survive Ctrl-C. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, loadConfig } from '../config.ts';
import { diagnose } from '../doctor.ts';
import { createRunFolder, play, storedConfig } from '../run.ts';
import { openReader } from '../store/index.ts';
import { Interrupted, UsageError } from './errors.ts';
import { newRunName } from './run-name.ts';
import { openView, type View } from './view.ts';

interface CommonOptions {
  runsDir: string;
  json?: boolean;
  quiet?: boolean;
}

export interface TrainOptions extends CommonOptions {
  preset?: string;
  engine?: string;
  variant?: string;
  epochs?: string;
  seed?: string;
  name?: string;
  set?: string[];
}

export async function train(file: string | undefined, options: TrainOptions): Promise<void> {
  const { runsDir, preset, set, engine, variant, epochs, seed, name } = options;
  const { config, overridden } = loadConfig({ file, preset, flags: { engine, variant, epochs, seed, name }, set });
  const run = config.name ?? newRunName((taken) => existsSync(join(runsDir, taken)));
  const folder = join(runsDir, run);
  const view = openView(options);
  createRunFolder(folder, { ...config, name: run });
  view.header(folder, config, overridden);
  for (const { message } of diagnose(config).warnings) view.warn(message);
  await watch(folder, config, view);
}

export interface ResumeOptions extends CommonOptions {
  epochs?: string;
  concurrency?: string;
}

export async function resume(run: string, options: ResumeOptions): Promise<void> {
  const folder = join(options.runsDir, run);
  const stored = readStored(folder);
  const { epochs, concurrency } = options;
  const { config } = loadConfig({ overrides: stored, flags: { epochs, concurrency } });
  if (config.epochs < stored.epochs)
    throw new UsageError(`${run} was started for ${stored.epochs} epochs; --epochs can only add to that.`);
  const view = openView(options);
  view.header(folder, config, []);
  await watch(folder, config, view);
}

function readStored(folder: string): Config {
  using reader = openReader(folder);
  return storedConfig(reader.meta().config);
}

/**
 * Ctrl-C once: the step in progress is finished and committed. Twice: it is abandoned. Either way the run can be resumed,
 * and says how.
 */
async function watch(folder: string, config: Config, view: View): Promise<void> {
  const stop = new AbortController();
  const abort = new AbortController();
  const interrupt = () => {
    if (stop.signal.aborted) abort.abort(new Interrupted('Stopped at once. What was committed is safe.'));
    else view.stopping();
    stop.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    for await (const event of play(folder, config, { stop: stop.signal, signal: abort.signal })) view.event(event);
  } catch (error) {
    view.failed(folder);
    throw abort.signal.aborted ? abort.signal.reason : error;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    view.close();
  }
  if (stop.signal.aborted) process.exitCode = 130;
}

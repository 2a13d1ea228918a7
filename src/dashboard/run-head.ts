/** A run in one row, and the page heading with its settings. */
import { type ConfigInput, type LoadedConfig, loadConfig, settingAt } from '../config.ts';
import { alphaSteps } from '../control/tuning.ts';
import { controlState, readChanges, sinceWhen, whatChanged } from '../control.ts';
import type { Json } from '../core/types.ts';
import { ENGINE_DEFAULTS, trainable } from '../open-engine.ts';
import { statusOf } from '../run-status.ts';
import type { RunReader } from '../store/index.ts';
import type { RunHead, RunRow } from './api.ts';

/** The configuration a run was started with; checked again, because the program may have changed since. */
export const configOf = (reader: RunReader): LoadedConfig =>
  loadConfig({ overrides: reader.meta().config as ConfigInput });

export function runRow(
  id: string,
  reader: RunReader,
  writtenAt: number | null,
  loaded: LoadedConfig = configOf(reader),
): RunRow {
  const { config } = loaded;
  return {
    id,
    ...statusOf(reader, config.epochs),
    variant: config.variant,
    engine: config.engine.kind,
    benchmark: config.benchmark.name,
    preset: config.preset,
    seed: config.seed,
    generatedSuccess: reader.browse.endsOf('env/successRate'),
    validation: reader.browse.endsOf('val/successRate'),
    ledger: reader.ledger(),
    createdAt: text(reader.meta().createdAt),
    writtenAt,
  };
}

export function runHead(
  id: string,
  reader: RunReader,
  writtenAt: number | null,
  pools: RunHead['pools'],
  loaded: LoadedConfig,
): RunHead {
  const { config, overridden } = loaded;
  const meta = reader.meta();
  const { version, git, seconds } = meta;
  const changes = readChanges(meta);
  const { maxKl } = config.environment;
  const { alpha, kMin } = config.curriculum;
  const row = runRow(id, reader, writtenAt, loaded);
  return {
    ...row,
    // α may have been changed while the run went on: the page draws in every epoch what was in force then.
    band: { alpha, kMin, steps: alphaSteps(alpha, changes) },
    hold: row.status === 'running' ? holdOf(reader) : null,
    maxKl: maxKl === 'auto' ? ENGINE_DEFAULTS[trainable(config).engine.kind].maxKl : maxKl,
    changed: overridden.map((setting) => ({ setting, value: (settingAt(config, setting) ?? null) as Json })),
    steered: changes.map((change) => ({ who: change.who, what: whatChanged(change), from: sinceWhen(change.from) })),
    seconds: typeof seconds === 'number' ? seconds : null,
    version: text(version),
    git: gitOf(git),
    pools,
  };
}

/** A run that was told to wait looks like one that hangs, unless it says so. */
function holdOf({ folder }: RunReader): RunHead['hold'] {
  try {
    const { status } = controlState(folder);
    return status === 'paused' || status === 'stopping' ? status : null;
  } catch {
    // What another user of this machine has done to a run of theirs is not ours to read.
    return null;
  }
}

const text = (value: Json | undefined) => (typeof value === 'string' ? value : null);

function gitOf(value: Json | undefined): RunHead['git'] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && typeof value.commit === 'string' ? { commit: value.commit, clean: value.clean === true } : null;
}

/** A run in one row: what it is, how far it got and what came of it. */

import type { ConfigInput } from '../config.ts';
import { type LoadedConfig, loadConfig } from '../config.ts';
import type { Ledger } from '../core/journal.ts';
import type { Json } from '../core/types.ts';
import { type RunStatus, statusOf } from '../run-status.ts';
import type { RunReader } from '../store/index.ts';
import { type Summary, summarise } from '../summary.ts';

export interface RunOverview
  extends RunStatus,
    Pick<Summary, 'generatedSuccess' | 'usefulGroups' | 'validation' | 'responseLength'> {
  run: string;
  folder: string;
  variant: string;
  engine: string;
  benchmark: string;
  preset: string;
  seed: number;
  ledger: Ledger;
  createdAt: string | null;
  version: string | null;
  /** The commit of the folder it was started in. */
  git: { commit: string; clean: boolean } | null;
}

/** The configuration a run was started with, and what of it differs from its preset. */
export const configOf = (reader: RunReader): LoadedConfig =>
  // The store kept what the loader gave it; whether that still fits this version is the loader's to say.
  loadConfig({ overrides: reader.meta().config as ConfigInput });

export function overviewOf(run: string, reader: RunReader): RunOverview {
  const { config } = configOf(reader);
  const { createdAt, version, git } = reader.meta();
  const { status, at, epochs } = statusOf(reader, config.epochs);
  const end = { type: 'end', run, status: 'stopped', epoch: at?.epoch ?? 0 } as const;
  const { generatedSuccess, usefulGroups, validation, responseLength, ledger } = summarise(reader, config, end, 0);
  return {
    run,
    folder: reader.folder,
    status,
    at,
    epochs,
    variant: config.variant,
    engine: config.engine.kind,
    benchmark: config.benchmark.name,
    preset: config.preset,
    seed: config.seed,
    generatedSuccess,
    usefulGroups,
    validation,
    responseLength,
    ledger,
    createdAt: text(createdAt),
    version: text(version),
    git: gitOf(git),
  };
}

const text = (value: Json | undefined) => (typeof value === 'string' ? value : null);

function gitOf(value: Json | undefined): RunOverview['git'] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && typeof value.commit === 'string' ? { commit: value.commit, clean: value.clean === true } : null;
}

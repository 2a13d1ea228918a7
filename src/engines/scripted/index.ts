/**
 * The scripted engine: deterministic, instant, public. Both players are tables of logits with exact gradients, so every
 * loss and update of the real engines runs here for real; only the language is scripted.
 */
import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Datum, Reference, Sampler, Trainer, TrainingEngine } from '../../core/engine.ts';
import type { Script } from '../../core/script.ts';
import type { Checkpoint, Player } from '../../core/types.ts';
import { encoder, tableSampler } from './sampler.ts';
import { adamStep, backward, createMoments, createTable, everyRow, forward, type Table } from './table.ts';

export type { Script } from '../../core/script.ts';

export interface ScriptedOptions {
  scripts: Record<Player, Script>;
  /** Where `save` puts its files. */
  checkpoints: string;
}

export interface ScriptedEngine extends TrainingEngine {
  /** An author that writes every option equally often: broad, and blind to the agent. */
  teacher(): Sampler;
}

export function scriptedEngine({ scripts, checkpoints }: ScriptedOptions): ScriptedEngine {
  return {
    name: 'scripted',
    sampler: async (player) => tableSampler(scripts[player], createTable(scripts[player].rows), `${player}-initial`),
    trainer: async (player) => tableTrainer(player, scripts[player], checkpoints),
    async reference(player): Promise<Reference> {
      const table = createTable(scripts[player].rows);
      return {
        ...tableSampler(scripts[player], table, `${player}-initial`),
        logprobs: async (data) => score(table, data),
      };
    },
    teacher() {
      const { rows } = scripts.environment;
      const even = Object.fromEntries(Object.entries(rows).map(([name, logits]) => [name, logits.map(() => 0)]));
      return tableSampler(scripts.environment, createTable(even), 'teacher');
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

function tableTrainer(player: Player, script: Script, folder: string): Trainer {
  const table = createTable(script.rows);
  let moments = createMoments(table.logits.length);
  const grads = new Float64Array(table.logits.length);
  const encode = encoder(script, table);
  const fileOf = (ref: string) => join(folder, `${ref}.json`);
  return {
    player,
    encode: async (messages) => encode(messages).prompt,
    forward: async (data) => score(table, data),
    forwardBackward: async (data, loss) => backward(table, data, loss, grads),
    async optimStep(step) {
      const gradNorm = adamStep(table, grads, moments, step);
      grads.fill(0);
      return { gradNorm };
    },
    publish: async (version) => tableSampler(script, frozen(table), version),
    async save(name) {
      const { first, second, steps } = moments;
      const state = { rows: table.names, logits: [...table.logits], first: [...first], second: [...second], steps };
      const text = JSON.stringify(state);
      await mkdir(folder, { recursive: true });
      await writeAtomically(fileOf(name), text);
      return { player, ref: name, sha256: sha256(text) };
    },
    async load(checkpoint) {
      const state = parseState(await readFile(fileOf(checkpoint.ref), 'utf8'), checkpoint, table);
      table.logits.set(state.logits);
      moments = { first: Float64Array.from(state.first), second: Float64Array.from(state.second), steps: state.steps };
      grads.fill(0);
    },
    discard: (checkpoint) => rm(fileOf(checkpoint.ref), { force: true }),
    [Symbol.asyncDispose]: async () => {},
  };
}

function score(table: Table, data: readonly Datum[]): Float32Array[] {
  const rows = everyRow(table);
  return data.map((datum) => forward(table, datum, rows));
}

const frozen = (table: Table): Table => ({ ...table, logits: table.logits.slice() });

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

interface State {
  rows: string[];
  logits: number[];
  first: number[];
  second: number[];
  steps: number;
}

function parseState(text: string, { ref, sha256: expected }: Checkpoint, { names, logits }: Table): State {
  if (sha256(text) !== expected)
    throw new Error(`Checkpoint ${ref} does not match its checksum: the file was changed or cut short.`);
  const state = JSON.parse(text) as State;
  if (state.rows.join() !== names.join() || state.logits.length !== logits.length) {
    throw new Error(`Checkpoint ${ref} is of another script: it has rows ${state.rows.join(', ')}.`);
  }
  return state;
}

/** Temp file, fsync, rename: whoever reads the name sees all of it or the old one. */
async function writeAtomically(path: string, text: string): Promise<void> {
  const file = await open(`${path}.tmp`, 'w');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.tmp`, path);
}

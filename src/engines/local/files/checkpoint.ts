/** A trainer's state on disk: weights, both moments and the step, each file named with its checksum in one manifest. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checkpoint, Player } from '../../../core/types.ts';
import type { LoraConfig, ModelConfig } from '../model/config.ts';
import { type Layout, tensorOf } from '../model/layout.ts';
import { hashFile, writeFolder, writeText } from './folder.ts';
import { SafetensorsFile, writeSafetensors } from './safetensors.ts';

const FORMAT = 'genenv-local-1';
const ARRAYS = ['weights', 'm', 'v'] as const;

/** What a trainer owns, in the layout of what it trains. */
export interface TrainerState {
  weights: Float32Array;
  m: Float32Array;
  v: Float32Array;
  step: number;
}

export interface CheckpointPlace {
  folder: string;
  player: Player;
  model: { config: ModelConfig; lora?: LoraConfig | undefined };
  layout: Layout;
}

interface Manifest {
  format: string;
  player: Player;
  model: CheckpointPlace['model'];
  step: number;
  files: Record<string, string>;
}

export async function saveCheckpoint(place: CheckpointPlace, name: string, state: TrainerState): Promise<Checkpoint> {
  let sha256 = '';
  await writeFolder(folderOf(place, name), async (temporary) => {
    const files: Record<string, string> = {};
    for (const array of ARRAYS) {
      const file = `${array}.safetensors`;
      const tensors = place.layout.tensors.map(({ name: tensor, shape }) => ({
        name: tensor,
        shape,
        data: tensorOf(place.layout, state[array], tensor),
      }));
      files[file] = await writeSafetensors(join(temporary, file), tensors);
    }
    const manifest: Manifest = { format: FORMAT, player: place.player, model: place.model, step: state.step, files };
    sha256 = await writeText(join(temporary, 'checkpoint.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  });
  return { player: place.player, ref: name, sha256 };
}

/** Reads a checkpoint into fresh arrays: a failure half-way leaves the trainer as it was. */
export async function loadCheckpoint(place: CheckpointPlace, checkpoint: Checkpoint): Promise<TrainerState> {
  const folder = folderOf(place, checkpoint.ref);
  const manifestPath = join(folder, 'checkpoint.json');
  if ((await hashFile(manifestPath)) !== checkpoint.sha256)
    throw new Error(`${manifestPath} is not the file that was saved`);
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as Manifest;
  if (manifest.format !== FORMAT) throw new Error(`${manifestPath} has format ${manifest.format}, expected ${FORMAT}`);
  const differences = differing(
    { ...manifest.model.config, lora: manifest.model.lora },
    { ...place.model.config, lora: place.model.lora },
  );
  if (differences.length > 0) throw new Error(`${folder} is a checkpoint of another model: ${differences.join(', ')}`);
  const arrays = {} as Record<(typeof ARRAYS)[number], Float32Array>;
  for (const array of ARRAYS) {
    const path = join(folder, `${array}.safetensors`);
    if ((await hashFile(path)) !== manifest.files[`${array}.safetensors`])
      throw new Error(`${path} is damaged: its checksum differs`);
    await using file = await SafetensorsFile.open(path);
    arrays[array] = new Float32Array(place.layout.length);
    for (const { name, shape } of place.layout.tensors) {
      await file.read(name, shape, tensorOf(place.layout, arrays[array], name));
    }
  }
  return { ...arrays, step: manifest.step };
}

export async function discardCheckpoint(place: CheckpointPlace, checkpoint: Checkpoint): Promise<void> {
  await rm(folderOf(place, checkpoint.ref), { recursive: true, force: true });
}

/** Names become paths, so they are names and nothing else. */
function folderOf(place: CheckpointPlace, name: string): string {
  if (!/^[\w][\w.-]{0,120}$/.test(name))
    throw new TypeError(`"${name}" is no name for a checkpoint: use letters, digits, . _ -`);
  return join(place.folder, place.player, name);
}

function differing(saved: Record<string, unknown>, wanted: Record<string, unknown>): string[] {
  return Object.keys({ ...saved, ...wanted })
    .filter((key) => JSON.stringify(saved[key]) !== JSON.stringify(wanted[key]))
    .map((key) => `${key} is ${JSON.stringify(saved[key])} there and ${JSON.stringify(wanted[key])} here`);
}

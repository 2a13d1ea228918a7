/** A trainer's state on disk: weights, both moments and the step, each file named with its checksum in one manifest. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoraConfig, ModelConfig } from '../model/config.ts';
import { type Layout, tensorOf } from '../model/layout.ts';
import { hashFile, writeFolder, writeText } from './folder.ts';
import { SafetensorsFile, writeSafetensors } from './safetensors.ts';

const FORMAT = 'genenv-local-1';
const ARRAYS = ['weights', 'm', 'v'] as const;
type ArrayName = (typeof ARRAYS)[number];

/** What a trainer owns, in the layout of what it trains. */
export interface TrainerState {
  weights: Float32Array;
  m: Float32Array;
  v: Float32Array;
  step: number;
}

export interface CheckpointPlace {
  /** Of one model's checkpoints. */
  folder: string;
  model: { config: ModelConfig; lora?: LoraConfig | undefined };
  layout: Layout;
}

interface Manifest {
  format: string;
  model: CheckpointPlace['model'];
  step: number;
  files: Record<string, string>;
}

/** Returns the SHA-256 of the manifest, which names those of all files: equal states have equal ones. */
export async function saveCheckpoint(
  place: CheckpointPlace,
  name: string,
  state: TrainerState,
  arrays: readonly ArrayName[] = ARRAYS,
): Promise<string> {
  let sha256 = '';
  await writeFolder(folderOf(place, name), async (temporary) => {
    const files: Record<string, string> = {};
    for (const array of arrays) {
      const file = `${array}.safetensors`;
      const tensors = place.layout.tensors.map(({ name: tensor, shape }) => ({
        name: tensor,
        shape,
        data: tensorOf(place.layout, state[array], tensor),
      }));
      files[file] = await writeSafetensors(join(temporary, file), tensors);
    }
    const manifest: Manifest = { format: FORMAT, model: place.model, step: state.step, files };
    sha256 = await writeText(join(temporary, 'checkpoint.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  });
  return sha256;
}

/** Reads a checkpoint into fresh arrays: a failure half-way leaves the trainer as it was. */
export async function loadCheckpoint(place: CheckpointPlace, name: string, sha256?: string): Promise<TrainerState> {
  const manifest = await readManifest(place, name, sha256);
  const [weights, m, v] = [
    await readArray(place, name, manifest, 'weights'),
    await readArray(place, name, manifest, 'm'),
    await readArray(place, name, manifest, 'v'),
  ];
  return { weights, m, v, step: manifest.step };
}

/** The weights alone: to sample from, or to train on with a fresh optimizer. */
export async function loadWeights(place: CheckpointPlace, name: string): Promise<Float32Array> {
  return readArray(place, name, await readManifest(place, name), 'weights');
}

async function readManifest(place: CheckpointPlace, name: string, sha256?: string): Promise<Manifest> {
  const folder = folderOf(place, name);
  const path = join(folder, 'checkpoint.json');
  if (sha256 !== undefined && (await hashFile(path)) !== sha256)
    throw new Error(`${path} is not the file that was saved`);
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Manifest;
  if (manifest.format !== FORMAT) throw new Error(`${path} has format ${manifest.format}, expected ${FORMAT}`);
  const differences = differing(
    { ...manifest.model.config, lora: manifest.model.lora },
    { ...place.model.config, lora: place.model.lora },
  );
  if (differences.length > 0) throw new Error(`${folder} is a checkpoint of another model: ${differences.join(', ')}`);
  return manifest;
}

async function readArray(
  place: CheckpointPlace,
  name: string,
  { files }: Manifest,
  array: ArrayName,
): Promise<Float32Array> {
  const path = join(folderOf(place, name), `${array}.safetensors`);
  const expected = files[`${array}.safetensors`];
  if (expected === undefined)
    throw new Error(`${folderOf(place, name)} holds no ${array}: it was saved to sample from`);
  if ((await hashFile(path)) !== expected) throw new Error(`${path} is damaged: its checksum differs`);
  await using file = await SafetensorsFile.open(path);
  const flat = new Float32Array(place.layout.length);
  for (const { name: tensor, shape } of place.layout.tensors) {
    await file.read(tensor, shape, tensorOf(place.layout, flat, tensor));
  }
  return flat;
}

export async function discardCheckpoint(place: CheckpointPlace, name: string): Promise<void> {
  await rm(folderOf(place, name), { recursive: true, force: true });
}

/** Names become paths, so they are names and nothing else. */
function folderOf(place: CheckpointPlace, name: string): string {
  if (!/^[\w][\w.-]{0,120}$/.test(name))
    throw new TypeError(`"${name}" is no name for a checkpoint: use letters, digits, . _ -`);
  return join(place.folder, name);
}

function differing(saved: Record<string, unknown>, wanted: Record<string, unknown>): string[] {
  return Object.keys({ ...saved, ...wanted })
    .filter((key) => JSON.stringify(saved[key]) !== JSON.stringify(wanted[key]))
    .map((key) => `${key} is ${JSON.stringify(saved[key])} there and ${JSON.stringify(wanted[key])} here`);
}

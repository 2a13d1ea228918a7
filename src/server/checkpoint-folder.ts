/** Where a server's checkpoints lie: one folder a model, with a note of what it was made from, so that a later start of the server can read them. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CheckpointKind,
  type CheckpointPath,
  formatCheckpointPath,
  isCheckpointName,
  parseCheckpointPath,
} from '../wire/checkpoint-path.ts';
import type { AdapterOptions } from './host.ts';
import { Refusal } from './refusal.ts';

/** What a model was made from. */
export interface ModelNote {
  base_model: string;
  lora_rank: number | null;
  /** What the adapter is on, where that is not every projection. */
  lora_on?: AdapterOptions['on'];
}

export const noteOf = (base_model: string, adapter: AdapterOptions | null): ModelNote => ({
  base_model,
  lora_rank: adapter?.rank ?? null,
  ...(adapter?.on ? { lora_on: adapter.on } : {}),
});

export const adapterIn = ({ lora_rank, lora_on }: ModelNote): AdapterOptions | null =>
  lora_rank === null ? null : { rank: lora_rank, ...(lora_on ? { on: lora_on } : {}) };

export interface StoredCheckpoint extends CheckpointPath {
  /** The folder that holds it, under its name. */
  folder: string;
  note: ModelNote;
}

export interface ListedCheckpoint {
  checkpoint_id: string;
  checkpoint_type: 'training' | 'sampler';
  time: string;
  tinker_path: string;
}

const KINDS: Readonly<Record<CheckpointKind, ListedCheckpoint['checkpoint_type']>> = {
  weights: 'training',
  sampler_weights: 'sampler',
};

export class CheckpointFolder {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Prepares the place of a new checkpoint. Names are checked before anything is a path. */
  async place(path: CheckpointPath, note: ModelNote, { overwrite }: { overwrite: boolean }): Promise<string> {
    if (!isCheckpointName(path.name))
      throw new Refusal(400, `"${path.name}" is no name for a checkpoint: use letters, digits, - and _, at most 100.`);
    const folder = this.#folder(path);
    if (!overwrite && existsSync(join(folder, path.name)))
      throw new Refusal(400, `${formatCheckpointPath(path)} exists already: choose another name, or say overwrite.`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(this.#model(path.modelId), 'model.json'), `${JSON.stringify(note)}\n`);
    return folder;
  }

  async find(text: string): Promise<StoredCheckpoint> {
    const path = parseCheckpointPath(text);
    if (!path)
      throw new Refusal(400, `"${text.slice(0, 120)}" is no checkpoint: the form is tinker://MODEL/weights/NAME.`);
    const folder = this.#folder(path);
    if (!existsSync(join(folder, path.name, 'checkpoint.json')))
      throw new Refusal(404, `There is no checkpoint ${text} on this server.`);
    const note = JSON.parse(await readFile(join(this.#model(path.modelId), 'model.json'), 'utf8')) as ModelNote;
    return { ...path, folder, note };
  }

  async list(modelId: string): Promise<ListedCheckpoint[]> {
    const listed: ListedCheckpoint[] = [];
    for (const kind of Object.keys(KINDS) as CheckpointKind[]) {
      const folder = this.#folder({ modelId, kind });
      const names = existsSync(folder) ? await readdir(folder) : [];
      for (const name of names.filter(isCheckpointName)) {
        const { mtime } = await stat(join(folder, name));
        listed.push({
          checkpoint_id: `${kind}/${name}`,
          checkpoint_type: KINDS[kind],
          time: mtime.toISOString(),
          tinker_path: formatCheckpointPath({ modelId, kind, name }),
        });
      }
    }
    return listed.sort((a, b) => (a.time < b.time ? -1 : 1));
  }

  async remove(text: string): Promise<void> {
    const { folder, name } = await this.find(text);
    await rm(join(folder, name), { recursive: true, force: true });
  }

  #folder({ modelId, kind }: Pick<CheckpointPath, 'modelId' | 'kind'>): string {
    return join(this.#model(modelId), kind);
  }

  /** Colons are no part of a file's name everywhere. */
  #model(modelId: string): string {
    if (!/^[A-Za-z0-9_:-]{1,100}$/.test(modelId)) throw new Refusal(404, 'There is no such model.');
    return join(this.#root, modelId.replaceAll(':', '.'));
  }
}

import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../../core/types.ts';
import { modelConfig } from '../model/config.ts';
import { initialiseModel } from '../model/initialise.ts';
import { modelLayout } from '../model/layout.ts';
import { type CheckpointPlace, loadCheckpoint, loadWeights, saveCheckpoint } from './checkpoint.ts';
import { loadModelFolder, saveModelFolder } from './hugging-face.ts';
import { SafetensorsFile, writeSafetensors } from './safetensors.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'genenv-files-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function hostile(header: unknown, dataBytes: number, claimed?: bigint): Promise<SafetensorsFile> {
  const json = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(claimed ?? BigInt(json.length));
  const path = join(folder, 'hostile.safetensors');
  await writeFile(path, Buffer.concat([length, json, Buffer.alloc(dataBytes)]));
  return SafetensorsFile.open(path);
}
const entry = (shape: Json, offsets: Json, dtype = 'F32') => ({ dtype, shape, data_offsets: offsets });

describe('safetensors', () => {
  it('gives back what was written, shared memory included', async () => {
    const path = join(folder, 'a.safetensors');
    const shared = new Float32Array(new SharedArrayBuffer(24)).map((_, i) => i / 3);
    await writeSafetensors(path, [
      { name: 'one', shape: [2, 3], data: shared },
      { name: 'two', shape: [1], data: Float32Array.of(7) },
    ]);
    await using file = await SafetensorsFile.open(path);
    const read = new Float32Array(6);
    await file.read('one', [2, 3], read);
    expect(read).toEqual(Float32Array.from({ length: 6 }, (_, i) => i / 3));
  });

  it('reads bf16 and f16', async () => {
    const path = join(folder, 'halves.safetensors');
    const json = Buffer.from(JSON.stringify({ b: entry([2], [0, 4], 'BF16'), h: entry([4], [4, 12], 'F16') }));
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(json.length));
    const data = Buffer.from(Uint16Array.of(0x3fc0, 0xc000, 0x3c00, 0xc100, 0x0001, 0x7c00).buffer);
    await writeFile(path, Buffer.concat([length, json, data]));
    await using file = await SafetensorsFile.open(path);
    const [b, h] = [new Float32Array(2), new Float32Array(4)];
    await file.read('b', [2], b);
    await file.read('h', [4], h);
    expect([...b, ...h]).toEqual([1.5, -2, 1, -2.5, 2 ** -24, Number.POSITIVE_INFINITY]);
  });

  it.each<[string, unknown, number, bigint | undefined, string]>([
    ['a header longer than the file', {}, 0, 1n << 40n, 'truncated, or no safetensors file'],
    ['a header of absurd length', {}, 0, (1n << 63n) + 5n, 'truncated'],
    ['no JSON', 'not json', 0, undefined, 'the header is not JSON'],
    ['a list', [], 0, undefined, 'no object'],
    ['an offset beyond the end', { w: entry([4], [0, 16]) }, 8, undefined, 'tensor w claims bytes 0…16 of 8'],
    ['a shape that lies', { w: entry([5], [0, 16]) }, 16, undefined, 'tensor w of [5] F32 needs 20 bytes and has 16'],
    ['a shape that overflows', { w: entry([2 ** 52, 2 ** 52], [0, 16]) }, 16, undefined, 'tensor w'],
    ['negative sizes', { w: entry([-1], [0, 4]) }, 4, undefined, 'tensor w has no valid shape'],
    ['overlap', { a: entry([2], [0, 8]), b: entry([2], [4, 12]) }, 12, undefined, 'tensor b overlaps another'],
    ['a gap', { a: entry([1], [0, 4]), b: entry([1], [8, 12]) }, 12, undefined, 'tensor b leaves a gap'],
    ['data nobody owns', { a: entry([1], [0, 4]) }, 12, undefined, 'tensors fill 4 bytes, the file holds 12'],
    ['an entry of nothing', { a: null }, 0, undefined, 'tensor a has no dtype'],
  ])('refuses %s', async (_, header, bytes, claimed, message) => {
    await expect(hostile(header, bytes, claimed)).rejects.toThrow(message);
  });

  it('refuses a type it cannot read, by name', async () => {
    await using file = await hostile({ w: entry([2], [0, 2], 'F8_E4M3') }, 2);
    await expect(file.read('w', [2], new Float32Array(2))).rejects.toThrow('tensor w is F8_E4M3; F32, F16 and BF16');
  });
});

const config = modelConfig({ vocabulary: 20, width: 8, layers: 1, heads: 2, context: 32, qkvBias: true });
const layout = modelLayout(config);

describe('a checkpoint', () => {
  const place = (): CheckpointPlace => ({ folder: join(folder, 'ckpt', 'agent'), model: { config }, layout });
  const state = () => ({
    weights: initialiseModel(config, 1),
    m: new Float32Array(layout.length).fill(0.5),
    v: new Float32Array(layout.length).fill(0.25),
    step: 12,
  });

  it('comes back as it was, may be saved again under its name, and leaves nothing else behind', async () => {
    await saveCheckpoint(place(), 'epoch-1', { ...state(), step: 3 });
    const sha256 = await saveCheckpoint(place(), 'epoch-1', state());
    const loaded = await loadCheckpoint(place(), 'epoch-1', sha256);
    expect(loaded.step).toBe(12);
    expect(loaded.weights).toEqual(state().weights);
    expect(await readdir(join(folder, 'ckpt', 'agent'))).toEqual(['epoch-1']);
    const elsewhere = { ...place(), folder: join(folder, 'ckpt', 'other') };
    expect(await saveCheckpoint(elsewhere, 'copy', state())).toBe(sha256);
  });

  it('of weights alone gives them back, and has no optimizer to go on with', async () => {
    await saveCheckpoint(place(), 'to-sample', state(), ['weights']);
    expect(await loadWeights(place(), 'to-sample')).toEqual(state().weights);
    await expect(loadCheckpoint(place(), 'to-sample')).rejects.toThrow('holds no m');
  });

  it('is refused when damaged, when swapped, when of another model, and under a name that is a path', async () => {
    const sha256 = await saveCheckpoint(place(), 'epoch-2', state());
    const other = { ...place(), model: { config: { ...config, mlpWidth: 64 } } };
    await expect(loadCheckpoint(other, 'epoch-2', sha256)).rejects.toThrow(
      'another model: mlpWidth is 32 there and 64 here',
    );
    await expect(loadCheckpoint(place(), 'epoch-2', 'x')).rejects.toThrow('not the file that was saved');
    await truncate(join(folder, 'ckpt/agent/epoch-2/m.safetensors'), 400);
    await expect(loadCheckpoint(place(), 'epoch-2', sha256)).rejects.toThrow('m.safetensors is damaged');
    await expect(saveCheckpoint(place(), '../out', state())).rejects.toThrow('is no name for a checkpoint');
  });
});

describe('a Hugging Face folder', () => {
  it('is loaded from one file and from shards', async () => {
    const path = join(folder, 'model');
    const weights = initialiseModel(config, 4);
    const tokenizer = { model: { vocab: { a: 0 } } };
    await saveModelFolder(path, { config, weights, tokenizer });
    expect(await loadModelFolder(path)).toEqual({ config, weights });
    expect(JSON.parse(await readFile(join(path, 'tokenizer.json'), 'utf8'))).toEqual(tokenizer);
    expect((await loadModelFolder(path, { context: 16 })).config.context).toBe(16);

    const names = layout.tensors.map(({ name }) => name);
    const tensors = layout.tensors.map((t) => ({ ...t, data: weights.subarray(t.offset, t.offset + t.size) }));
    await writeSafetensors(join(path, 'model-1.safetensors'), tensors.slice(0, 5));
    await writeSafetensors(join(path, 'model-2.safetensors'), tensors.slice(5));
    await rm(join(path, 'model.safetensors'));
    const map = Object.fromEntries(names.map((name, i) => [name, `model-${i < 5 ? 1 : 2}.safetensors`]));
    const index = join(path, 'model.safetensors.index.json');
    await writeFile(index, JSON.stringify({ weight_map: map }));
    expect((await loadModelFolder(path)).weights).toEqual(weights);

    await writeFile(index, JSON.stringify({ weight_map: { ...map, x: '../../secret.safetensors' } }));
    await expect(loadModelFolder(path)).rejects.toThrow('names "../../secret.safetensors"');
  });

  it('of another family, or with NaN weights, is refused with the reason', async () => {
    const path = join(folder, 'broken');
    const weights = initialiseModel(config, 4);
    weights[layout.tensors[3]!.offset] = Number.NaN;
    await saveModelFolder(path, { config, weights, tokenizer: {} });
    await expect(loadModelFolder(path)).rejects.toThrow(`tensor ${layout.tensors[3]!.name} holds NaN`);
    const json = JSON.parse(await readFile(join(path, 'config.json'), 'utf8'));
    await writeFile(join(path, 'config.json'), JSON.stringify({ ...json, model_type: 'gpt2' }));
    await expect(loadModelFolder(path)).rejects.toThrow('model_type gpt2 is not one of');
  });
});

/** Against a hub on this machine that speaks as the real one does. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTransport } from '../data/transport.ts';
import { COMMIT, FILES, listed, loopbackHub, sha256, sibling, WEIGHTS } from './fixtures.ts';
import type { Manifest } from './manifest.ts';
import { pullModel } from './pull-model.ts';
import { hubOf } from './repository.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'genenv-hub-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Asked {
  repository?: string;
  revision?: string;
  files?: string[];
  token?: string;
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

async function pull(endpoint: string, asked: Asked = {}) {
  const { repository = 'owner/small', revision = 'main', files = [], token, onProgress = () => {} } = asked;
  const dispatcher = openTransport();
  try {
    return await pullModel({
      hub: hubOf({ HF_ENDPOINT: endpoint, HF_TOKEN: token }),
      repository,
      revision,
      files,
      folder,
      dispatcher,
      signal: asked.signal ?? new AbortController().signal,
      onProgress,
      backoffMs: 1,
    });
  } finally {
    await dispatcher.destroy();
  }
}

const here = () => readdirSync(folder, { recursive: true }).map(String).sort();
const manifest = (): Manifest => JSON.parse(readFileSync(join(folder, 'genenv-model.json'), 'utf8'));

describe('a model from the hub', () => {
  it('arrives with what is needed to run it, and says which commit it is', async () => {
    await using hub = await loopbackHub();
    const seen: number[] = [];
    const { fetched, kept } = await pull(hub.endpoint, { onProgress: (done, total) => seen.push(done / total) });
    expect({ fetched, kept }).toEqual({ fetched: 4, kept: 0 });
    expect(here()).toEqual(['LICENSE', 'config.json', 'genenv-model.json', 'model.safetensors', 'tokenizer.json']);
    expect(readFileSync(join(folder, 'model.safetensors')).equals(WEIGHTS)).toBe(true);
    expect(manifest()).toMatchObject({
      repository: 'owner/small',
      endpoint: hub.endpoint,
      revision: 'main',
      commit: COMMIT,
    });
    expect(manifest().files).toContainEqual({ path: 'config.json', bytes: 23, sha256: sha256(FILES['config.json']!) });
    expect(seen.at(-1)).toBe(1);
    // Files are asked for by commit: a branch may move meanwhile.
    expect(hub.asked.slice(1).every(({ host, path }) => host === 'files' || path.includes(COMMIT))).toBe(true);
  });

  it('is left alone when it is here, and mended where it is wrong', async () => {
    await using hub = await loopbackHub();
    await pull(hub.endpoint);
    expect(await pull(hub.endpoint, { revision: 'v1' })).toMatchObject({ fetched: 0, kept: 4 });
    writeFileSync(join(folder, 'config.json'), '{"model_type": "LLAMA"}');
    expect(await pull(hub.endpoint)).toMatchObject({ fetched: 1, kept: 3 });
    expect(readFileSync(join(folder, 'config.json'), 'utf8')).toContain('llama');
  });

  it('goes on where it was broken off', async () => {
    let cuts = 0;
    await using hub = await loopbackHub((request, response) => {
      if (request.url !== '/model.safetensors' || cuts++ > 0) return undefined;
      response.writeHead(200, { 'content-length': WEIGHTS.length });
      response.write(WEIGHTS.subarray(0, 100_000), () => setTimeout(() => response.destroy(), 20));
      return true;
    });
    await pull(hub.endpoint);
    expect(hub.asked.filter(({ host }) => host === 'files').map(({ range }) => range)).toEqual([
      undefined,
      'bytes=100000-',
    ]);
    expect(readFileSync(join(folder, 'model.safetensors')).equals(WEIGHTS)).toBe(true);
  });

  it('keeps what has arrived when it is interrupted', async () => {
    await using hub = await loopbackHub((request, response) => {
      if (request.url !== '/model.safetensors' || request.headers.range) return undefined;
      response.writeHead(200, { 'content-length': WEIGHTS.length });
      response.write(WEIGHTS.subarray(0, 50_000));
      return true;
    });
    const stop = new AbortController();
    const onProgress = (done: number) => done >= 50_000 && stop.abort(new Error('Ctrl-C'));
    await expect(pull(hub.endpoint, { signal: stop.signal, onProgress })).rejects.toThrow('Ctrl-C');
    expect(existsSync(join(folder, 'model.safetensors.part'))).toBe(true);
    expect(existsSync(join(folder, 'genenv-model.json'))).toBe(false);
    await pull(hub.endpoint);
    expect(hub.asked.at(-1)?.range ?? hub.asked.find(({ range }) => range)?.range).toMatch(/^bytes=\d+-$/);
  });

  it('may be a part of it, by patterns', async () => {
    await using hub = await loopbackHub();
    await pull(hub.endpoint, { files: ['tok*.json', 'onnx/**'] });
    expect(here()).toEqual(['genenv-model.json', 'onnx', 'onnx/model.onnx', 'tokenizer.json']);
    await expect(pull(hub.endpoint, { files: ['*.gguf'] })).rejects.toThrow(
      /No file matches "\*\.gguf"\. There are: config\.json/,
    );
  });
});

describe('a token', () => {
  it('is sent to the hub and to no other host, and stands in no error', async () => {
    await using hub = await loopbackHub();
    await pull(hub.endpoint, { token: 'hf_secret' });
    const [atHub, elsewhere] = ['hub', 'files'].map((host) => hub.asked.filter((asked) => asked.host === host));
    expect(atHub!.length).toBeGreaterThan(0);
    expect(atHub!.every(({ token }) => token === 'Bearer hf_secret')).toBe(true);
    expect(elsewhere!.length).toBeGreaterThan(0);
    expect(elsewhere!.every(({ token }) => token === undefined)).toBe(true);
    expect(JSON.stringify(manifest())).not.toContain('hf_secret');
    await expect(pull(hub.endpoint, { repository: 'owner/none', token: 'hf_secret' })).rejects.toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hf_secret') }),
    );
    expect(() => hubOf({ HF_TOKEN: 'hf secret' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hf secret') }),
    );
  });
});

describe('what cannot be pulled', () => {
  it('is named with what to do about it', async () => {
    await using hub = await loopbackHub();
    await expect(pull(hub.endpoint, { repository: 'owner/none' })).rejects.toThrow(
      /no model owner\/none at .*set HF_TOKEN/,
    );
    await expect(pull(hub.endpoint, { revision: 'v9' })).rejects.toThrow(/has no revision v9/);
    await expect(pull(hub.endpoint, { repository: '../etc' })).rejects.toThrow(/Write owner\/name/);
    await expect(pull(hub.endpoint, { revision: '../..' })).rejects.toThrow(/no branch, tag or commit/);
    expect(() => hubOf({ HF_ENDPOINT: 'file:///etc' })).toThrow(/HF_ENDPOINT is not the address of a hub/);
    await expect(pull('http://127.0.0.1:1')).rejects.toThrow(/cannot be reached: .*HF_ENDPOINT/);
  });

  it('is a model behind a licence', async () => {
    await using hub = await loopbackHub((_, response) => {
      response.writeHead(403, { 'x-error-code': 'GatedRepo' }).end('{}');
      return true;
    });
    await expect(pull(hub.endpoint)).rejects.toThrow(/is behind a licence\. Accept it at .* and set HF_TOKEN/);
  });

  it('is a file that is not what the list says', async () => {
    const files = listed().map((entry) => ('lfs' in entry ? sibling('model.safetensors', WEIGHTS) : entry));
    await using hub = await loopbackHub((request, response) => {
      if (!request.url?.endsWith('/config.json')) return undefined;
      response.end('{"model_type": "LLAMA"}');
      return true;
    }, files);
    await expect(pull(hub.endpoint)).rejects.toThrow(/config\.json has the checksum .*nothing was kept/);
    expect(existsSync(join(folder, 'config.json'))).toBe(false);
  });

  it.each([
    '../outside.json',
    '/etc/passwd.json',
    'a/../../b.json',
    'C:\\x.json',
    'x\u0000.json',
    'a//b.json',
    'model.part',
  ])('is a list that names %j', async (path) => {
    await using hub = await loopbackHub(undefined, [sibling(path, Buffer.from('{}'))]);
    await expect(pull(hub.endpoint)).rejects.toThrow(/lists a file that cannot be written/);
    expect(here()).toEqual([]);
  });

  it.each([
    ['HTML', '<html>'],
    ['no list', '{"sha": "x"}'],
    ['a file without a checksum', JSON.stringify({ sha: COMMIT, siblings: [{ rfilename: 'config.json', size: 3 }] })],
    [
      'a size below nothing',
      JSON.stringify({ sha: COMMIT, siblings: [{ rfilename: 'x.json', size: -1, blobId: COMMIT }] }),
    ],
  ])('is a hub that answers with %s', async (_, body) => {
    await using hub = await loopbackHub((_request, response) => {
      response.end(body);
      return true;
    });
    await expect(pull(hub.endpoint)).rejects.toThrow(/not as a model hub does|without a size or a checksum/);
  });

  it('is a second model into the folder of another', async () => {
    await using hub = await loopbackHub();
    writeFileSync(join(folder, 'genenv-model.json'), JSON.stringify({ repository: 'owner/large' }));
    await expect(pull(hub.endpoint)).rejects.toThrow(/holds owner\/large\. Choose another folder with --to/);
  });
});

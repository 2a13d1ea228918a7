import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { COMMIT, loopbackHub } from '../hub/fixtures.ts';
import { pullCommand } from './model-pull.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'genenv-pull-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

it('model pull says which commit has arrived where, and nothing of the token', async () => {
  await using hub = await loopbackHub();
  vi.stubEnv('HF_ENDPOINT', hub.endpoint);
  vi.stubEnv('HF_TOKEN', 'hf_secret');
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const options = { runsDir: 'runs', revision: 'main', files: ['*.json'], to: join(folder, 'model') };
  await pullCommand('owner/small', { ...options, json: true });
  await pullCommand('owner/small', options);
  const [json, text] = [out, err].map((spy) => spy.mock.calls.map(([chunk]) => String(chunk)).join(''));
  expect(JSON.parse(json!)).toMatchObject({ fetched: 2, kept: 0, repository: 'owner/small', commit: COMMIT });
  expect(text).toContain(`owner/small is here`);
  expect(text).toContain(COMMIT);
  expect(readFileSync(join(folder, 'model/config.json'), 'utf8')).toContain('llama');
  expect(json! + text!).not.toContain('hf_secret');
});

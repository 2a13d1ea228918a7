import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

function genenv(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['dist/cli/main.js', 'serve', ...args], { env: { ...process.env, ...env } });
  const said = { out: '', err: '' };
  child.stdout.on('data', (piece) => {
    said.out += piece;
  });
  child.stderr.on('data', (piece) => {
    said.err += piece;
  });
  return { child, said, left: once(child, 'exit').then(([code]) => code as number | null) };
}

const place = () => mkdtempSync(join(tmpdir(), 'genenv-serve-command-'));

// Starts the program as its users do, which takes a second or two.
it('serves a new model until it is interrupted, under the key of the environment, which it does not print', async () => {
  const folder = place();
  const corpus = join(folder, 'corpus.txt');
  writeFileSync(corpus, 'one two three four\n');
  const size = ['--tokenizer', 'words', '--width', '16', '--layers', '1', '--heads', '2', '--context', '32'];
  const args = ['--corpus', corpus, ...size, '--folder', join(folder, 'serve'), '--port', '0', '--threads', '1'];
  const key = 'tml-a-key-of-the-test-alone';
  const { child, said, left } = genenv([...args, '--key-env', 'SERVE_TEST_KEY', '--json'], { SERVE_TEST_KEY: key });
  await once(child.stdout, 'data');
  const { url, models } = JSON.parse(said.out);
  expect(models).toEqual([{ name: 'new', context: 32, vocabulary: expect.any(Number) }]);
  const answer = await fetch(`${url}/api/v1/get_server_capabilities`, { headers: { 'x-api-key': key } });
  expect(answer.status).toBe(200);
  child.kill('SIGTERM');
  expect(await left).toBe(0);
  expect(said.out + said.err).not.toContain(key);
});

it('says what is missing before it starts anything', async () => {
  const refused: [string[], RegExp][] = [
    [[], /--model FOLDER, or --corpus FILE/],
    [['--model', 'no-such-folder'], /no-such-folder is no model folder/],
    [['--key-env', 'NOT_SET_ANYWHERE', '--model', 'x'], /the environment has no NOT_SET_ANYWHERE/],
  ];
  await Promise.all(
    refused.map(async ([args, reason]) => {
      const { said, left } = genenv(args);
      expect([await left, said.err]).toEqual([2, expect.stringMatching(reason)]);
    }),
  );
});

/** A process may end in the middle of the engine's work, with its own exit code. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const program = (end: string) => `
  import { localEngine } from ${JSON.stringify(new URL('../dist/engines/local/index.js', import.meta.url).href)};
  const tokenizer = { kind: 'words', vocabulary: 64, corpus: ['a b c'] };
  const engine = await localEngine({
    model: { kind: 'new', size: { width: 128, layers: 4, heads: 4, context: 512 }, tokenizer },
    seed: 1, checkpoints: 'unused', threads: 2,
  });
  const sampler = await engine.sampler('agent');
  const request = { messages: [{ role: 'user', content: 'a b' }], tools: [], n: 8, maxTokens: 400, temperature: 1 };
  for (let seed = 0; seed < 16; seed++) sampler.sample({ ...request, seed }).catch(() => {});
  await sampler.sample({ ...request, maxTokens: 4, seed: 99 });
  console.log('working');
  setTimeout(() => { ${end} }, 200);
`;

it.each([
  ['process.exit(3)', 3],
  ['throw new Error("boom")', 1],
])('ends by %s with code %i while workers are busy', (end, code) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program(end)], {
    encoding: 'utf8',
  });
  expect(stdout).toBe('working\n');
  expect(stderr).not.toContain('terminate called');
  expect(status).toBe(code);
});

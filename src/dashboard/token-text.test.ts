import { execFile } from 'node:child_process';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../config.ts';
import { buildTokenizer } from '../engines/local/tokenizer/build.ts';
import { tempFolder } from '../fixtures.ts';
import { loadTokenizer } from '../tokens/tokenizer.ts';
import { MOST_TOKENS, openTokenText } from './token-text.ts';
import { tokenizerFolder } from './tokenizer-folder.ts';

const json = buildTokenizer(['ring the bell'], { kind: 'words', vocabulary: 40 });
const folder = tempFolder();
writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(json));
const ids = loadTokenizer(json).encode('ring the bell');

describe('the text of tokens', () => {
  it('is that of each list, and the thread that knows it ends and starts again', async () => {
    const tokenText = openTokenText({ idleMs: 1 });
    const said = { texts: [['ring', ' the', ' bell'], []], why: null };
    expect(await tokenText(folder, [ids, []])).toEqual(said);
    await new Promise((done) => setTimeout(done, 50));
    expect(await Promise.all([tokenText(folder, [ids, []]), tokenText(folder, [ids, []])])).toEqual([said, said]);
  });

  it('does not keep a program alive that has its answer', async () => {
    const module = new URL('../../dist/dashboard/token-text.js', import.meta.url);
    const code = `import { openTokenText } from ${JSON.stringify(module)};
      const { texts } = await openTokenText()(${JSON.stringify(folder)}, [${JSON.stringify(ids)}]);
      process.stdout.write(texts[0].join(''));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
      timeout: 25_000,
    });
    expect(stdout).toBe('ring the bell');
  });

  it('is not there, for a reason, where there is no tokenizer, a broken one, one too large or too many tokens', async () => {
    const tokenText = openTokenText();
    const why = async (where: string) => (await tokenText(where, [ids])).why;
    expect(await why(join(folder, 'nowhere'))).toContain('not there any more');
    const broken = join(folder, 'broken');
    mkdirSync(broken);
    writeFileSync(join(broken, 'tokenizer.json'), '{ "model": 3 }');
    expect(await why(broken)).toMatch(/tokenizer.json/);
    writeFileSync(join(broken, 'tokenizer.json'), 'no JSON');
    expect(await why(broken)).toMatch(/JSON/);
    truncateSync(join(broken, 'tokenizer.json'), 100 << 20);
    expect(await why(broken)).toContain('at most');
    expect((await tokenText(folder, [Array(MOST_TOKENS + 1).fill(1)])).why).toContain('too many');
    expect(await why(folder)).toBe(null);
  });

  it('is given up where the thread takes too long or dies, and the next question is answered again', async () => {
    const program = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);
    const stuck = openTokenText({ patienceMs: 50, entry: program('setInterval(() => {}, 1000)') });
    expect((await stuck(folder, [ids])).why).toContain('took longer');
    const dying = openTokenText({ entry: program('throw new Error("no memory")') });
    expect((await dying(folder, [ids])).why).toContain('no memory');
    expect((await dying(folder, [ids])).why).toContain('no memory');
  });
});

describe('the tokenizer of a run', () => {
  const where = (engine: object, player: 'agent' | 'environment' = 'agent', more: object = {}) =>
    tokenizerFolder(loadConfig({ overrides: { engine, ...more } as never }).config, '/run', player);

  it('is its own, its model’s or the one a server was used with', () => {
    expect(where({ kind: 'local' })).toEqual({ folder: join('/run', 'models', 'agent') });
    expect(where({ kind: 'local', model: '/m' }, 'environment')).toEqual({ folder: '/m' });
    const tinker = { kind: 'tinker', url: 'http://localhost', model: 'q', tokenizer: '/a' };
    expect(where(tinker, 'environment')).toEqual({ folder: '/a' });
    const two = { ...tinker, environmentModel: 'r', environmentTokenizer: '/b' };
    expect(where(two, 'environment')).toEqual({ folder: '/b' });
  });

  it('is not to be had where tokens are no text', () => {
    expect(where({ kind: 'scripted' })).toMatchObject({ why: expect.stringContaining('table') });
  });
});

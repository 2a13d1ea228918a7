/** Benchmarks and checks run on the built code, unseen by the type checker: here their imports are held against the source. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const scripts = ['bench', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.mjs'))
    .map((file) => join(folder, file)),
);
const IMPORT = /^import \{([^}]*)\} from '(\.[^']*\/dist\/[^']*)\.js';$/gm;

describe('scripts beside the source', () => {
  it('are found', () => expect(scripts).toContain(join('bench', 'headroom.mjs')));

  it.each(scripts)('%s imports only what there is', async (script) => {
    for (const [, names, path] of readFileSync(join(root, script), 'utf8').matchAll(IMPORT)) {
      const built = relative(join(root, 'dist'), resolve(root, dirname(script), path!));
      const source = await import(join(root, 'src', `${built}.ts`));
      for (const name of names!.split(',').map((each) => each.trim()))
        expect(source, `${built} of ${script}`).toHaveProperty(name);
    }
  });
});

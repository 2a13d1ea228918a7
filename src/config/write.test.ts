/** Any configuration the schema allows is written as YAML and read back. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { type Config, configToYaml, loadConfig, presetConfig } from '../config.ts';
import { type Setting, settings } from './settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'genenv-write-'));
const file = join(folder, 'config.yaml');
afterAll(() => rmSync(folder, { recursive: true }));

function writeAndLoad(config: Config): ReturnType<typeof loadConfig> {
  writeFileSync(file, configToYaml(config));
  return loadConfig({ file });
}

/** Any value a setting takes, read off its JSON Schema. */
function anyValue({ path, node }: Pick<Setting, 'path' | 'node'>): fc.Arbitrary<unknown> {
  if (node.anyOf) return fc.oneof(...node.anyOf.map((option) => anyValue({ path, node: option })));
  if (node.const !== undefined) return fc.constant(node.const);
  if (node.enum) return fc.constantFrom(...node.enum);
  const { minimum = 0, maximum = 1e9, exclusiveMinimum, exclusiveMaximum } = node;
  switch (node.type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: minimum, max: maximum });
    case 'number':
      return fc.double({
        min: exclusiveMinimum ?? minimum,
        max: exclusiveMaximum ?? maximum,
        minExcluded: exclusiveMinimum !== undefined,
        maxExcluded: exclusiveMaximum !== undefined,
        noNaN: true,
      });
    case 'object':
      return fc.dictionary(fc.stringMatching(/^x-[a-z]{1,8}$/), fc.stringMatching(/^[a-z0-9 :'"#]{0,8}$/));
    default:
      if (path.endsWith('.url')) return fc.webUrl({ validSchemes: ['http', 'https'], withQueryParameters: false });
      if (path.endsWith('.keyEnv')) return fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,9}$/);
      if (path === 'name') return fc.stringMatching(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,79}$/);
      return fc.string({ unit: 'binary', minLength: 1 }).map((text) => resolve('/', text.replaceAll('\0', '_')));
  }
}

/** Chosen setting by setting, less those that the chosen engine and benchmark do not have. */
function anyConfig(): fc.Arbitrary<Config> {
  const { all, tagged } = settings();
  const every = fc.record(Object.fromEntries([...all].map(([path, setting]) => [path, anyValue(setting)])));
  return every.map((values) => {
    const tree: Record<string, unknown> = {};
    for (const { path, section, key } of all.values()) {
      const kinds = tagged.get(section);
      const known = kinds?.keys.get(String(values[`${section}.${kinds.tag}`]));
      if (known && !known.includes(key)) continue;
      if (section === '') tree[key] = values[path];
      else tree[section] = { ...(tree[section] as object | undefined), [key]: values[path] };
    }
    // The rules between settings; the one about models is kept because every setting is given, engine.model too.
    const pools = tree.pools as Config['pools'];
    tree.pools = { ...pools, baseShare: pools.baseShare / 2.5, replayShare: pools.replayShare / 2.5 };
    if (tree.variant === 'genenv') delete tree.writer;
    return loadConfig({ overrides: tree }).config;
  });
}

test('any configuration survives YAML', () => {
  fc.assert(
    fc.property(anyConfig(), (config) => {
      expect(writeAndLoad(config).config).toEqual(config);
    }),
    { numRuns: 150 },
  );
});

test.each(['quick', 'robust', 'full', 'paper'] as const)('%s loads back as itself and overrides nothing', (preset) => {
  const { config, overridden } = writeAndLoad(presetConfig(preset));
  expect(config).toEqual(presetConfig(preset));
  expect(overridden).toEqual([]);
});

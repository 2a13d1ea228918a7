/** The generated files are in step with the schema; `npx vitest run src/config/reference.test.ts -u` writes them anew. */
import { expect, test } from 'vitest';
import { jsonSchema, referencePage } from './reference.ts';
import { settings } from './settings.ts';

test('schema/genenv.schema.json is what the schema says', async () => {
  const text = `${JSON.stringify(jsonSchema(), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../schema/genenv.schema.json');
});

test('docs/config.md is what the schema says', async () => {
  await expect(referencePage()).toMatchFileSnapshot('../../docs/config.md');
});

test('every setting and every section says what it is in one sentence', () => {
  for (const { path, node } of settings().all.values()) {
    expect(node.description, path).toMatch(/^[\p{L}`].*\.$/su);
    expect(node.description?.match(/\. [A-Z]/), path).toBeNull();
  }
  for (const [name, node] of settings().sections) expect(node.description, name).toMatch(/\.$/);
});

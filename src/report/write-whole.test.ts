import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeJson, writeWhole } from './write-whole.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'genenv-write-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('makes the folder, replaces what was there, and leaves nothing beside it', () => {
  const path = join(folder, 'deep/down/it.txt');
  writeWhole(path, 'first');
  writeWhole(path, 'second');
  expect(readFileSync(path, 'utf8')).toBe('second');
  writeJson(path, { a: [1] });
  expect(readFileSync(path, 'utf8')).toBe('{\n  "a": [\n    1\n  ]\n}\n');
  expect(readdirSync(join(folder, 'deep/down'))).toEqual(['it.txt']);
});

it('leaves nothing behind where it cannot write', () => {
  mkdirSync(join(folder, 'it/is/a/folder'), { recursive: true });
  expect(() => writeWhole(join(folder, 'it'), 'text')).toThrow();
  expect(readdirSync(folder)).toEqual(['it']);
});

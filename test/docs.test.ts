/** The docs are held to what the program does. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ARMS } from '../src/compare/arms.ts';
import { loadConfig } from '../src/config.ts';
import { EXAMINED, openExams } from '../src/exams.ts';
import { createRunFolder, play } from '../src/run.ts';
import { openReader } from '../src/store/index.ts';

const never = new AbortController().signal;

it('docs/metrics.md defines every metric of a run, and no other', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'genenv-docs-'));
  try {
    const { config } = loadConfig({
      overrides: { engine: 'scripted', epochs: 2, generation: { seedsPerEpoch: 8 }, evaluation: { test: true } },
    });
    createRunFolder(join(folder, 'run'), config);
    for await (const _ of play(join(folder, 'run'), config, { stop: never, signal: never })) {
      // Only what it leaves behind matters here.
    }
    using reader = openReader(join(folder, 'run'));
    const rows = readFileSync('docs/metrics.md', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    const documented = rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`([^`]+)`/g)].map((match) => match[1]));
    expect(documented.sort()).toEqual(reader.metricKeys());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('docs/compare.md describes every arm as it is, and no other', () => {
  const rows = readFileSync('docs/compare.md', 'utf8').match(/^\| `.*/gm);
  const escaped = (text: string) => text.replaceAll('|', '\\|');
  expect(rows).toEqual(ARMS.map(({ name, description }) => `| \`${name}\` | ${escaped(description)} |`));
});

it('docs/benchmarks.md lists every benchmark with its suites, the default first', async () => {
  const rows = [...readFileSync('docs/benchmarks.md', 'utf8').matchAll(/^\| `([\w-]+)` \|[^|]+\|([^|]+)\| \[/gm)];
  const documented = rows.map(([, name, suites]) => [name, [...suites!.matchAll(/`([\w-]+)`/g)].map((m) => m[1])]);
  const offered = await Promise.all(
    EXAMINED.map(async (name) => [name, Object.keys(await openExams({ name }, '/nowhere'))]),
  );
  expect(documented).toEqual(offered);
});

it('every file and link the docs name exists', () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    ...['docs', 'docs/recipes'].flatMap((folder) =>
      readdirSync(folder)
        .filter((f) => f.endsWith('.md'))
        .map((f) => `${folder}/${f}`),
    ),
  ];
  const missing = pages.flatMap((page) => {
    const text = readFileSync(page, 'utf8');
    const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map((match) => join(page, '..', match[1]!));
    const paths = [...text.matchAll(/`((?:src|test|bench|docs|schema|examples)\/[\w./-]+\.\w+)`/g)].map(
      (match) => match[1]!,
    );
    return [...links, ...paths].filter((path) => !readable(path)).map((path) => `${page}: ${path}`);
  });
  expect(missing).toEqual([]);
});

it('every example is a configuration that loads', () => {
  for (const name of readdirSync('examples').filter((f) => f.endsWith('.yaml'))) {
    const file = join('examples', name);
    // Those of the benchmarks leave the engine to the user.
    const flags = /^engine:/m.test(readFileSync(file, 'utf8')) ? {} : { engine: 'scripted' };
    expect(loadConfig({ file, flags }).config.epochs, file).toBeGreaterThan(0);
  }
});

it('every recipe has an example of its own, names it and is named by it', () => {
  const recipes = readdirSync('docs/recipes').filter((f) => f.endsWith('.md'));
  expect(recipes.length).toBeGreaterThan(0);
  for (const page of recipes) {
    const example = join('examples', page.replace(/\.md$/, '.yaml'));
    expect(readable(example), example).toBe(true);
    expect(readFileSync(join('docs/recipes', page), 'utf8'), page).toContain(`\`${example}\``);
    expect(readFileSync(example, 'utf8'), example).toContain(`docs/recipes/${page}`);
    expect(loadConfig({ file: example }).config.epochs, example).toBeGreaterThan(0);
  }
});

function readable(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}

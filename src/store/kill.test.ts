/** What is left after SIGKILL. The child is a real process, so the sources are compiled for it first: about a second. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { digest } from './digest.ts';
import { at, tempFolder } from './fixtures.ts';
import { createRun, openJournal } from './journal.ts';
import { openReader } from './reader.ts';

const now = () => 0;
const here = import.meta.dirname;
let compiled: string;

/** Commits groups of four traces, up to a number of them if given, and prints how many there are after each commit. */
const WRITER = `
import { at, sampleGroup, sampleTask } from './fixtures.js';
import { openJournal } from './journal.js';
const journal = openJournal(process.argv[2], { now: () => 0 });
for (let n = journal.cursor()?.done ?? 0; n < Number(process.argv[3] ?? Infinity); n++) {
  const metrics = [{ key: 'n', epoch: 1, step: n, value: n }];
  journal.commit(at(1, n + 1), { groups: [sampleGroup(1, sampleTask('t' + n), 'fresh', 4)], metrics });
  process.stdout.write(n + 1 + '\\n');
}
`;

beforeAll(() => {
  // Inside node_modules, so that the child finds the driver.
  const cache = join(here, '../../node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  compiled = mkdtempSync(join(cache, 'genenv-store-'));
  const compilerOptions = {
    module: ts.ModuleKind.ES2022,
    target: ts.ScriptTarget.ES2022,
    rewriteRelativeImportExtensions: true,
    verbatimModuleSyntax: true,
  };
  for (const folder of ['core', 'store']) {
    const source = join(here, '..', folder);
    mkdirSync(join(compiled, folder));
    for (const file of readdirSync(source).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))) {
      const { outputText } = ts.transpileModule(readFileSync(join(source, file), 'utf8'), { compilerOptions });
      writeFileSync(join(compiled, folder, file.replace(/ts$/, 'js')), outputText);
    }
  }
  writeFileSync(join(compiled, 'package.json'), '{"type": "module"}');
  writeFileSync(join(compiled, 'store', 'writer.js'), WRITER);
});

afterAll(() => rmSync(compiled, { recursive: true, force: true }));

/** Starts a writer and waits until it has committed `commits` times. */
async function writeUntil(folder: string, commits: number): Promise<{ child: ChildProcess; lines: () => number }> {
  const child = spawn(process.execPath, [join(compiled, 'store', 'writer.js'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let last = 0;
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the writer ended by itself')));
    createInterface(child.stdout!).on('line', (line) => {
      last = Number(line);
      if (--commits === 0) resolve();
    });
  });
  return { child, lines: () => last };
}

async function kill(child: ChildProcess): Promise<void> {
  child.removeAllListeners('exit');
  child.kill('SIGKILL');
  await once(child, 'close');
}

it('keeps every commit of a killed writer whole, and lets the next one go on', async () => {
  const folder = tempFolder();
  createRun(folder, {});
  for (const commits of [3, 40, 111, 1, 57]) {
    const { child, lines } = await writeUntil(folder, commits);
    expect(() => openJournal(folder, { now })).toThrow(/being written by another process/);
    using live = openReader(folder);
    expect(live.cursor()!.done).toBeGreaterThanOrEqual(lines());
    await kill(child);
    using reader = openReader(folder);
    const { done } = reader.cursor()!;
    // It may have committed more than it had time to say, never less.
    expect(done).toBeGreaterThanOrEqual(lines());
    expect([...reader.outcomes(1)]).toHaveLength(done);
    expect(reader.ledger()).toMatchObject({ tasks: done, rollouts: 4 * done });
    expect(reader.metricRows({ limit: 10_000 })).toHaveLength(done);
    expect(reader.group(1, `t${done - 1}`)?.traces).toHaveLength(4);
    expect(reader.task(`t${done}`)).toBeUndefined();
  }
  using journal = openJournal(folder, { now });
  journal.commit(at(2), {});
  expect(journal.cursor()).toEqual(at(2));
});

it('ends with the digest of an undisturbed run', async () => {
  const [killed, calm] = [tempFolder(), tempFolder()];
  createRun(killed, {});
  createRun(calm, {});
  for (const commits of [7, 20, 2]) await kill((await writeUntil(killed, commits)).child);
  const target = openReader(killed).cursor()!.done + 10;
  for (const folder of [killed, calm]) {
    const child = spawn(process.execPath, [join(compiled, 'store', 'writer.js'), folder, String(target)]);
    child.stdout.resume();
    expect(await once(child, 'close')).toEqual([0, null]);
  }
  expect(openReader(calm).cursor()).toEqual(at(1, target));
  expect(digest(killed)).toBe(digest(calm));
});

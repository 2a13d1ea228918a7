import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hostileRun, playRun, tempFolder } from '../fixtures.ts';
import { openJournal } from '../store/index.ts';
import { HOSTILE, jsonLines, printed } from './fixtures.ts';
import { runs } from './runs.ts';

let runsDir: string;
beforeAll(async () => {
  runsDir = tempFolder();
  await playRun(join(runsDir, 'done'));
  await playRun(join(runsDir, 'halted'), { stopAt: '2 rollout', variant: 'genenv-random', seed: 7 });
  mkdirSync(join(runsDir, 'damaged'));
  writeFileSync(join(runsDir, 'damaged/run.sqlite'), 'not a database');
  mkdirSync(join(runsDir, 'lost/checkpoints'), { recursive: true });
  mkdirSync(join(runsDir, 'holiday-photos'));
  writeFileSync(join(runsDir, 'notes.txt'), '');
});
afterAll(() => rmSync(runsDir, { recursive: true, force: true }));

const list = (options = {}, columns = 200) => printed(() => runs({ runsDir, ...options }), columns);

it('has one row per run, damaged ones with the reason, and ends with the next step', async () => {
  const { stdout } = await list();
  expect(stdout).toMatch(/^ {2}done +finished +2\/2 +genenv +scripted +toy +1 +0\.\d\d → 0\.\d\d +0\.\d\d → 0\.\d\d/m);
  expect(stdout).toMatch(/^ {2}halted +stopped +epoch 2 rollout +1\/2 +genenv-random +scripted +toy +7 /m);
  expect(stdout).toMatch(/^ {2}damaged +unreadable/m);
  expect(stdout).toMatch(/damaged can't be read: .*not a GenEnv run/);
  expect(stdout).toMatch(/lost can't be read: .*no run\.sqlite/);
  expect(stdout).not.toContain('photos');
  expect(stdout).toMatch(/Next: +genenv show halted --runs-dir .*\n +genenv resume halted/);
});

it('fits a narrow terminal', async () => {
  const { stdout } = await list({}, 80);
  expect(stdout).toMatch(/no room for: .*created/);
  const rows = stdout.split('\n').filter((line) => /^ {2}(run|done|halted) {2}/.test(line));
  expect(rows).toHaveLength(3);
  for (const row of rows) expect(row.length).toBeLessThanOrEqual(81); // p̂ is two characters in one column
});

it('says which run is being written', async () => {
  using _journal = openJournal(join(runsDir, 'halted'), { now: () => 0 });
  const { stdout } = await list();
  expect(stdout).toMatch(/^ {2}halted +running now +epoch 2 rollout/m);
});

it('as JSON is one object a line and nothing else', async () => {
  const { stdout, stderr } = await list({ json: true });
  const rows = jsonLines(stdout);
  expect(rows.map(({ run, status }) => `${run} ${status}`).sort()).toEqual([
    'damaged unreadable',
    'done finished',
    'halted stopped',
    'lost unreadable',
  ]);
  expect(rows.find(({ run }) => run === 'halted')).toMatchObject({
    at: { epoch: 2, phase: 'rollout' },
    epochs: { done: 1, of: 2 },
    variant: 'genenv-random',
    seed: 7,
    generatedSuccess: { first: expect.any(Number), last: expect.any(Number) },
  });
  expect(stderr).toBe('');
});

it('of no runs says how to start one', async () => {
  const { stdout } = await printed(() => runs({ runsDir: join(runsDir, 'nowhere') }));
  expect(stdout).toMatch(/There are no runs in .*nowhere yet/);
  expect(stdout).toContain('genenv train');
  expect((await printed(() => runs({ runsDir: join(runsDir, 'nowhere'), json: true }))).stdout).toBe('');
});

it('shows hostile names as they are spelled', async () => {
  const odd = tempFolder();
  hostileRun(join(odd, 'run'), HOSTILE);
  mkdirSync(join(odd, 'broken/checkpoints'), { recursive: true });
  renameSync(join(odd, 'run'), join(odd, 'a\x1b[31mb'));
  renameSync(join(odd, 'broken'), join(odd, 'c\x1b[2Jd'));
  const { stdout } = await printed(() => runs({ runsDir: odd }), 200);
  expect(stdout).toContain('a\\x1b[31mb');
  expect(stdout).toContain("c\\x1b[2Jd can't be read");
  expect(stdout).not.toMatch(/[^\n\x20-\x7e\xa0-\uffff]/);
  rmSync(odd, { recursive: true });
});

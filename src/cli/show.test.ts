import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig, presets } from '../config.ts';
import { hostileRun, playRun, tempFolder } from '../fixtures.ts';
import { createRunFolder } from '../run.ts';
import { digest, openReader } from '../store/index.ts';
import { UsageError } from './errors.ts';
import { HOSTILE, jsonLines, printed } from './fixtures.ts';
import { type ShowOptions, show } from './show.ts';
import { textWidth } from './text-width.ts';

let runsDir: string;
beforeAll(async () => {
  runsDir = tempFolder();
  await playRun(join(runsDir, 'otter'), { environment: { maxKl: 0.02 } });
  hostileRun(join(runsDir, 'hostile'), HOSTILE);
});
afterAll(() => rmSync(runsDir, { recursive: true, force: true }));

const shown = (id?: string, options: Partial<ShowOptions> = {}, columns = 100, run = 'otter') =>
  printed(() => show(run, id, { runsDir, ...options }), columns);
const json = async (id?: string, options: Partial<ShowOptions> = {}) =>
  jsonLines((await shown(id, { ...options, json: true })).stdout);

/** A generated task that was attempted, and what the store has on it. */
function someTask() {
  using reader = openReader(join(runsDir, 'otter'));
  return reader.passport(reader.tasks({ epoch: 1, limit: 1 })[0]!.id)!;
}

describe('a run', () => {
  it.each([100, 80])('is one page of at most %i columns that ends with the next step', async (columns) => {
    const { stdout } = await shown(undefined, {}, columns);
    const lines = stdout.split('\n');
    const page = lines.slice(
      0,
      lines.findIndex((line) => line.includes('Next:')),
    );
    expect(page.filter((line) => textWidth(line) > columns && !line.includes(runsDir))).toEqual([]);
    expect(stdout).toMatch(/^ {2}otter {3}finished {3}2 of 2 epochs/m);
    expect(stdout).toMatch(/changed from the preset: .*epochs 2 \(not \d+\)/);
    expect(stdout).toMatch(/^ {6}[012] +(–|0\.\d\d) [·●]+▒?/m);
    expect(stdout).toMatch(/klCap {2}KL to the initial simulator/);
    expect(stdout).toMatch(/pools +\d+ tasks for the agent/);
    expect(stdout).toMatch(/checkpoints agent +agent-2/);
    expect(stdout).toMatch(/Next: +genenv show otter --tasks/);
  });

  it('as JSON is one object with all of it', async () => {
    const [report, ...more] = await json();
    expect(more).toEqual([]);
    expect(report).toMatchObject({
      run: 'otter',
      status: 'finished',
      changed: expect.arrayContaining([{ setting: 'epochs', value: 2, preset: presets.robust.epochs }]),
      epochTable: [{ epoch: 0 }, { epoch: 1, metrics: { 'env/successRate': expect.any(Number) } }, { epoch: 2 }],
      pools: { agent: expect.any(Number), environment: expect.any(Number) },
      notes: [{ kind: 'klCap' }, { kind: 'klCap' }],
      config: { environment: { maxKl: 0.02 } },
    });
  });

  it('that was stopped says where, and how to go on', async () => {
    await playRun(join(runsDir, 'halted'), { stopAt: '1 score' });
    const { stdout } = await shown(undefined, {}, 100, 'halted');
    expect(stdout).toContain('stopped at epoch 1 score');
    expect(stdout).toMatch(/Next: +genenv resume halted/);
  });

  it('that has done nothing yet is a page too', async () => {
    createRunFolder(join(runsDir, 'new'), loadConfig().config);
    expect((await shown(undefined, {}, 100, 'new')).stdout).toMatch(
      /stopped at start.*No epoch is over yet.*genenv resume new/s,
    );
    expect((await shown(undefined, { tasks: true }, 100, 'new')).stdout).toContain('The run has no tasks yet');
  });

  it('found by its path names the folder it was found in', async () => {
    const { stdout } = await printed(() => show(join(runsDir, 'otter'), undefined, { runsDir: 'runs' }));
    expect(stdout).toContain(`genenv show otter --tasks --runs-dir ${runsDir}`);
  });

  it('has a digest, alone on its line', async () => {
    const sha256 = digest(join(runsDir, 'otter'));
    expect((await shown(undefined, { digest: true })).stdout).toBe(`${sha256}\n`);
    expect(await json(undefined, { digest: true })).toEqual([{ run: 'otter', digest: sha256 }]);
  });
});

describe('tasks', () => {
  it('are listed, the newest last, and can be filtered', async () => {
    const newest = await json(undefined, { tasks: true, limit: '3' });
    expect(newest.map(({ epoch }) => epoch)).toEqual([2, 2, 2]);
    const early = await json(undefined, { epoch: '1', search: 'BELL', limit: '1000' });
    expect(early.length).toBeGreaterThan(3);
    for (const { epoch, prompt } of early) {
      expect(epoch).toBe(1);
      expect(JSON.stringify(prompt)).toContain('bell');
    }
    const { stdout } = await shown(undefined, { tasks: true, limit: '3' });
    expect(stdout).toMatch(/^ {2}t-[0-9a-f]{20} +2 +generated +0?\.?\d.* agent/m);
    expect(stdout).toMatch(/3 tasks, the newest of \d+/);
  });

  it('that are not there are not an error', async () => {
    expect((await shown(undefined, { search: 'no such words' })).stdout).toMatch(/No task matches/);
  });
});

describe('a task', () => {
  it('shows its passport, by the beginning of its id', async () => {
    const { task, outcomes, scores, generations } = someTask();
    for (const id of [task.id, task.id.slice(0, 12), task.id.slice(2, 12), `${task.id.slice(0, 12)}…`]) {
      const { stdout } = await shown(id);
      expect(stdout).toContain(`${task.id}   written in epoch 1`);
      expect(stdout).toContain(`lineage     ${task.seedId}  base, epoch 0`);
      expect(stdout).toContain(`→ ${task.id}  generated, epoch 1  this one`);
      expect(stdout).toContain(`${outcomes[0]!.successes}/${outcomes[0]!.attempts}`);
      expect(stdout).toContain(scores[0]!.envReward.toFixed(3));
      expect(stdout).toContain(`${generations[0]!.id} by the environment`);
      expect(stdout).toMatch(/saw user +Seed task:/);
      expect(stdout).toContain(`genenv show otter ${task.id}/1/0`);
    }
  });

  it('as JSON brings what the simulator saw and every rollout with its id', async () => {
    const { task, generations } = someTask();
    const [passport] = await json(task.id);
    expect(passport).toMatchObject({
      run: 'otter',
      task: { id: task.id },
      generations: [{ context: generations[0]!.context, turn: { tokens: [...generations[0]!.turn.tokens] } }],
      groups: [{ epoch: 1, role: 'fresh', rollouts: [{ id: `${task.id}/1/0` }, {}, {}, { id: `${task.id}/1/3` }] }],
    });
  });
});

describe('a rollout', () => {
  it('is shown turn by turn, with its answer beside the target', async () => {
    const { task } = someTask();
    for (const id of [`${task.id}/1/0`, `${task.id.slice(2, 14)}/1/fresh/0`]) {
      const { stdout } = await shown(id);
      expect(stdout).toMatch(/^ {2}assistant +\[/m);
      expect(stdout).toMatch(/\(\d+ tokens?, mean log-prob -\d\.\d+\)/);
      expect(stdout).toMatch(/^ {2}answer +target/m);
      expect(stdout).toMatch(/verdict +(not )?solved · reward [01] · stopped by answer/);
    }
    const [trace] = await json(`${task.id}/1/0`);
    expect(trace).toMatchObject({ epoch: 1, index: 0, role: 'fresh', task: { id: task.id }, stop: 'answer' });
  });
});

describe('a generation', () => {
  it('that was rejected is shown with its text and the reason', async () => {
    const { stdout } = await shown('1.0.1', {}, 100, 'hostile');
    expect(stdout).toMatch(/verdict +rejected, notJson: /);
    expect(stdout).toMatch(/text +\\x1b\[31mred/);
  });
});

describe('what is typed wrongly', () => {
  const cases: [what: string, id: string | undefined, options: Partial<ShowOptions>, says: RegExp][] = [
    ['an unknown id', 'zzz', {}, /no task, rollout or generation "zzz".*genenv show otter --tasks/],
    ['an id that several share', 't-', {}, /beginning of \d+ ids: t-.* and \d+ more/],
    ['a generation that was not written', '9.0.0', {}, /no generation 9\.0\.0.*<epoch>\.<seed slot>/],
    [
      'a limit that is no number',
      undefined,
      { tasks: true, limit: 'x' },
      /--limit must be a whole number from 1 \(got "x"\)/,
    ],
    ['an epoch that is no number', undefined, { epoch: '-1' }, /--epoch must be a whole number from 0/],
    ['two things at once', 't-1', { digest: true }, /Give one of them/],
  ];
  it.each(cases)('%s is a usage error', async (_, id, options, says) => {
    const { error, stdout } = await shown(id, options);
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).toMatch(says);
    expect(stdout).toBe('');
  });

  it('a rollout that was not rolled out is told apart from an index that is too high', async () => {
    const { task } = someTask();
    expect(String((await shown(`${task.id}/0/0`)).error)).toMatch(/was not attempted in epoch 0/);
    expect(String((await shown(`${task.id}/1/9`)).error)).toMatch(/has rollouts 0 to 3 in epoch 1; there is no 9/);
  });

  it('a run gets the name that was meant', async () => {
    expect(String((await shown(undefined, {}, 100, 'oter')).error)).toMatch(/no run "oter" in .*Did you mean "otter"/);
    expect(String((await shown(undefined, {}, 100, 'xyz\x1b[31m')).error)).toMatch(/"xyz\\x1b\[31m".*genenv runs/);
    expect((await shown(undefined, { digest: true }, 100, join(runsDir, 'otter/'))).stdout).toMatch(/^[0-9a-f]{64}\n$/);
  });
});

describe('hostile text', () => {
  const pages: [id: string | undefined, options?: Partial<ShowOptions>][] = [
    [undefined],
    [undefined, { tasks: true }],
    ['t-a0'],
    ['t-b1'],
    ['t-a0/1/0'],
    ['t-a0/1/1'],
    ['t-b1/1/0'],
    ['1.0.0'],
    ['1.0.1'],
  ];
  const readable = /^[\n\x20-\x7e\xa0-\xac\xae-\u1fff\u2010-\u2027\u2030-\u205f\u2070-\ud7ff]*$/u;
  it.each(pages)('never reaches the terminal raw: %s %o', async (id, options) => {
    for (const form of [{}, { json: true }]) {
      const { stdout, error } = await shown(id, { ...options, ...form }, 100, 'hostile');
      expect(error).toBeUndefined();
      expect(stdout).toMatch(/\\(x|u00)1b\[31mred/);
      expect(stdout).toMatch(readable);
    }
  });
});

/** `genenv compare` as a user meets it: real processes. Slow because every run is one, and some are killed. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Comparison } from '../src/report/comparison.ts';
import { digest } from '../src/store/index.ts';
import { type CliResult, callCli, jsonLines, runCli, startCli } from './run-cli.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'genenv-compare-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const genenv = (...args: string[]): Promise<CliResult> => runCli(args, { cwd: folder });
const start = (...args: string[]) => startCli(args, { cwd: folder });

const tiny = ['--engine', 'scripted', '--epochs', '3', '--set', 'seedsPerEpoch=8', '--set', 'evaluation.rollouts=1'];
const two = ['compare', ...tiny, '--arms', 'genenv,genenv-random', '--seeds', '2'];
const RUNS = ['genenv-s101', 'genenv-random-s101', 'genenv-s102', 'genenv-random-s102'];

const digests = (name: string, runs = RUNS) => runs.map((run) => digest(join(folder, 'runs', name, run)));

/** Where every disturbed comparison must end. */
let undisturbed: Promise<CliResult> | undefined;
const whole = () => {
  undisturbed ??= genenv(...two, '--name', 'whole', '--json');
  return undisturbed;
};

describe('compare', () => {
  it('plays every arm with every seed and ends with what they amount to', async () => {
    const { code, stdout, stderr } = await whole();
    expect(stderr).toContain('2 arms × 2 seeds = 4 runs   seeds 101, 102');
    expect(code).toBe(0);
    const objects = jsonLines(stdout);
    expect(objects.map(({ type, run, status }) => `${type} ${run ?? ''} ${status}`)).toEqual([
      ...RUNS.map((run) => `run ${run} finished`),
      'comparison  finished',
    ]);
    const [genenvRow, random] = objects.at(-1).arms;
    expect(objects.at(-1).judgedOn).toBe('test');
    expect(genenvRow).toMatchObject({ arm: 'genenv', seeds: 2, difference: null });
    expect(random.difference).toMatchObject({ n: 2 });

    const comparison: Comparison = JSON.parse(readFileSync(join(folder, 'runs/whole/comparison.json'), 'utf8'));
    expect(comparison).toMatchObject({
      title: 'whole',
      benchmark: 'toy',
      engine: 'scripted',
      seeds: [101, 102],
      band: { alpha: 0.5, kMin: 0.1 },
    });
    expect(comparison.command).toBe(
      'genenv compare --arms genenv,genenv-random --seeds 101,102 --engine scripted --epochs 3 --set seedsPerEpoch=8 --set evaluation.rollouts=1',
    );
    expect(comparison.arms.map(({ settings }) => settings)).toEqual([{}, { variant: 'genenv-random' }]);
    const [run] = comparison.arms[0]!.runs;
    expect(run).toMatchObject({ seed: 101, run: 'genenv-s101', test: { tasks: 64 }, validation: { tasks: 64 } });
    expect(run!.seconds).toBeGreaterThan(0);
    expect(run!.epochs.map(({ epoch }) => epoch)).toEqual([0, 1, 2, 3]);
    const spent = run!.epochs.map(({ ledger }) => ledger.rollouts);
    expect(spent[0]).toBe(0);
    expect(spent).toEqual(spent.toSorted((a, b) => a - b));
    expect(run!.epochs[1]!.stepRewards).toHaveLength(run!.epochs[1]!.metrics['agent/steps']!);
    for (const { epoch, metrics, verdicts, ledger } of run!.epochs.slice(1)) {
      expect(metrics['base/successRate']).toBeGreaterThan(0);
      expect(metrics['base/successRate']).toBeLessThanOrEqual(1);
      expect(metrics['agent/kl']).toBeGreaterThanOrEqual(0);
      expect(metrics['pool/agent']).toBe(ledger.tasks);
      const written = Object.values(verdicts).reduce((sum, n) => sum + n, 0);
      expect(written).toBe(ledger.generations - run!.epochs[epoch - 1]!.ledger.generations);
    }
    const strata = run!.test!.strata;
    expect(strata.map(({ name }) => name)).toEqual(['1–3 steps', '4–6 steps', '7–9 steps', '10+ steps']);
    expect(strata.reduce((sum, { tasks }) => sum + tasks, 0)).toBe(64);
  });

  it('prints a table for people, whose runs `show` can open', async () => {
    const { code, stdout } = await genenv(
      'compare',
      ...tiny,
      '--arms',
      'genenv,base',
      '--seeds',
      '1',
      '--name',
      'seen',
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/1\/2 {2}genenv-s101 {2}validation 0\.\d\d → 0\.\d\d {2}test 0\.\d\d/);
    expect(stdout).toMatch(/arm +seeds +validation +test +Δ test +p +p̂ generated/);
    expect(stdout).toMatch(/^ {2}base +1 +0\.\d{3} +0\.\d{3} +[+−]?0\.\d{3}/m);
    expect(stdout).toContain('genenv show genenv-s101 --runs-dir runs/seen');
    const shown = await genenv('show', 'genenv-s101', '--runs-dir', 'runs/seen');
    expect(shown.stdout).toContain('finished');
  });

  it('says nothing with --quiet', async () => {
    await whole();
    const { code, stdout, stderr } = await genenv(...two, '--name', 'whole', '--quiet');
    expect([code, stdout, stderr]).toEqual([0, '', '']);
  });
});

describe('a comparison that was broken off', () => {
  it('with kill -9 goes on with the same command: finished runs are kept, the one at hand resumed', async () => {
    await whole();
    const { child, says, ended } = start(...two, '--name', 'killed', '--json', '--quiet');
    await says('"run":"genenv-s101"');
    // Somewhere in the second run.
    while (!existsSync(join(folder, 'runs/killed/genenv-random-s101/run.sqlite'))) await sleep(10);
    child.kill('SIGKILL');
    await ended;
    expect(existsSync(join(folder, 'runs/killed/comparison.json'))).toBe(false);
    const { code, stdout } = await genenv(...two, '--name', 'killed', '--json');
    expect(code).toBe(0);
    expect(jsonLines(stdout)[0]).toMatchObject({ run: 'genenv-s101', kept: true });
    expect(jsonLines(stdout)[3]).toMatchObject({ run: 'genenv-random-s102', kept: false });
    expect(digests('killed')).toEqual(digests('whole'));
  });

  it('with Ctrl-C says how to go on, exits 130, and goes on by its plan alone', async () => {
    await whole();
    const { child, says, stdout, ended } = start(...two, '--name', 'stopped', '--parallel', '2');
    await says('1/4');
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(stdout()).toContain('genenv compare --resume stopped');
    expect((await genenv('compare', '--resume', 'stopped', '--quiet')).code).toBe(0);
    expect(digests('stopped')).toEqual(digests('whole'));
    const more = await callCli(['compare', '--resume', 'stopped', '--seeds', '3'], { cwd: folder });
    expect(more.stderr).toContain('nothing else can be said');
  });

  it('is refused under the same name with another plan', async () => {
    await whole();
    const { code, stderr } = await callCli([...two, '--name', 'whole', '--set', 'epochs=4'], { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toContain('runs/whole holds another comparison:');
    expect(stderr).toContain('epochs was 3, now 4');
  });
});

describe('a run that fails', () => {
  it('is told with its reason, does not hold up those beside it or after it, and makes the exit code 1', async () => {
    await whole();
    const damaged = join(folder, 'runs/partly/genenv-random-s101');
    mkdirSync(damaged, { recursive: true });
    writeFileSync(join(damaged, 'run.sqlite'), 'this is no database, however long one looks at it'.repeat(100));
    const { code, stdout } = await genenv(...two, '--name', 'partly', '--parallel', '2', '--json', '--quiet');
    expect(code).toBe(1);
    const objects = jsonLines(stdout);
    const [failed, ...finished] = objects.slice(0, 4).toSorted((a, b) => a.status.localeCompare(b.status));
    expect(failed).toMatchObject({ run: 'genenv-random-s101', status: 'failed' });
    expect(finished.map(({ status }) => status)).toEqual(Array(3).fill('finished'));
    // Two at a time end where one after the other does.
    const sound = RUNS.filter((run) => run !== 'genenv-random-s101');
    expect(digests('partly', sound)).toEqual(digests('whole', sound));
    expect(objects.at(-1)).toMatchObject({ type: 'comparison', failed: [{ run: 'genenv-random-s101' }] });
    // Only what is paired is compared.
    expect(objects.at(-1).arms[1].difference.n).toBe(1);
  });

  it('by its process is told in the words of the process', async () => {
    const args = ['--arms', 'base', '--seeds', '1', '--set', 'benchmark={name: file, seeds: nowhere.jsonl}'];
    const { code, stdout } = await genenv('compare', ...tiny, ...args, '--json', '--quiet');
    expect(code).toBe(1);
    expect(jsonLines(stdout)[0].reason).toMatch(/^Cannot read the task file .*nowhere\.jsonl: no such file/);
  });
});

it.each([
  [['--arms', 'genenv,genenv-randm'], 'Did you mean "genenv-random"?'],
  [['--arms', 'teacher-offline,teacher-offline-3.27x'], '--arms names teacher-offline-3.27x twice.'],
  [['--seeds', '11,12,11'], '--seeds names 11 twice.'],
  [['--seeds', 'many'], '--seeds must be a whole number from 1 (got "many").'],
  [['--parallel', '0'], '--parallel must be a whole number from 1'],
  [['--name', '../x'], '--name must be 1 to 80 letters'],
  [['--resume', 'nothing'], 'nothing holds no comparison'],
  [['--set', 'curriculum.betta=1'], 'curriculum.betta is not a setting'],
])('%j is wrong usage', async (args, message) => {
  const { code, stderr } = await callCli(['compare', ...args], { cwd: folder });
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});

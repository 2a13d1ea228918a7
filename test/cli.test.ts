/** The command line as a user meets it: real processes in a temporary folder. Slow because each case starts Node. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digest } from '../src/store/index.ts';
import { type CliResult, callCli, jsonLines, runCli, startCli } from './run-cli.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'genenv-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const genenv = (...args: string[]): Promise<CliResult> => runCli(args, { cwd: folder });
const start = (...args: string[]) => startCli(args, { cwd: folder });
const runFolder = (name: string) => join(folder, 'runs', name);

const small = ['--engine', 'scripted', '--epochs', '2', '--set', 'seedsPerEpoch=8'];

/** One small run that has finished, under a name of the test's own. */
async function finished(name: string): Promise<string> {
  trained ??= genenv('train', ...small, '--name', 'trained', '--quiet');
  expect((await trained).code).toBe(0);
  cpSync(runFolder('trained'), runFolder(name), { recursive: true });
  return runFolder(name);
}
let trained: Promise<CliResult> | undefined;

describe('train', () => {
  it('draws success on generated tasks into the band, and without environment training does not', async () => {
    const run = async (variant: string) => {
      const { code, stdout } = await genenv(
        'train',
        '--engine',
        'scripted',
        '--epochs',
        '10',
        '--set',
        'seedsPerEpoch=32',
        '--set',
        'agent.batchSize=32',
        '--json',
        '--variant',
        variant,
      );
      expect(code).toBe(0);
      return jsonLines(stdout).at(-1);
    };
    const [genenvRun, random] = await Promise.all([run('genenv'), run('genenv-random')]);
    expect(genenvRun.type).toBe('summary');
    expect(genenvRun.generatedSuccess.first).toBeLessThan(0.4);
    expect(genenvRun.generatedSuccess.last).toBeGreaterThanOrEqual(0.4);
    expect(genenvRun.generatedSuccess.last).toBeLessThanOrEqual(0.6);
    expect(random.generatedSuccess.last).toBeLessThan(0.4);
  });

  it('gives the same digest whatever the concurrency, and another for another seed', async () => {
    const digestOf = async (name: string, ...args: string[]) => {
      expect((await genenv('train', ...small, '--quiet', '--name', name, ...args)).code).toBe(0);
      return digest(runFolder(name));
    };
    const usual = digest(await finished('one'));
    const [many, other] = await Promise.all([
      digestOf('many', '--set', 'concurrency=64'),
      digestOf('other', '--seed', '2'),
    ]);
    expect((await genenv('show', 'one', '--digest')).stdout.trim()).toBe(usual);
    expect(usual).toMatch(/^[0-9a-f]{64}$/);
    expect(many).toBe(usual);
    expect(other).not.toBe(usual);
  });

  it('prints one row per epoch and the next step where there is no terminal, and nothing with --quiet', async () => {
    const { stdout } = await genenv('train', ...small, '--name', 'rows');
    expect(stdout.match(/^ {2}[012] .*▒/gm)).toHaveLength(3);
    expect(stdout).toContain('genenv show rows');
    await finished('silent');
    expect((await trained)?.stdout).toBe('');
  });

  it('with --json writes events to stdout and progress to stderr', async () => {
    const { stdout, stderr } = await genenv('train', ...small, '--json', '--name', 'events');
    const types = jsonLines(stdout).map((event) => event.type);
    expect(types[0]).toBe('start');
    expect(types.slice(-2)).toEqual(['end', 'summary']);
    expect(stderr).toContain('Finished 2 epochs');
  });
});

describe('stopping and resuming', () => {
  it('on Ctrl-C finishes the step, says how to resume, exits 130, and resumes to the undisturbed state', async () => {
    const args = ['--engine', 'scripted', '--epochs', '6', '--set', 'seedsPerEpoch=16', '--seed', '3'];
    const { child, says, stderr, ended } = start('train', ...args, '--name', 'stopped', '--json');
    await says('\n', 25);
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(stderr()).toContain('genenv resume stopped');
    expect((await genenv('resume', 'stopped', '--quiet')).code).toBe(0);
    await genenv('train', ...args, '--name', 'whole', '--quiet');
    expect(digest(runFolder('stopped'))).toBe(digest(runFolder('whole')));
  });

  it('refuses a second writer while one is at work', async () => {
    const { child, says, ended } = start(
      ...['train', '--engine', 'scripted', '--epochs', '200', '--name', 'busy', '--json'],
    );
    await says('\n', 3);
    const { code, stderr } = await genenv('resume', 'busy');
    child.kill('SIGKILL');
    await ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/busy/);
    expect(stderr).not.toMatch(/at .*\.js:\d+/);
  });

  it('leaves a report beside the run, and finishes without one where it cannot be written', async () => {
    const { stdout } = await genenv('train', ...small, '--name', 'reported', '--json', '--quiet');
    expect(jsonLines(stdout).at(-1)).toMatchObject({
      type: 'summary',
      report: join('runs', 'reported', 'report.html'),
    });
    const report = (name: string) => join(folder, 'runs', 'reported', name);
    expect(readFileSync(report('report.html'), 'utf8')).toContain('genenv train --preset robust --set epochs=2');
    expect(existsSync(report('report.md'))).toBe(true);
    // No file can take the place of a folder.
    rmSync(report('report.html'));
    mkdirSync(join(report('report.html'), 'in the way'), { recursive: true });
    const again = await genenv('resume', 'reported', '--epochs', '3', '--json');
    expect(again.code).toBe(0);
    expect(jsonLines(again.stdout).at(-1)).toMatchObject({ status: 'finished', epochs: 3, report: null });
    expect(again.stderr).toMatch(/warning {2}The report could not be written/);
  });

  it('trains a finished run further, and says so when there is nothing to do', async () => {
    await finished('longer');
    const more = await genenv('resume', 'longer', '--epochs', '3', '--json');
    expect(jsonLines(more.stdout).at(-1)).toMatchObject({ status: 'finished', epochs: 3 });
    const again = await genenv('resume', 'longer', '--json');
    expect(again.code).toBe(0);
    const less = await genenv('resume', 'longer', '--epochs', '1');
    expect(less.code).toBe(2);
  });
});

describe('bad input gets a clear error with its place, and exit code 2', () => {
  const file = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(folder, name), content);
    return name;
  };
  const withSeeds = (seeds: string) => [
    ...['train', '--name', 'seeded', '--engine', 'scripted'],
    ...['--set', 'benchmark.name=file', '--set', `benchmark.seeds=${seeds}`],
  ];
  const cases: [what: string, args: () => string[], says: RegExp][] = [
    [
      'an unknown setting',
      () => ['train', file('a.yaml', 'curriculum:\n  betta: 2\n')],
      /a\.yaml:2:3 .*betta is not a setting\. Did you mean "beta"/,
    ],
    [
      'a value out of range',
      () => ['train', '--set', 'curriculum.alpha=1.7'],
      /curriculum\.alpha must be less than 1 \(got 1\.7\)/,
    ],
    ['an unknown option', () => ['train', '--epoch', '3'], /unknown option/],
    ['an unknown command', () => ['trian'], /train/],
    ['a missing configuration', () => ['train', 'nowhere.yaml'], /nowhere\.yaml/],
    ['invalid UTF-8', () => ['train', file('b.yaml', Uint8Array.of(0x61, 0x3a, 0xff, 0xfe))], /UTF-8/],
    ['a missing seed file', () => withSeeds('gone.jsonl'), /gone\.jsonl.*no such file/],
    ['a seed that is no task', () => withSeeds(file('s.jsonl', '{"prompt": 3}\n')), /s\.jsonl:1 /],
    [
      'a script checker',
      () => withSeeds(file('c.jsonl', '{"prompt":"x","eval":{"kind":"script","source":"1"}}\n')),
      /c\.jsonl:1 .*sandbox/,
    ],
    ['a run that is not there', () => ['resume', 'nobody'], /nobody/],
    ['a name with a path in it', () => ['train', '--name', '../evil'], /name/],
    ['a run outside the runs folder', () => ['resume', '../evil'], /evil/],
  ];
  it.each(cases)('%s', async (_, args, says) => {
    const { code, stderr } = await callCli(args(), { cwd: folder });
    expect(stderr).toMatch(says);
    expect(code).toBe(2);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('and the process ends with that code', async () => {
    const { code, stderr } = await genenv('resume', 'nobody');
    expect(stderr).toMatch(/nobody/);
    expect(code).toBe(2);
  });

  it('a name that is taken, and the run under it stays as it is', async () => {
    const before = digest(await finished('taken'));
    const { code, stderr } = await genenv('train', ...small, '--seed', '9', '--name', 'taken');
    expect(code).toBe(2);
    expect(stderr).toMatch(/taken already holds a run/);
    expect(digest(runFolder('taken'))).toBe(before);
  });

  it('a run whose file was cut short is a failure that says so', async () => {
    truncateSync(join(await finished('cut'), 'run.sqlite'), 5000);
    const { code, stderr } = await genenv('resume', 'cut');
    expect(code).toBe(1);
    expect(stderr).toMatch(/damaged|malformed/);
  });

  it('a failed start leaves no run behind', async () => {
    await callCli(withSeeds('gone.jsonl'), { cwd: folder });
    expect(existsSync(runFolder('seeded'))).toBe(false);
  });
});

describe('a full disk', () => {
  const canMount = process.platform === 'linux' && process.getuid?.() === 0;
  it.skipIf(!canMount)(
    'loses nothing: with room again the run ends as an undisturbed one (needs root to mount)',
    async () => {
      const tiny = mkdtempSync(join(tmpdir(), 'genenv-tiny-'));
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1500k', 'tmpfs', tiny]);
      try {
        const args = ['--engine', 'scripted', '--epochs', '6', '--set', 'seedsPerEpoch=32', '--name', 'full'];
        const { code, stderr } = await genenv('train', ...args, '--runs-dir', tiny);
        expect(code).toBe(1);
        expect(stderr).toContain('disk is full');
        execFileSync('mount', ['-o', 'remount,size=100M', tiny]);
        expect((await genenv('resume', 'full', '--runs-dir', tiny, '--quiet')).code).toBe(0);
        await genenv('train', ...args, '--quiet');
        // Asked of another process: one that has read a file keeps the disk from being unmounted.
        const { stdout } = await genenv('show', 'full', '--digest', '--runs-dir', tiny);
        expect(stdout.trim()).toBe(digest(runFolder('full')));
      } finally {
        execFileSync('umount', [tiny]);
        rmSync(tiny, { recursive: true, force: true });
      }
    },
  );
});

describe('replay', () => {
  it('of a recording ends with the digest of the run it was made from', async () => {
    const set = ['--set', `engine.record=${join(folder, 'rec.jsonl')}`];
    await genenv('train', ...small, ...set, '--name', 'recorded', '--quiet');
    const engine = [
      '--engine',
      'replay',
      '--set',
      'benchmark.name=toy',
      '--set',
      `engine.recording=${join(folder, 'rec.jsonl')}`,
    ];
    expect((await genenv('train', ...small, ...engine, '--name', 'replayed', '--quiet')).code).toBe(0);
    expect(digest(runFolder('replayed'))).toBe(digest(runFolder('recorded')));
  });
});

describe('doctor', () => {
  it('reports the survival of the strict filter at n = 4, and warns', async () => {
    const settings = ['variations=4', 'rollouts=1', 'kMin=0.1', 'successScope=seed'].flatMap((s) => ['--set', s]);
    const { stdout } = await callCli(['doctor', '--json', ...settings], { cwd: folder });
    const diagnosis = JSON.parse(stdout);
    const at = (p: number) => diagnosis.survival.find((s: { p: number }) => s.p === p).expected;
    expect(at(0.5)).toBe(0.375);
    expect(at(0.138)).toBeCloseTo(0.085, 3);
    expect(diagnosis.warnings.length).toBeGreaterThan(0);
  });
});

describe('help', () => {
  it('has examples for every command', async () => {
    const { stdout } = await genenv('--help');
    const commands = [...stdout.matchAll(/^ {2}(\w+) .*\[options\]/gm)].map((match) => match[1]!);
    expect(commands).toEqual(expect.arrayContaining(['train', 'resume', 'runs', 'show', 'export', 'doctor', 'init']));
    for (const command of commands) {
      const { stdout: help } = await callCli([command, '--help'], { cwd: folder });
      expect(help).toMatch(/Examples:\n {2}genenv/);
    }
  });

  it('and the README name the same commands', () => {
    const readme = readFileSync('README.md', 'utf8');
    for (const command of ['train', 'resume', 'runs', 'show', 'export', 'doctor', 'init'])
      expect(readme).toContain(`genenv ${command}`);
  });
});

/** `genenv control` on real processes: a run that is paused, changed, killed, resumed and stopped. Slow for that reason. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { newToken, requestControl } from '../src/control.ts';
import { createRunFolder, play } from '../src/run.ts';
import { digest, openReader } from '../src/store/index.ts';

const cli = resolve('dist/cli/main.js');
const token = newToken();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'genenv-control-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = { ...process.env, NO_COLOR: '1', GENENV_CONTROL_TOKEN: token };

function genenv(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((done) => {
    execFile(process.execPath, [cli, ...args], { cwd: folder, env }, (error, stdout, stderr) =>
      done({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

const control = async (...args: string[]) => {
  const { stdout, stderr } = await genenv('control', 'live', ...args, '--json', '--wait', '60');
  return stderr === '' ? JSON.parse(stdout.trim().split('\n').at(-1)!) : { error: stderr };
};

function start(...args: string[]): ChildProcess {
  return spawn(process.execPath, [cli, ...args, '--quiet'], { cwd: folder, env, stdio: 'ignore' });
}

/** A run listens once it has begun. */
async function pauseWhenItListens(): Promise<void> {
  for (let i = 0; i < 300; i++) {
    if ((await control('pause')).status === 'accepted') return;
    await sleep(100);
  }
  throw new Error('The run never listened.');
}

const SETTINGS = { engine: 'scripted', generation: { seedsPerEpoch: 24 } } as const;

it('pauses, changes, survives kill -9 with its changes, goes on and stops', async () => {
  const args = ['--engine', 'scripted', '--epochs', '900', '--set', 'seedsPerEpoch=24', '--name', 'live', '--control'];
  const first = start('train', ...args);
  await pauseWhenItListens();
  const { at } = await control();
  expect(await control('set', 'alpha=0.4')).toMatchObject({ status: 'accepted' });
  const last = at.epoch + 3;
  expect(await control('set', `epochs=${last}`)).toMatchObject({ status: 'accepted' });
  expect(await control('set', 'alpha=2')).toMatchObject({ error: expect.stringContaining('below 1') });
  expect(await control('set', 'epochs=0')).toMatchObject({ error: expect.stringContaining('from 1') });
  // Paused means that nothing moves.
  expect((await control()).at).toEqual(at);
  first.kill('SIGKILL');
  await once(first, 'exit');
  expect(await control('pause')).toMatchObject({ error: expect.stringContaining('genenv resume live --control') });

  const second = start('resume', 'live', '--control');
  await once(second, 'exit');
  expect(second.exitCode).toBe(0);
  expect(await control('pause')).toMatchObject({ error: expect.stringContaining('is finished') });

  // The same actions at the same place, undisturbed.
  const { config } = loadConfig({ overrides: { ...SETTINGS, epochs: 900 } });
  const undisturbed = join(folder, 'undisturbed');
  createRunFolder(undisturbed, config);
  const never = new AbortController().signal;
  for await (const event of play(undisturbed, config, { stop: never, signal: never }, { controlToken: token })) {
    if (event.type !== 'progress' || event.epoch !== at.epoch || event.phase !== at.phase || event.done !== at.done)
      continue;
    for (const action of [
      { kind: 'set', setting: 'alpha', value: 0.4 },
      { kind: 'set', setting: 'epochs', value: last },
    ] as const) {
      requestControl(undisturbed, token, action, 'test');
    }
  }
  using reader = openReader(undisturbed);
  expect(reader.cursor()).toMatchObject({ epoch: last, phase: 'aggregate' });
  expect(digest(join(folder, 'runs', 'live'))).toBe(digest(undisturbed));
}, 120_000);

it('stops a run after its phase, and refuses to steer one that was started without', async () => {
  const process_ = start('train', '--engine', 'scripted', '--epochs', '900', '--name', 'plain');
  let said = '';
  for (let i = 0; i < 300 && !said.includes('--control'); i++) {
    said = (await genenv('control', 'plain', 'stop')).stderr;
    await sleep(100);
  }
  expect(said).toContain('was not started with --control');
  process_.kill('SIGKILL');
  await once(process_, 'exit');

  const steered = start('resume', 'plain', '--control');
  let answer = '';
  for (let i = 0; i < 300 && !answer.includes('accepted'); i++) {
    answer = (await genenv('control', 'plain', 'stop', '--who', 'Dana')).stdout;
    await sleep(100);
  }
  if (steered.exitCode === null) await once(steered, 'exit');
  expect(steered.exitCode).toBe(0);
  using reader = openReader(join(folder, 'runs', 'plain'));
  const { done, units } = reader.cursor()!;
  expect(done).toBe(units);
  expect(reader.notes().map(({ detail }) => detail)).toContain('Dana: stop after this phase');
}, 120_000);

it('tells a person what to type', async () => {
  const { stderr, code } = await genenv('control', 'plain', 'explode');
  expect([code, stderr]).toEqual([2, expect.stringContaining('is no action')]);
  expect((await genenv('control', 'plain', 'set')).stderr).toContain('alpha=0.4');
  expect((await genenv('control', 'plain', 'set', 'seed=3')).stderr).toContain("can't be changed in a running run");
  expect((await genenv('control', 'plain', 'ban')).stderr).toContain('The most common are');
  expect((await genenv('control', 'plain')).stdout).toContain('plain is not running');
});

/** `genenv control` on real processes: a run that is paused, changed, killed, resumed and stopped. Slow for that reason. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { newToken, requestControl } from '../src/control.ts';
import { createRunFolder, play } from '../src/run.ts';
import { digest, openReader } from '../src/store/index.ts';
import { callCli, type RunningCli, runCli, startCli } from './run-cli.ts';

const token = newToken();
const env = { GENENV_CONTROL_TOKEN: token };
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'genenv-control-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The steering hand is this process; the run is another. */
const genenv = (...args: string[]) => callCli([...args, '--token', token, '--wait', '120'], { cwd: folder });

const control = async (...args: string[]) => {
  const { stdout, stderr } = await genenv('control', 'live', ...args, '--json');
  return stderr === '' ? JSON.parse(stdout.trim().split('\n').at(-1)!) : { error: stderr };
};

/** A run that goes on in a process of its own, and listens: it has begun. */
async function start(...args: string[]): Promise<RunningCli> {
  const running = startCli([...args, '--json', '--quiet'], { cwd: folder, env });
  await running.says('"type":"start"');
  return running;
}

async function kill({ child, ended }: RunningCli): Promise<void> {
  child.kill('SIGKILL');
  await ended;
}

const SETTINGS = { engine: 'scripted', generation: { seedsPerEpoch: 24 } } as const;

it('pauses, changes, survives kill -9 with its changes, goes on and stops', async () => {
  const args = ['--engine', 'scripted', '--epochs', '900', '--set', 'seedsPerEpoch=24', '--name', 'live', '--control'];
  const first = await start('train', ...args);
  expect(await control('pause')).toMatchObject({ status: 'accepted' });
  const { at } = await control();
  expect(await control('set', 'alpha=0.4')).toMatchObject({ status: 'accepted' });
  const last = at.epoch + 3;
  expect(await control('set', `epochs=${last}`)).toMatchObject({ status: 'accepted' });
  expect(await control('set', 'alpha=2')).toMatchObject({ error: expect.stringContaining('below 1') });
  expect(await control('set', 'epochs=0')).toMatchObject({ error: expect.stringContaining('from 1') });
  // Paused means that nothing moves.
  expect((await control()).at).toEqual(at);
  await kill(first);
  expect(await control('pause')).toMatchObject({ error: expect.stringContaining('genenv resume live --control') });

  expect((await runCli(['resume', 'live', '--control', '--quiet'], { cwd: folder, env })).code).toBe(0);
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
});

it('stops a run after its phase, and refuses to steer one that was started without', async () => {
  const plain = await start('train', '--engine', 'scripted', '--epochs', '900', '--name', 'plain');
  expect((await genenv('control', 'plain', 'stop')).stderr).toContain('was not started with --control');
  await kill(plain);

  const steered = await start('resume', 'plain', '--control');
  const { stdout } = await runCli(['control', 'plain', 'stop', '--who', 'Dana', '--wait', '120'], { cwd: folder, env });
  expect(stdout).toContain('accepted');
  expect(await steered.ended).toBe(0);
  using reader = openReader(join(folder, 'runs', 'plain'));
  const { done, units } = reader.cursor()!;
  expect(done).toBe(units);
  expect(reader.notes().map(({ detail }) => detail)).toContain('Dana: stop after this phase');
});

it('tells a person what to type', async () => {
  const { stderr, code } = await genenv('control', 'plain', 'explode');
  expect([code, stderr]).toEqual([2, expect.stringContaining('is no action')]);
  expect((await genenv('control', 'plain', 'set')).stderr).toContain('alpha=0.4');
  expect((await genenv('control', 'plain', 'set', 'seed=3')).stderr).toContain("can't be changed in a running run");
  expect((await genenv('control', 'plain', 'ban')).stderr).toContain('The most common are');
  expect((await genenv('control', 'plain')).stdout).toContain('plain is not running');
});

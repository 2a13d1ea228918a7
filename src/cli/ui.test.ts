import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { tempFolder } from '../fixtures.ts';
import { printed } from './fixtures.ts';
import { type UiOptions, ui } from './ui.ts';

const refused = async (run: string | undefined, options: Partial<UiOptions>) =>
  String((await printed(() => ui(run, { runsDir: tempFolder(), ...options }))).error);

it('a port that makes no sense or is taken is refused, with what to do', async () => {
  expect(await refused(undefined, { port: 'x' })).toMatch(/--port must be a whole number/);
  expect(await refused(undefined, { port: '70000' })).toMatch(/at most 65535/);
  const taken = createServer();
  const port = await new Promise<number>((done) => {
    taken.listen(0, '127.0.0.1', () => done((taken.address() as { port: number }).port));
  });
  expect(await refused(undefined, { port: String(port) })).toMatch(/is taken.*--port 0/);
  taken.close();
});

it('a run that is not there, and an address this machine has not, are refused', async () => {
  expect(await refused('nobody', {})).toMatch(/There is no run "nobody"/);
  expect(await refused(undefined, { host: '203.0.113.1', port: '0' })).toMatch(/has no address 203\.0\.113\.1/);
});

it('a token without --control, and one that can be none, are refused', async () => {
  expect(await refused(undefined, { token: 'a-token-to-steer-with' })).toMatch(/add --control/);
  expect(await refused(undefined, { control: true, token: 'short' })).toMatch(/16 to 200 visible ASCII/);
});

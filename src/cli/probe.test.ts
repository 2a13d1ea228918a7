/** The command on servers that are not there, are something else, or are a Tinker server. */
import { afterEach, expect, it, vi } from 'vitest';
import { fakeServer } from '../engines/tinker/fake-server.ts';
import { probe } from './probe.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

async function output(work: () => Promise<void>): Promise<string> {
  let text = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  await work();
  return text;
}

it('prints the profile of a Tinker server, for people and for programs', async () => {
  await using server = await fakeServer({ reduction: 'stepMean' }, 'tml-key-of-this-test');
  vi.stubEnv('MY_KEY', 'tml-key-of-this-test');
  const options = { keyEnv: 'MY_KEY', rank: '8' };
  expect(await output(() => probe(server.url, options))).toMatch(/losses are +averaged over the sequences of a step/);
  vi.restoreAllMocks();
  const json = JSON.parse(await output(() => probe(server.url, { ...options, json: true })));
  expect(json).toMatchObject({ protocol: 'tinker', model: 'table', reduction: 'stepMean' });
});

it('says what is wrong with what was typed', async () => {
  await expect(probe('localhost', { rank: '8' })).rejects.toThrow(/is no address/);
  await expect(probe('http://localhost:1', { rank: 'x' })).rejects.toThrow(/--rank takes/);
  await expect(probe('http://localhost:1', { rank: '8', protocol: 'openai' })).rejects.toThrow(/add --model NAME/);
});

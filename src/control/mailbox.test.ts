import { appendFileSync, existsSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mailboxFile, openMailbox, post } from './mailbox.ts';
import { newToken } from './token.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'genenv-mailbox-'));
const token = newToken();

it('brings requests in order, each once, with who asked', () => {
  const folder = newFolder();
  using mailbox = openMailbox(folder, token);
  expect(mailbox.take()).toEqual([]);
  const first = post(folder, token, { kind: 'pause' }, ' Dana\n\u202e ');
  const second = post(folder, token, { kind: 'set', setting: 'alpha', value: 0.4 }, 'Eli');
  expect(first.who).toBe('Dana');
  expect(mailbox.take()).toEqual([first, second]);
  expect(mailbox.take()).toEqual([]);
});

it('is for its owner only, and does not hold the token', () => {
  const folder = newFolder();
  using mailbox = openMailbox(folder, token);
  post(folder, token, { kind: 'pause' }, 'Dana');
  if (process.platform !== 'win32') expect(statSync(mailboxFile(folder)).mode & 0o777).toBe(0o600);
  expect(JSON.stringify(mailbox.take())).not.toContain(token);
});

it('refuses requests of another token, changed ones, and lines that are none', () => {
  const folder = newFolder();
  using mailbox = openMailbox(folder, token);
  post(folder, newToken(), { kind: 'pause' }, 'Mallory');
  appendFileSync(mailboxFile(folder), '{"text":"{}","proof":"00"}\nnonsense\n{"text":3}\nnull\n');
  expect(mailbox.take().every((taken) => 'refused' in taken)).toBe(true);
});

it('waits for the end of a line that is being written', () => {
  const folder = newFolder();
  using mailbox = openMailbox(folder, token);
  const { id } = post(folder, token, { kind: 'stop' }, 'Dana');
  appendFileSync(mailboxFile(folder), '{"text":');
  expect(mailbox.take()).toMatchObject([{ id }]);
  appendFileSync(mailboxFile(folder), '1}\n');
  expect(mailbox.take()).toEqual([{ refused: 'a request without a valid token' }]);
});

it('has an end', () => {
  const folder = newFolder();
  using _mailbox = openMailbox(folder, token);
  writeFileSync(mailboxFile(folder), 'x'.repeat(1024 * 1024 + 1));
  expect(() => post(folder, token, { kind: 'pause' }, 'Dana')).toThrow(/too many requests/);
});

it('is not made by those who write to it', () => {
  const folder = newFolder();
  expect(() => post(folder, token, { kind: 'pause' }, 'Dana')).toThrow(/ended meanwhile/);
  expect(existsSync(mailboxFile(folder))).toBe(false);
});

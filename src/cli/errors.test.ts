import { describe, expect, it } from 'vitest';
import { TaskFileError } from '../benchmarks/file/index.ts';
import { loadConfig } from '../config.ts';
import { RecordingError } from '../engines/replay/index.ts';
import { openReader, StoreError } from '../store/index.ts';
import { exitCodeOf, Interrupted, report, UsageError } from './errors.ts';
import { printed } from './fixtures.ts';

const thrown = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};
const refused = (code: string) => Object.assign(new Error(`${code}: refused, open 'x'`), { code, syscall: 'open' });

describe('the exit code', () => {
  it('is 2 for what was typed wrongly', () => {
    expect(exitCodeOf(new UsageError('x'))).toBe(2);
    expect(exitCodeOf(new TaskFileError('x'))).toBe(2);
    expect(exitCodeOf(new RecordingError('x'))).toBe(2);
    expect(exitCodeOf(thrown(() => loadConfig({ set: ['epochs=-1'] })))).toBe(2);
    expect(exitCodeOf(thrown(() => openReader('/nowhere/at/all')))).toBe(2);
    expect(exitCodeOf(new StoreError('exists', 'x'))).toBe(2);
  });

  it('is 1 for what failed, 130 for what was interrupted', () => {
    expect(exitCodeOf(new StoreError('locked', 'x'))).toBe(1);
    expect(exitCodeOf(new Error('x'))).toBe(1);
    expect(exitCodeOf('x')).toBe(1);
    expect(exitCodeOf(undefined)).toBe(1);
    expect(exitCodeOf(refused('ENOSPC'))).toBe(1);
    expect(exitCodeOf(new Interrupted('x'))).toBe(130);
  });
});

describe('a report', () => {
  const said = async (error: unknown) => {
    const { stdout, stderr } = await printed(() => report(error));
    expect(stdout).toBe('');
    return stderr;
  };

  it('is the message alone where it was written for users, every line under the first', async () => {
    expect(await said(new UsageError('run.yaml:3:3  no such setting\nDid you mean beta?'))).toBe(
      'error  run.yaml:3:3  no such setting\n       Did you mean beta?\n',
    );
    expect(await said(new TaskFileError('seeds.jsonl:2  not JSON'))).toBe('error  seeds.jsonl:2  not JSON\n');
    expect(await said(new Interrupted('Stopped.'))).toBe('error  Stopped.\n');
  });

  it('has the stack of our own mistakes', async () => {
    const text = await said(new TypeError('undefined is not a function'));
    expect(text).toContain('TypeError: undefined is not a function');
    expect(text).toContain('errors.test.ts');
  });

  it('says what to do when the system refuses, without a stack', async () => {
    expect(await said(refused('ENOSPC'))).toBe(
      "error  The disk is full. Free some space and go on; what was committed is safe.\n       ENOSPC: refused, open 'x'\n",
    );
    expect(await said(refused('EACCES'))).toContain('Permission was denied');
    expect(await said(refused('EWHATEVER'))).toContain('errors.test.ts');
  });

  it('copes with what is no error', async () => {
    expect(await said('just words')).toBe('error  just words\n');
    expect(await said(undefined)).toBe('error  undefined\n');
  });
});

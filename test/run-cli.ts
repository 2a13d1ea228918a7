/** The command line as a user meets it: a process of its own in a folder of its own. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

export const CLI: string = resolve('dist/cli/main.js');

export interface CliResult {
  code: number;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  cwd: string;
  stdin?: string;
  env?: Record<string, string>;
}

export function runCli(args: readonly string[], { cwd, stdin, env = {} }: CliOptions): Promise<CliResult> {
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [CLI, ...args],
      { cwd, env: { ...process.env, NO_COLOR: '1', ...env }, maxBuffer: 1 << 28 },
      (error, stdout, stderr) => done({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
    child.stdin?.end(stdin ?? '');
  });
}

// biome-ignore lint/suspicious/noExplicitAny: what a program prints is looked at field by field in tests.
export const jsonLines = (text: string): any[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** The command line as a user meets it: a process of its own in a folder of its own. */
import { type ChildProcess, type ExecFileException, execFile, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { printed } from '../src/cli/fixtures.ts';
import { runProgram } from '../src/cli/program.ts';

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

const environment = (env: Record<string, string> = {}) => ({ ...process.env, NO_COLOR: '1', COLUMNS: '200', ...env });

export function runCli(args: readonly string[], { cwd, stdin, env }: CliOptions): Promise<CliResult> {
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [CLI, ...args],
      { cwd, env: environment(env), maxBuffer: 1 << 28 },
      (error, stdout, stderr) => done({ code: exitCodeOf(error), stdout, stderr }),
    );
    child.stdin?.end(stdin ?? '');
  });
}

/** A process that was killed has no exit code, and did not end well. */
const exitCodeOf = (error: ExecFileException | null) =>
  error === null ? 0 : typeof error.code === 'number' ? error.code : 1;

/** The same in this process, for what another would not show better: wrong usage and help are over before it has started. */
export async function callCli(args: readonly string[], { cwd }: Pick<CliOptions, 'cwd'>): Promise<CliResult> {
  const before = process.cwd();
  process.chdir(cwd);
  try {
    const { stdout, stderr } = await printed(() => runProgram(args), 200);
    return { code: Number(process.exitCode ?? 0), stdout, stderr };
  } finally {
    process.chdir(before);
    process.exitCode = undefined;
  }
}

/** A process that is still at work, what it has said so far, and how to wait for it. */
export interface RunningCli {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves when it has said this so many times on standard output; rejects when it ends before. */
  says(text: string, times?: number): Promise<void>;
  /** The exit code; null when a signal ended it. */
  ended: Promise<number | null>;
}

export function startCli(args: readonly string[], { cwd, env }: Omit<CliOptions, 'stdin'>): RunningCli {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd,
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (chunk) => {
      said[name] += chunk;
    });
  const ended = new Promise<number | null>((done) => child.on('close', done));
  const says = (text: string, times = 1) =>
    new Promise<void>((done, reject) => {
      const look = () => said.stdout.split(text).length > times && done();
      child.stdout.on('data', look);
      look();
      ended.then((code) => reject(new Error(`ended with ${code} and never said ${text}: ${said.stderr}`)));
    });
  return { child, stdout: () => said.stdout, stderr: () => said.stderr, says, ended };
}

// biome-ignore lint/suspicious/noExplicitAny: what a program prints is looked at field by field in tests.
export const jsonLines = (text: string): any[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** A browser, the program, and what is needed to look at the one with the other. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, chromium, type Page } from 'playwright-core';

const CANDIDATES = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Debian's chromium, or what CHROMIUM names; undefined where there is none. */
export const browserPath = (): string | undefined => CANDIDATES.find((path) => path !== undefined && existsSync(path));

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: browserPath()!, args: ['--no-sandbox', '--disable-dev-shm-usage'] });

export const genenv = (...args: string[]): ChildProcess =>
  spawn(process.execPath, [resolve('dist/cli/main.js'), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });

/** A scripted run called live, once its first epoch is over: somebody who opens a run has seen it begin. */
export async function startTrain(runsDir: string, ...more: string[]): Promise<ChildProcess> {
  const child = genenv(
    ...['train', '--engine', 'scripted', '--json', '--quiet', '--name', 'live', '--runs-dir', runsDir],
    ...more,
  );
  await new Promise<void>((begun, failed) => {
    createInterface(child.stdout!).on('line', (line) => line.startsWith('{"type":"epoch"') && begun());
    child.once('exit', () => failed(new Error('genenv train ended before its first epoch was over')));
  });
  return child;
}

/** `genenv ui` on a free port, and the address it prints. */
export async function startUi(runsDir: string, ...more: string[]): Promise<{ url: string; child: ChildProcess }> {
  const child = genenv('ui', '--port', '0', '--json', '--runs-dir', runsDir, ...more);
  for await (const chunk of child.stdout!) return { url: JSON.parse(String(chunk)).url, child };
  throw new Error('genenv ui ended without an address');
}

/** Ends a process of ours, and waits for it. */
export const end = (child: ChildProcess | undefined): Promise<void> =>
  new Promise((done) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return done();
    child.once('exit', () => done());
    child.kill('SIGTERM');
  });

/** What went wrong in a page: errors, and whatever the content security policy refused. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error.stack ?? error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return complaints;
}

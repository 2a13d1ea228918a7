/** A browser, the program, and what is needed to look at the one with the other. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

const CANDIDATES = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Debian's chromium, or what CHROMIUM names; undefined where there is none. */
export const browserPath = (): string | undefined => CANDIDATES.find((path) => path !== undefined && existsSync(path));

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: browserPath()!, args: ['--no-sandbox', '--disable-dev-shm-usage'] });

export const genenv = (...args: string[]): ChildProcess =>
  spawn(process.execPath, [resolve('dist/cli/main.js'), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });

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

/**
 * The dashboard over time: npm run soak:ui [-- --minutes 60] [--pages 2] [--every 15] [--runs-dir DIR --run NAME] [--trace-gc]
 * A run writes all the while (1,000 metric points a second and whole groups of rollouts), pages in headless chromium show it,
 * walk its charts, search its tasks, compare it and open passports, and streams come and go. Prints, every so many seconds:
 *   server   resident memory, and the JavaScript heap with what lies outside of it (after a collection, so what is held)
 *   page     JavaScript heap of the first page, after a collection
 *   frames   a second on that page while its pointer walks a chart
 * and at the end by how much they rose in the second half, when everything is warm, and whether the page is still up to date.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { framesPerSecond } from './frames.mjs';
import { startWriter } from './writer.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    pages: { type: 'string', default: '2' },
    every: { type: 'string', default: '15' },
    'runs-dir': { type: 'string' },
    run: { type: 'string', default: 'soaked' },
    'trace-gc': { type: 'boolean' },
  },
});
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
if (!existsSync(executablePath)) {
  console.error(`There is no browser at ${executablePath}. Set CHROMIUM to the path of one.`);
  process.exit(1);
}
const runsDir = values['runs-dir'] ?? mkdtempSync(join(tmpdir(), 'genenv-soak-ui-'));
const minutes = Number(values.minutes);
const everyMs = 1000 * Number(values.every);

/** The server, with a question put in: a line on its input, and it collects and says what it holds. */
const probe = `
  process.stdin.on('data', () => {
    globalThis.gc();
    const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
    process.stderr.write('HELD ' + JSON.stringify({ rss, heapUsed, external, arrayBuffers, handles: process.getActiveResourcesInfo().length }) + '\\n');
  });
  process.stdin.unref();`;
const server = spawn(
  process.execPath,
  [
    '--expose-gc',
    ...(values['trace-gc'] ? ['--trace-gc'] : []),
    '--import',
    `data:text/javascript,${encodeURIComponent(probe)}`,
    resolve('dist/cli/main.js'),
    ...['ui', '--port', '0', '--json', '--runs-dir', runsDir],
  ],
  { stdio: ['pipe', 'pipe', 'pipe'] },
);
let said = '';
let told = () => {};
server.stderr.on('data', (chunk) => {
  said += chunk;
  const lines = said.split('\n');
  said = lines.pop();
  for (const line of lines) line.startsWith('HELD ') ? told(JSON.parse(line.slice(5))) : console.error(line);
});
const held = () =>
  new Promise((done) => {
    told = done;
    server.stdin.write('?\n');
  });
const url = await new Promise((done) => {
  server.stdout.on('data', (chunk) => {
    const line = String(chunk)
      .split('\n')
      .find((text) => text.startsWith('{'));
    if (line) done(JSON.parse(line).url);
    if (values['trace-gc']) process.stderr.write(chunk);
  });
});

const writer = startWriter(join(runsDir, values.run), { pointsPerSecond: 1000, groupsPerSecond: 8 });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--enable-precise-memory-info'] });
const at = (path) => new URL(path, url).href;
const pages = [];
for (let i = 0; i < Number(values.pages); i++) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(at(`/r/${values.run}`));
  await page.locator('[role=slider]').first().waitFor();
  pages.push(page);
}
const [first, ...others] = pages;
const cdp = await first.context().newCDPSession(first);

/** What people do on the other pages, one thing after another. */
const PLACES = ['', '/tasks', '/tasks?search=city 7', '/metrics', '/epoch/1', '/tasks?search=no such words'];
let round = 0;
async function wander() {
  for (const page of others) {
    const place = PLACES[round++ % (PLACES.length + 2)];
    if (place !== undefined) await page.goto(at(`/r/${values.run}${place}`));
    else if (round % 2) await page.goto(at(`/compare?run=${values.run}`));
    else {
      await page.goto(at(`/r/${values.run}/tasks`));
      await page.locator('tbody a').first().click();
      await page.getByText('Solver votes').waitFor();
    }
    await page.waitForTimeout(500);
  }
}

console.log('minute  server MB  heap MB  outside MB  page MB  frames/s  points written  load');
const rows = [];
const started = performance.now();
while (performance.now() - started < minutes * 60_000) {
  const from = performance.now();
  const frames = await framesPerSecond(first, Math.min(5, everyMs / 3000));
  while (performance.now() - from < everyMs) {
    await wander().catch((error) => console.error(String(error.message).split('\n')[0]));
    if (others.length === 0) await first.waitForTimeout(500);
  }
  await cdp.send('HeapProfiler.collectGarbage');
  const page = (await first.evaluate(() => performance.memory.usedJSHeapSize)) / 2 ** 20;
  const now = await held();
  const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  const row = {
    minute: (performance.now() - started) / 60_000,
    rss,
    heap: now.heapUsed / 2 ** 20,
    outside: now.external / 2 ** 20,
    page,
    frames,
  };
  rows.push(row);
  const cell = (value, digits, width) => value.toFixed(digits).padStart(width);
  console.log(
    cell(row.minute, 1, 6) +
      cell(rss, 0, 11) +
      cell(row.heap, 1, 9) +
      cell(row.outside, 1, 12) +
      cell(page, 1, 9) +
      cell(frames, 0, 10) +
      String(writer.written()).padStart(16) +
      cell(loadavg()[0], 1, 6),
  );
}
/** MB a minute over the second half, by least squares. */
const rise = (key) => {
  const half = rows.slice(rows.length >> 1);
  const mean = (of) => half.reduce((sum, row) => sum + of(row), 0) / half.length;
  const [x, y] = [mean((row) => row.minute), mean((row) => row[key])];
  const spread = half.reduce((sum, row) => sum + (row.minute - x) ** 2, 0);
  return spread === 0 ? 0 : half.reduce((sum, row) => sum + (row.minute - x) * (row[key] - y), 0) / spread;
};
if (rows.length > 3) {
  console.log(
    `second half, MB a minute: server ${rise('rss').toFixed(2)}, its heap ${rise('heap').toFixed(2)}, page ${rise('page').toFixed(2)}`,
  );
}
const shown = /([\d,]+) of [\d,]+ epochs/.exec(await first.locator('main').innerText());
console.log(`the page shows epoch ${shown?.[1]}, and ${writer.epoch()} is being written`);
writer.stop();
await browser.close();
await new Promise((done) => {
  server.once('exit', done);
  server.kill('SIGTERM');
});
if (values['runs-dir'] === undefined) rmSync(runsDir, { recursive: true, force: true });

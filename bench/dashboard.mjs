/**
 * What the dashboard costs, in headless chromium: npm run bench:ui [-- --small] [-- --keep FOLDER]
 *   first chart   on a run of 1,000,000 traces and 100,000 metric points (--small: 50,000 and 5,000)
 *   search        by text, one that finds nothing and so looks at every task, and one that finds a few
 *   frames        per second while the pointer walks the charts and a run writes
 *   memory        of the page and of the server over many live updates
 *   run slower by what a watched run takes longer than one that nobody watches (CPU of the run's own process)
 *   bundle        bytes sent, gzipped
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { openJournal } from '../dist/store/index.js';
import { makeRun } from './dashboard-run.mjs';
import { framesPerSecond } from './ui/frames.mjs';

const { values } = parseArgs({ options: { small: { type: 'boolean' }, keep: { type: 'string' } } });
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const size = values.small
  ? { traces: 50_000, points: 5_000, epochs: 20 }
  : { traces: 1_000_000, points: 100_000, epochs: 100 };
const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'genenv-bench-ui-'));
const say = (name, text) => console.log(`${name.padEnd(16)}${text}`);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

if (!existsSync(executablePath)) {
  console.error(`There is no browser at ${executablePath}. Set CHROMIUM to the path of one.`);
  process.exit(1);
}
const genenv = (args, options = {}) =>
  spawn(process.execPath, [resolve('dist/cli/main.js'), ...args], { stdio: ['ignore', 'pipe', 'inherit'], ...options });

async function startUi(runsDir) {
  const child = genenv(['ui', '--port', '0', '--json', '--runs-dir', runsDir]);
  for await (const chunk of child.stdout) return { child, ...JSON.parse(String(chunk)) };
}
const end = (child) =>
  new Promise((done) => {
    child.once('exit', done);
    child.kill('SIGTERM');
  });
const rssMb = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** From asking for the page to the frame that shows the hero chart, by the page's own clock. */
async function firstChart(browser, url) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.addInitScript(() => {
    const look = () => {
      if (document.querySelector('.plot canvas')?.width > 300) window.firstChart = performance.now();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(url, { waitUntil: 'commit' });
  await page.waitForFunction(() => window.firstChart !== undefined);
  const ms = await page.evaluate(() => window.firstChart);
  await page.locator('[role=slider]').nth(3).waitFor();
  await page.close();
  return ms;
}

/** A search that finds nothing has to look at every task; by the clock of whoever waits for it. */
async function searchTime(url, search) {
  const times = [];
  for (let i = 0; i < 5; i++) {
    const from = performance.now();
    const answer = await fetch(new URL(`/api/runs/large/tasks?search=${encodeURIComponent(search)}`, url));
    await answer.json();
    times.push(performance.now() - from);
  }
  return median(times);
}

/** A writer in this process: so many metric points a second, a commit every 20 ms, for as long as `during` takes. */
async function whileWriting(run, perSecond, during) {
  const journal = openJournal(run, { now: Date.now });
  let step = 0;
  const epoch = (journal.cursor()?.epoch ?? 0) + 1;
  const timer = setInterval(() => {
    const metrics = Array.from({ length: perSecond / 50 }, () => ({
      key: 'agent/stepReward',
      epoch,
      step: ++step,
      value: Math.random(),
    }));
    journal.commit({ epoch, phase: 'updateAgent', done: step, units: 1e9 }, { metrics });
  }, 20);
  try {
    return await during();
  } finally {
    clearInterval(timer);
    journal[Symbol.dispose]();
    say('written', `${step} points meanwhile`);
  }
}

/** CPU seconds of a run's own process, and its wall time. */
function trainCost(runsDir, name) {
  return new Promise((done, failed) => {
    const started = performance.now();
    const args = ['train', '--engine', 'scripted', '--epochs', '12', '--set', 'seedsPerEpoch=96', '--quiet'];
    const probe = `process.on('exit', () => { const { user, system } = process.cpuUsage(); process.stderr.write('CPU ' + (user + system) / 1e6 + '\\n'); });`;
    const child = spawn(
      process.execPath,
      [
        '--import',
        `data:text/javascript,${encodeURIComponent(probe)}`,
        resolve('dist/cli/main.js'),
        ...args,
        '--name',
        name,
        '--runs-dir',
        runsDir,
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let text = '';
    child.stderr.on('data', (chunk) => {
      text += chunk;
    });
    child.once('exit', (code) => {
      const cpu = Number(/CPU ([\d.]+)/.exec(text)?.[1]);
      if (code === 0) done({ cpu, wall: (performance.now() - started) / 1000 });
      else failed(new Error(text));
    });
  });
}

const app = 'dist/dashboard/app';
const files = readdirSync(app, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const bytes = files.reduce(
  (sum, { parentPath, name }) => sum + gzipSync(readFileSync(join(parentPath, name))).length,
  0,
);
say('bundle', `${(bytes / 1024).toFixed(1)} KB gzipped (under 120)`);

const large = join(folder, 'large');
if (!existsSync(large)) {
  console.log(
    `writing a run of ${size.traces.toLocaleString('en')} traces and ${size.points.toLocaleString('en')} points …`,
  );
  makeRun(large, size);
}
say(
  'machine',
  `${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)} (what else it does counts against these numbers)`,
);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--enable-precise-memory-info'] });
const times = [];
for (let i = 0; i < 5; i++) {
  // A server that has read nothing yet: the hardest case.
  const ui = await startUi(folder);
  times.push(await firstChart(browser, new URL('/r/large', ui.url).href));
  await end(ui.child);
}
say(
  'first chart',
  `${median(times).toFixed(0)} ms median of ${times.map((ms) => ms.toFixed(0)).join(', ')} (under 1000)`,
);

const ui = await startUi(folder);
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
await page.goto(new URL('/r/large', ui.url).href);
await page.locator('[role=slider]').nth(3).waitFor();
const tasks = Math.ceil(size.traces / 8).toLocaleString('en');
say(
  'search',
  `${(await searchTime(ui.url, 'no such words')).toFixed(0)} ms for nothing in ${tasks} tasks, ${(await searchTime(ui.url, 'city 77 tomorrow')).toFixed(0)} ms for a few`,
);
const idle = await framesPerSecond(page, 4);
const heap = () => page.evaluate(() => performance.memory.usedJSHeapSize / 2 ** 20);
await whileWriting(large, 1000, async () => {
  const busy = await framesPerSecond(page, 6);
  say(
    'frames',
    `${busy.toFixed(0)} a second while 1,000 points a second are written, ${idle.toFixed(0)} without (60 asked for)`,
  );
  const before = { page: await heap(), server: rssMb(ui.child.pid) };
  await page.waitForTimeout(values.small ? 5_000 : 40_000);
  say(
    'memory',
    `page ${before.page.toFixed(0)} → ${(await heap()).toFixed(0)} MB, server ${before.server.toFixed(0)} → ${rssMb(ui.child.pid).toFixed(0)} MB`,
  );
});
await page.close();

const runsDir = mkdtempSync(join(tmpdir(), 'genenv-bench-runs-'));
const watching = await startUi(runsDir);
const costs = { alone: [], watched: [] };
for (let i = 0; i < (values.small ? 2 : 5); i++) {
  costs.alone.push(await trainCost(runsDir, `alone-${i}`));
  const page = await browser.newPage();
  await page.goto(new URL(`/r/watched-${i}`, watching.url).href);
  costs.watched.push(await trainCost(runsDir, `watched-${i}`));
  await page.close();
}
const cpu = (name) => Math.min(...costs[name].map((cost) => cost.cpu));
say(
  'run slower by',
  `${(100 * (cpu('watched') / cpu('alone') - 1)).toFixed(1)} % CPU of the run (at most 2): ${cpu('alone').toFixed(2)} s alone, ${cpu('watched').toFixed(2)} s watched`,
);
await Promise.all([browser.close(), end(watching.child), end(ui.child)]);
rmSync(runsDir, { recursive: true, force: true });
if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });

/**
 * Pictures of every view for the docs, of a real run on the scripted engine: npm run screenshots
 * They are small on purpose; look at them before you commit them.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { loadConfig } from '../../dist/config.js';
import { startDashboard } from '../../dist/dashboard/server.js';
import { createRunFolder, play } from '../../dist/run.js';
import { openReader } from '../../dist/store/index.js';

const OUT = 'docs/dashboard';
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

async function playRun(folder, changes) {
  const { config } = loadConfig({
    overrides: {
      engine: 'scripted',
      epochs: 12,
      generation: { seedsPerEpoch: 48 },
      evaluation: { every: 2 },
      ...changes,
    },
  });
  createRunFolder(folder, config);
  const never = new AbortController().signal;
  for await (const _ of play(folder, config, { stop: never, signal: never }));
}

/** A generated task that the agent solved sometimes, with a seed and rollouts to look at. */
function aTask(folder) {
  const reader = openReader(folder);
  const [task] = reader.browse.taskList({ origin: 'generated', from: 0.3, to: 0.6, epoch: 6 });
  reader[Symbol.dispose]();
  return task;
}

const runsDir = mkdtempSync(join(tmpdir(), 'genenv-shots-'));
mkdirSync(OUT, { recursive: true });
console.log('playing runs …');
for (const seed of [1, 2, 3]) {
  await playRun(join(runsDir, `brisk-otter-${seed}`), { seed });
  await playRun(join(runsDir, `calm-heron-${seed}`), { seed, variant: 'genenv-random' });
}
const run = 'brisk-otter-1';
const { id, seedId } = aTask(join(runsDir, run));
const all = [1, 2, 3].flatMap((seed) => [`run=brisk-otter-${seed}`, `run=calm-heron-${seed}`]).join('&');
const views = {
  runs: '',
  overview: `r/${run}`,
  epoch: `r/${run}/epoch/6`,
  tasks: `r/${run}/tasks?verdict=kept&from=0.4&to=0.6`,
  passport: `r/${run}/task/${id}`,
  rollouts: `r/${run}/task/${id}/rollouts`,
  'two-tasks': `r/${run}/diff?a=${seedId}&b=${id}`,
  metrics: `r/${run}/metrics?filter=^agent/`,
  compare: `compare?${all}&key=val/successRate&group=variant&x=tokens`,
};
const dashboard = await startDashboard({ runsDir, port: 0 });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });

async function shoot(name, path, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1100, height: name === 'overview' ? 1500 : 720 },
    locale: 'en-GB',
    ...options,
  });
  const page = await context.newPage();
  await page.goto(dashboard.url + path);
  await page.locator('table, .plot, .pair').first().waitFor();
  await page.waitForTimeout(800);
  await page.screenshot({ path: join(OUT, `${name}.png`) });
  await context.close();
  console.log(`${OUT}/${name}.png`);
}

for (const [name, path] of Object.entries(views)) await shoot(name, path);
await shoot('overview-dark', views.overview, { colorScheme: 'dark' });
await shoot('overview-phone', views.overview, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
await browser.close();
await dashboard.close();
rmSync(runsDir, { recursive: true, force: true });

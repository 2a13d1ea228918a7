/**
 * Pictures of every view for the docs, of a real run on the scripted engine: npm run screenshots
 * With names (npm run screenshots -- control) only those are made. They are small on purpose; look at them before you commit them.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { loadConfig } from '../../dist/config.js';
import { requestControl } from '../../dist/control.js';
import { startDashboard } from '../../dist/dashboard/server.js';
import { createRunFolder, play } from '../../dist/run.js';
import { openReader } from '../../dist/store/index.js';

const OUT = 'docs/dashboard';
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

const names = process.argv.slice(2);
const isWanted = (name) => names.length === 0 || names.includes(name);

function startRun(folder, changes, options) {
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
  return play(folder, config, { stop: never, signal: never }, options);
}

async function playRun(folder, changes) {
  for await (const _ of startRun(folder, changes));
}

/** A run that was changed in epochs 6 and 8 and is paused in epoch 12; what it returns lets it end. */
async function pausedRun(folder, token) {
  const playing = startRun(folder, { epochs: 30 }, { controlToken: token });
  const ask = (action, who) => requestControl(folder, token, action, who);
  const requests = {
    6: () => ask({ kind: 'set', setting: 'alpha', value: 0.3 }, 'Dana'),
    8: () => ask({ kind: 'set', setting: 'agent.learningRate', value: 0.02 }, 'Eli'),
    12: () => {
      ask({ kind: 'pause' }, 'Dana');
      ask({ kind: 'set', setting: 'alpha', value: 0.4 }, 'Dana');
    },
  };
  let isPaused;
  const paused = new Promise((done) => {
    isPaused = done;
  });
  const over = (async () => {
    for await (const event of playing) {
      if (event.type === 'phase' && event.phase === 'score') requests[event.epoch]?.();
      if (event.type === 'control' && event.detail.endsWith('→ 0.4, from epoch 13')) isPaused();
    }
  })();
  await paused;
  return async () => {
    ask({ kind: 'stop' }, 'Dana');
    await over;
  };
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
const TOKEN = 'only-for-these-pictures';
const endPaused = await pausedRun(join(runsDir, 'steered-lynx'), TOKEN);
for (const seed of names.length === 0 ? [1, 2, 3] : [1]) {
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
const steering = await startDashboard({ runsDir, port: 0, control: { who: 'Dana' } });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });

async function shoot(name, path, { url = dashboard.url, before = async () => {}, ...options } = {}) {
  if (!isWanted(name)) return;
  const context = await browser.newContext({
    viewport: { width: 1100, height: name === 'overview' ? 1500 : 720 },
    locale: 'en-GB',
    ...options,
  });
  const page = await context.newPage();
  await page.goto(url + path);
  await page.locator('table, .plot, .pair').first().waitFor();
  await before(page);
  await page.waitForTimeout(800);
  await page.screenshot({ path: join(OUT, `${name}.png`) });
  await context.close();
  console.log(`${OUT}/${name}.png`);
}

for (const [name, path] of Object.entries(views)) await shoot(name, path);
await shoot('overview-dark', views.overview, { colorScheme: 'dark' });
await shoot('overview-phone', views.overview, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
const steered = {
  url: steering.url,
  before: async (page) => {
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    await page.getByText('Change α, learning rates').click();
  },
};
const control = `r/steered-lynx#control=${TOKEN}`;
await shoot('control', control, { ...steered, viewport: { width: 1100, height: 1150 } });
await shoot('control-phone', control, { ...steered, viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
await browser.close();
await endPaused();
await steering.close();
await dashboard.close();
rmSync(runsDir, { recursive: true, force: true });

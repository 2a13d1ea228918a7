/**
 * The dashboard as a person meets it: a real run, the real server and a real browser. Slow because all three are started;
 * they are started once and shared.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { HOSTILE } from '../../src/dashboard/fixtures.ts';
import { hostileRun, playRun } from '../../src/fixtures.ts';
import { browserPath, complaintsOf, end, openBrowser, startTrain, startUi } from './browser.ts';

const PATIENCE_MS = 120_000;

it('the bundle is under 120 KB when it is sent', () => {
  const folder = 'dist/dashboard/app';
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.reduce(
    (sum, { parentPath, name }) => sum + gzipSync(readFileSync(join(parentPath, name))).length,
    0,
  );
  expect(bytes).toBeLessThan(120 * 1024);
});

describe.skipIf(browserPath() === undefined)('in a browser (needs chromium; set CHROMIUM to its path)', () => {
  let folder: string;
  let browser: Browser;
  let ui: { url: string; child: ChildProcess };
  let train: ChildProcess;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'genenv-ui-'));
    [ui, browser] = await Promise.all([
      startUi(folder),
      openBrowser(),
      playRun(join(folder, 'first'), { epochs: 3 }),
      playRun(join(folder, 'second'), { epochs: 3, seed: 2, variant: 'genenv-random' }),
    ]);
    hostileRun(join(folder, 'hostile'), HOSTILE);
    train = await startTrain(folder, '--epochs', '2000', '--set', 'seedsPerEpoch=16');
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([end(train), end(ui?.child)]);
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: 'light', ...options });
    page.setDefaultTimeout(PATIENCE_MS);
    complaints = complaintsOf(page);
    await page.goto(new URL(path, ui.url).href);
    return page;
  }
  afterEach(async () => {
    const found = complaints ?? [];
    complaints = [];
    await page?.context().close();
    expect(found).toEqual([]);
  });

  const hero = () => page.getByRole('slider', { name: /^Success on generated tasks by epoch/ });

  it('the charts of a run that another process plays move by themselves', async () => {
    await open('/r/live');
    await hero().waitFor();
    const at = async () => Number(await hero().getAttribute('aria-valuemax'));
    const before = await at();
    await expect.poll(at, { timeout: PATIENCE_MS, interval: 200 }).toBeGreaterThan(before + 1);
    expect(await page.getByRole('banner').getByRole('status').textContent()).toBe('live');
    await end(train);
    await expect
      .poll(() => page.getByRole('banner').getByRole('status').textContent(), { timeout: PATIENCE_MS })
      .toBe('stopped');
    await page.getByText('genenv resume live').waitFor();
  });

  it('a click on the hero chart leads to an epoch, a batch, a task and its rollouts', async () => {
    await open('/r/first');
    const box = (await hero().locator('.u-over').boundingBox())!;
    await page.mouse.click(box.x + 0.67 * box.width, box.y + box.height / 2);
    await page.getByRole('heading', { name: 'Epoch 2' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/r/first/epoch/2');
    await page.locator('tbody a').first().click();
    await page.getByRole('heading', { name: 'Batch of epoch 2' }).waitFor();
    await page.locator('tbody a[href*="/task/"]').first().click();
    await page.getByRole('heading', { name: 'Lineage' }).waitFor();
    await page.getByRole('link', { name: 'Its rollouts side by side' }).click();
    const rollouts = page.getByRole('article', { name: /^Rollout \d/ });
    await rollouts.first().waitFor();
    expect(await rollouts.count()).toBeGreaterThan(1);
    await rollouts
      .first()
      .getByText(/tokens?, mean log-prob/)
      .waitFor();
    await rollouts
      .first()
      .getByText(/^Reward \d/)
      .waitFor();
  });

  it('a chart can be walked and opened with the keyboard', async () => {
    await open('/r/first');
    await hero().focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    expect(await hero().getAttribute('aria-valuetext')).toMatch(/^epoch 1: success p̂ 0\.\d+/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Epoch 1' }).waitFor();
    await page.keyboard.press(']');
    await page.getByRole('heading', { name: 'Epoch 2' }).waitFor();
    await page.keyboard.press('s');
    await page.getByRole('heading', { name: 'Tasks' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('bell');
    await expect.poll(() => new URL(page.url()).search).toBe('?search=bell');
  });

  it('tasks are filtered, and the link to what was found shows the same when it is loaded again', async () => {
    await open('/r/first/tasks');
    const rows = () => page.locator('tbody tr');
    await rows().first().waitFor();
    await page.getByLabel('Epoch').fill('1');
    await page.getByLabel('Verdict').selectOption('filtered');
    await page.getByLabel('Difficulty').selectOption('never');
    const texts = () => rows().allInnerTexts();
    await expect
      .poll(async () => {
        const found = await texts();
        return found.length > 0 && found.every((text) => /0\.00/.test(text) && /filtered out/.test(text));
      })
      .toBe(true);
    const before = await texts();
    expect(before.length).toBeGreaterThan(0);
    await page.reload();
    await rows().first().waitFor();
    expect(await texts()).toEqual(before);
    expect(await page.getByLabel('Verdict').inputValue()).toBe('filtered');
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await rows().first().getByRole('link', { name: 'seed' }).click();
    await page.getByRole('heading', { name: 'Two tasks side by side' }).waitFor();
    await page.locator('ins').first().waitFor();
  });

  it('two runs are chosen and compared, grouped and against tokens', async () => {
    await open('/');
    await page.getByRole('checkbox', { name: 'Compare first' }).check();
    await page.getByRole('checkbox', { name: 'Compare second' }).check();
    await page.getByRole('link', { name: 'Compare 2 runs' }).click();
    const chart = () => page.getByRole('slider', { name: /of several runs/ });
    await chart().waitFor();
    await page.getByLabel('Metric').selectOption('env/successRate');
    await page.getByLabel('Against').selectOption('tokens');
    await page.getByLabel('Group by').selectOption('variant');
    await page.locator('.legend').getByText('genenv-random').waitFor();
    await expect.poll(() => chart().getAttribute('aria-label')).toContain('env/successRate of several runs, by tokens');
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
      key: 'env/successRate',
      x: 'tokens',
      group: 'variant',
    });
  });

  it('a deep link works in a fresh browser, goes back and forth, and a wrong one says so', async () => {
    await open('/r/first/metrics?filter=%5Eenv%2Fkl');
    await page.getByRole('heading', { name: 'env/kl' }).waitFor();
    expect(await page.locator('section.panel').count()).toBe(1);
    await page.getByRole('link', { name: 'Overview' }).click();
    await hero().waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'env/kl' }).waitFor();
    await page.goto(new URL('/r/nobody', ui.url).href);
    await page.getByText('There is no run of that name').waitFor();
    expect(complaints.every((text) => text.includes('404'))).toBe(true);
    complaints.length = 0;
  });

  it('the theme follows the system until one is chosen, and stays chosen', async () => {
    await open('/r/first', { colorScheme: 'dark' });
    const theme = () => page.evaluate<string>('document.documentElement.dataset.theme');
    await hero().waitFor();
    expect(await theme()).toBe('dark');
    await page.getByRole('button', { name: /^Theme/ }).click();
    expect(await theme()).toBe('light');
    await page.reload();
    await hero().waitFor();
    expect(await theme()).toBe('light');
    await page.keyboard.press('t');
    expect(await theme()).toBe('dark');
  });

  it('text that models wrote is shown as text, whatever it holds', async () => {
    await open('/r/hostile');
    await page.getByRole('heading', { name: 'hostile' }).waitFor();
    const places = [
      '/r/hostile',
      '/r/hostile/epoch/1',
      '/r/hostile/epoch/1/batch/t-a0',
      '/r/hostile/tasks',
      '/r/hostile/task/t-b1',
      '/r/hostile/task/t-a0/rollouts?epoch=1',
      '/r/hostile/generation/1.0.1',
      '/r/hostile/tasks?verdict=rejected',
      '/r/hostile/diff?a=t-a0&b=t-b1',
      '/r/hostile/metrics',
      `/r/${encodeURIComponent(HOSTILE.slice(0, 60))}`,
    ];
    for (const place of places) {
      await page.goto(new URL(place, ui.url).href);
      await page.locator('main h1, main h2').first().waitFor();
      await page.locator('.spinner').waitFor({ state: 'detached' });
      expect(await page.evaluate<boolean>("'hacked' in window"), place).toBe(false);
      expect(await page.locator('main script, main img, main svg[onload]').count(), place).toBe(0);
      // Nothing that reverses or hides text reaches the page as such.
      expect(await page.locator('main').innerText(), place).not.toMatch(/[\u202e\u202c\u0000\u001b\u200b]/);
    }
    await page.goto(new URL('/r/hostile/task/t-b1', ui.url).href);
    await page.getByText('<script>window.hacked = 1</script>').first().waitFor();
    expect(await page.locator('.hidden-character').allInnerTexts()).toEqual(
      expect.arrayContaining(['\\x1b', '\\u202e', '\\x00']),
    );
    // The answer to a name that is no run is a 404, which the browser notes.
    complaints = complaints.filter((text) => !text.includes('404'));
  });

  it('a server that goes away leaves what was shown, and says that it is old', async () => {
    const other = await startUi(folder);
    await open(new URL('/r/first', other.url).href);
    await hero().waitFor();
    await end(other.child);
    await page.getByText('The dashboard does not answer').waitFor();
    expect(await hero().isVisible()).toBe(true);
    complaints.length = 0;
  });

  it('axe finds nothing serious, in light and in dark, on a desk and on a phone', async () => {
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    await open('/r/first/tasks?origin=generated');
    const task = (await page.locator('tbody a[href*="/task/"]').first().getAttribute('href'))!;
    await page.context().close();
    const places = [
      '/',
      '/r/first',
      '/r/first/epoch/2',
      '/r/first/tasks',
      task,
      `${task}/rollouts`,
      '/r/first/metrics',
      '/compare?run=first&run=second',
    ];
    for (const options of [
      { colorScheme: 'light' },
      { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
    ] as const) {
      await open('/', options);
      for (const place of places) {
        await page.goto(new URL(place, ui.url).href);
        await page.locator('table, .plot').first().waitFor();
        await page.evaluate(axe);
        const { violations } = await page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })');
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        const said = serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
        expect(said, `${options.colorScheme} ${place}`).toEqual([]);
      }
      if (options.colorScheme === 'light') await page.context().close();
    }
  });

  it('no page is wider than a phone', async () => {
    await open('/', { viewport: { width: 360, height: 740 } });
    for (const place of ['/', '/r/first', '/r/first/epoch/2', '/r/first/tasks', '/compare?run=first&run=second']) {
      await page.goto(new URL(place, ui.url).href);
      await page.locator('table, .plot').first().waitFor();
      expect(
        await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
        place,
      ).toBeLessThanOrEqual(0);
    }
  });
});

interface AxeResults {
  violations: { id: string; impact: string; nodes: { html: string }[] }[];
}

/** Steering a real run from the page, as a person does. Slow because a run, a server and a browser are started. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newToken } from '../../src/control.ts';
import type { EpochPage, Overview } from '../../src/dashboard/api.ts';
import { startDashboard } from '../../src/dashboard/server.ts';
import { playRun } from '../../src/fixtures.ts';
import { openJournal, openReader } from '../../src/store/index.ts';
import { browserPath, complaintsOf, end, openBrowser, startTrain, startUi } from './browser.ts';

const PATIENCE_MS = 60_000;
const token = newToken();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe.skipIf(browserPath() === undefined)(
  'steering from the page (needs chromium; set CHROMIUM to its path)',
  () => {
    let folder: string;
    let browser: Browser;
    let ui: { url: string; child: ChildProcess };
    let train: ChildProcess;
    let page: Page;
    let complaints: string[];

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'genenv-steer-'));
      process.env.GENENV_CONTROL_TOKEN = token;
      [ui, browser, train] = await Promise.all([
        startUi(folder, '--control'),
        openBrowser(),
        startTrain(folder, '--epochs', '100000', '--set', 'seedsPerEpoch=8', '--control'),
        playRun(join(folder, 'plain'), { epochs: 2, stopAt: '1 epoch' }),
      ]);
    }, PATIENCE_MS);
    afterAll(async () => {
      delete process.env.GENENV_CONTROL_TOKEN;
      await browser?.close();
      await Promise.all([end(train), end(ui?.child)]);
      rmSync(folder, { recursive: true, force: true });
    }, PATIENCE_MS);

    async function open(url: string, options: BrowserContextOptions = {}): Promise<Page> {
      page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: 'light', ...options });
      page.setDefaultTimeout(PATIENCE_MS);
      complaints = complaintsOf(page);
      await page.goto(url);
      return page;
    }
    afterEach(async () => {
      const found = complaints ?? [];
      complaints = [];
      await page?.context().close();
      expect(found).toEqual([]);
    });

    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
    const badge = () => page.getByRole('banner').getByRole('status');
    const asked = (text: string | RegExp) => page.locator('.asked li').filter({ hasText: text });
    /** Where the run is: epoch, phase and step. */
    const place = async () => {
      const { head }: Overview = await (await page.request.get(new URL('/api/runs/live/overview', ui.url).href)).json();
      return head.at;
    };

    /** The shapes on screen, once they are those of the last epoch that has tasks: a paused run has no others. */
    async function shapesOf(epoch: number): Promise<string[]> {
      const ask = async (which: number): Promise<EpochPage> =>
        (await page.request.get(new URL(`/api/runs/live/epochs/${which}`, ui.url).href)).json();
      const found = (await ask(epoch)).structures;
      const { structures } = found.length > 0 ? { structures: found } : await ask(epoch - 1);
      const names = structures.slice(0, 8).map((row) => row.structure);
      await expect
        .poll(() => page.locator('.shares li a').allInnerTexts(), { timeout: PATIENCE_MS, interval: 200 })
        .toEqual(names);
      return names;
    }

    async function expectAccessible(where: string): Promise<void> {
      await page.evaluate(axe);
      const { violations } = await page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })');
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      expect(
        serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
        where,
      ).toEqual([]);
    }

    it(
      'a run is unlocked, paused, changed, continued and stopped',
      async () => {
        await open(new URL('/r/live', ui.url).href);

        // Without its token a run is only watched.
        await page.getByLabel('Token of the run').fill(newToken());
        await button('Unlock').click();
        await page.getByText('This is not the token of the run.').waitFor();
        expect(await button('Pause').count()).toBe(0);
        await expectAccessible('locked');
        await page.getByLabel('Token of the run').fill(token);
        await page.keyboard.press('Enter');
        await button('Pause').waitFor();
        await page.getByLabel('on record as').fill('Dana');

        const epoch = async () =>
          Number(await page.getByRole('slider', { name: /^Success on generated/ }).getAttribute('aria-valuemax'));
        await expect.poll(epoch, { timeout: PATIENCE_MS, interval: 200 }).toBeGreaterThan(1);
        await button('Pause').click();
        await button('Continue').waitFor();
        await expect.poll(() => badge().textContent(), { timeout: PATIENCE_MS }).toBe('paused');
        expect(await asked('pause').innerText()).toMatch(/^done\s+pause by Dana, /);
        const held = await place();

        // What is out of limits is refused with the limits, at once.
        await page.getByText('Change α, learning rates').click();
        const alpha = page.getByRole('textbox', { name: 'Target α' });
        await alpha.fill('2');
        await alpha.press('Enter');
        await page.getByText('alpha must be above 0 and below 1 (got 2).').waitFor();
        await alpha.fill('0.3');
        await alpha.press('Enter');
        await asked(/alpha 0\.5 → 0\.3, from epoch \d+ by Dana/).waitFor();
        await page.getByRole('textbox', { name: 'Learning rate of the agent' }).fill('0.02');
        await button('Set Learning rate of the agent').click();
        await asked(/agent\.learningRate 0\.01 → 0\.02, from updateAgent of epoch \d+/).waitFor();

        // A ban is asked twice: Escape takes it back.
        const [structure = ''] = await shapesOf(held!.epoch);
        const shape = page.locator('.shares li').first();
        await shape.getByRole('button', { name: /^Ban/ }).click();
        await page.getByRole('dialog').getByText(structure).waitFor();
        expect(await button('Cancel').evaluate((element) => element.matches(':focus'))).toBe(true);
        await expectAccessible('the dialog');
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await shape.getByRole('button', { name: /^Ban/ }).click();
        await button('Ban it').click();
        await asked(`ban "${structure}"`).waitFor();
        await shape.getByText('banned from the next epoch on').waitFor();

        await expectAccessible('light, on a desk');
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.setViewportSize({ width: 360, height: 740 });
        await expectAccessible('dark, on a phone');
        expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
        await page.setViewportSize({ width: 1280, height: 900 });

        expect(await place()).toEqual(held);
        await button('Continue').focus();
        await page.keyboard.press('Enter');
        await button('Pause').waitFor();
        await expect.poll(() => badge().textContent(), { timeout: PATIENCE_MS }).toBe('live');
        await asked(/^done\s*ban/).waitFor();
        await page.getByText('now 0.3', { exact: true }).waitFor();
        // The band of the chart has a step, and its legend says which α holds.
        await page
          .locator('.legend')
          .getByRole('button', { name: /^target α 0\.3/ })
          .waitFor();

        await button('Stop after this phase …').click();
        await button('Cancel').click();
        expect(await button('Pause').isVisible()).toBe(true);
        await button('Stop after this phase …').click();
        await button('Stop after this phase').click();
        await page.getByText('Nobody plays this run now.').waitFor();
        await expect.poll(() => badge().textContent(), { timeout: PATIENCE_MS }).toBe('stopped');
        if (train.exitCode === null) await once(train, 'exit');
        expect(train.exitCode).toBe(0);

        using reader = openReader(join(folder, 'live'));
        const said = reader.browse.lastNotes('control', 20).map(({ detail }) => detail);
        expect(said).toEqual(expect.arrayContaining(['Dana: pause', 'Dana: go on', 'Dana: stop after this phase']));
        expect(said.some((detail) => detail.startsWith(`Dana: ban ${JSON.stringify(structure)}`))).toBe(true);
        const report = readFileSync(join(folder, 'live', 'report.html'), 'utf8');
        expect(report).toMatch(/band to aim at, 0\.5 ± 0\.1, from epoch \d+ on 0\.3 ± 0\.1/);
        // The page may have been there before the run was; and what was out of limits was refused.
        complaints = complaints.filter((text) => !/40[04]/.test(text));
      },
      4 * PATIENCE_MS,
    );

    it('the link holds the token where it is known, and the address does not keep it', async () => {
      await open(`${new URL('/r/plain', ui.url).href}${new URL(ui.url).hash}`);
      await page.getByText('Nobody plays this run now.').waitFor();
      expect(page.url()).toBe(new URL('/r/plain', ui.url).href);
      expect(await page.evaluate<string>("sessionStorage.getItem('genenv-control')")).toBe(token);
    });

    it('a run that was not started with --control says so', async () => {
      // Held open by somebody who does not listen.
      using _held = openJournal(join(folder, 'plain'), { now: Date.now });
      await open(new URL('/r/plain', ui.url).href);
      await page.getByText('The run was not started with --control').waitFor();
      expect(await button('Pause').count()).toBe(0);
    });

    it('without --control there is nothing to press', async () => {
      const dashboard = await startDashboard({ runsDir: folder, port: 0 });
      try {
        await open(new URL('/r/live', dashboard.url).href);
        await page.getByRole('heading', { name: 'Shapes of tasks' }).waitFor();
        expect(await page.getByRole('heading', { name: 'Control' }).count()).toBe(0);
        expect(await button(/^Ban|^Stop|^Pause/).count()).toBe(0);
      } finally {
        await page.context().close();
        await dashboard.close();
      }
    });
  },
);

interface AxeResults {
  violations: { id: string; impact: string; nodes: { html: string }[] }[];
}

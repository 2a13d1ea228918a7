/**
 * A report as the one it is mailed to meets it: opened from disk, in a browser that has no network, by day and by night, on
 * a phone and on paper. The reports are those the program wrote at the end of a run and of a comparison.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, complaintsOf, genenv, openBrowser } from './browser.ts';

/** Browsers and runs start slowly on a busy machine. */
const PATIENCE_MS = 120_000;
const SMALL = ['--engine', 'scripted', '--epochs', '2', '--set', 'seedsPerEpoch=8', '--set', 'rollouts=4', '--quiet'];

/** The figures of a run; a comparison has two more, that need arms. */
const FIGURES = ['generated-success', 'training', 'curriculum', 'outcomes', 'strata', 'drift'];
const BETWEEN_ARMS = ['scores', 'efficiency'];

interface Seen {
  page: Page;
  complaints: string[];
  asked: string[];
}

const needs = { skip: browserPath() === undefined, timeout: PATIENCE_MS };

describe('a report (needs chromium; set CHROMIUM to its path)', needs, () => {
  let folder: string;
  let browser: Browser;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'genenv-report-'));
    browser = await openBrowser();
    const made = [
      genenv('train', ...SMALL, '--name', 'alone', '--runs-dir', folder),
      genenv(
        ...['compare', ...SMALL, '--arms', 'genenv,genenv-random,base', '--seeds', '2'],
        ...['--name', 'several', '--runs-dir', folder],
      ),
    ];
    for (const child of made) child.stdout!.resume();
    const codes = await Promise.all(made.map((child) => once(child, 'exit')));
    expect(codes.map(([code]) => code)).toEqual([0, 0]);
  }, PATIENCE_MS);
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  }, PATIENCE_MS);

  /** Looks at a report with the network off, and closes it again. */
  async function open(name: string, look: (seen: Seen) => Promise<void>, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({
      offline: true,
      viewport: { width: 1280, height: 900 },
      colorScheme: 'light',
      ...options,
    });
    try {
      const page = await context.newPage();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      const seen: Seen = { page, complaints: complaintsOf(page), asked };
      await page.goto(pathToFileURL(join(folder, name, 'report.html')).href);
      await look(seen);
      // Whatever a test did with it: it complained of nothing and asked nobody.
      expect(seen.complaints).toEqual([]);
      expect(asked.filter((url) => url !== page.url())).toEqual([]);
    } finally {
      await context.close();
    }
  }

  const cases = [
    ['alone', FIGURES],
    ['several', [...FIGURES.slice(0, 4), ...BETWEEN_ARMS, ...FIGURES.slice(4)]],
  ] as const;
  const ways: [string, BrowserContextOptions, 'screen' | 'print'][] = [
    ['on a desk', {}, 'screen'],
    ['at night', { colorScheme: 'dark' }, 'screen'],
    ['on a phone', { viewport: { width: 360, height: 740 } }, 'screen'],
    ['on a wall', { viewport: { width: 3840, height: 2160 } }, 'screen'],
    ['on paper', { viewport: { width: 1017, height: 688 }, colorScheme: 'dark' }, 'print'],
  ];

  for (const [name, figures] of cases) {
    for (const [way, options, media] of ways) {
      it(`of ${name === 'alone' ? 'a run' : 'a comparison'} opens from disk ${way} and draws every figure`, () =>
        open(
          name,
          async ({ page }) => {
            await page.emulateMedia({ media });
            const drawn = await page.evaluate<Drawn[]>(FIGURES_ON_PAGE);
            expect(drawn.map(({ id }) => id)).toEqual(figures);
            for (const { id, panels, problems } of drawn) {
              expect(problems, id).toEqual([]);
              expect(panels, id).toBeGreaterThan(0);
            }
            expect(
              await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
            ).toBeLessThanOrEqual(0);
            const paper = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
            expect(paper).toBe(
              options.colorScheme === 'dark' && media === 'screen' ? 'rgb(21, 25, 30)' : 'rgb(255, 255, 255)',
            );
          },
          options,
        ));
    }
  }

  it('prints on pages, with no figure torn in two', () =>
    open('several', async ({ page }) => {
      const pdf = await page.pdf({ preferCSSPageSize: true });
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
      expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)!.length).toBeGreaterThan(2);
      await page.emulateMedia({ media: 'print' });
      const broken = await page.evaluate<string[]>(
        `[...document.querySelectorAll('figure')].filter((one) => getComputedStyle(one).breakInside !== 'avoid').map(({ id }) => id)`,
      );
      expect(broken).toEqual([]);
    }));

  it('has nothing that axe calls serious, by day and by night', async () => {
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    for (const colorScheme of ['light', 'dark'] as const) {
      await open(
        'several',
        async ({ page }) => {
          await page.evaluate(axe);
          const { violations } = await page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })');
          const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
          expect(
            serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
            colorScheme,
          ).toEqual([]);
        },
        { colorScheme },
      );
    }
  });
});

interface AxeResults {
  violations: { id: string; impact: string; nodes: { html: string }[] }[];
}

interface Drawn {
  id: string;
  panels: number;
  problems: string[];
}

/** Runs in the page, which has other types than this program. */
const FIGURES_ON_PAGE = readFileSync(new URL('figures-on-page.js', import.meta.url), 'utf8');

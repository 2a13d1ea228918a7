/** Why a rollout earned what it earned, in a browser: every kind of reward term by term, tokens in words, solver votes. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { HOSTILE } from '../../src/dashboard/fixtures.ts';
import { hostileRun, judgedRun } from '../../src/fixtures.ts';
import { browserPath, complaintsOf, end, openBrowser, startUi } from './browser.ts';

/** Browsers start slowly on a busy machine. */
const PATIENCE_MS = 120_000;
const needs = { skip: browserPath() === undefined, timeout: PATIENCE_MS };

describe('the reasons of a reward, in a browser (needs chromium; set CHROMIUM to its path)', needs, () => {
  let folder: string;
  let browser: Browser;
  let ui: { url: string; child: ChildProcess };
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'genenv-reasons-'));
    judgedRun(join(folder, 'judged'), [
      {
        id: 't-text',
        spec: { kind: 'text', metric: 'f1', target: 'Ring the bell twice' },
        ended: [{ answer: 'The bell: ring, ring!', reward: 2 / 3 }],
      },
      {
        id: 't-json',
        spec: { kind: 'json', target: { room: 'hall', lamps: [1, 2] } },
        ended: [{ answer: { room: 'hall', lamps: [1, 3], mood: HOSTILE }, reward: 0 }],
      },
      {
        id: 't-world',
        spec: { kind: 'world', world: 'house', goal: { lamp: 'on' } },
        ended: [
          {
            answer: 'I am done.',
            reward: 0.5,
            terms: [
              { name: 'the bell was rung', score: 1 },
              { name: 'the lamp is on', score: 0, detail: `it is off ${HOSTILE}` },
              { name: 'the window is shut', score: null },
            ],
          },
        ],
      },
      {
        id: 't-calls',
        spec: { kind: 'toolCalls', target: [{ name: 'ring', args: { bell: 1 } }] },
        ended: [2, 2, 1, 2, 3].map((bell) => ({
          answer: [{ name: 'ring', args: { bell } }],
          reward: Number(bell === 1),
        })),
      },
    ]);
    hostileRun(join(folder, 'hostile'), HOSTILE);
    [ui, browser] = await Promise.all([startUi(folder), openBrowser()]);
  }, PATIENCE_MS);
  afterAll(async () => {
    await browser?.close();
    await end(ui?.child);
    rmSync(folder, { recursive: true, force: true });
  }, PATIENCE_MS);

  async function open(path: string): Promise<void> {
    page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
    page.setDefaultTimeout(PATIENCE_MS / 2);
    complaints = complaintsOf(page);
    await page.goto(new URL(path, ui.url).href);
    await page.locator('main h1').waitFor();
  }
  afterEach(async () => {
    await page?.context().close();
    expect(complaints).toEqual([]);
  });
  const reward = () => page.locator('section.reward').first();
  const rows = async () =>
    (await reward().locator('tbody tr').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());

  it('a text is shown as the words that the metric counts, the shared ones marked', async () => {
    await open('/r/judged/task/t-text/rollouts');
    await reward().getByText('2 words shared: precision 2/3 = 0.667, recall 2/3 = 0.667').waitFor();
    expect(await reward().locator('mark').allInnerTexts()).toEqual(['bell', 'ring', 'ring', 'bell']);
    expect(await reward().getByText('would give').count()).toBe(0);
  });

  it('a value is shown field by field, right, wrong and too much', async () => {
    await open('/r/judged/task/t-json/rollouts');
    await reward().getByText('2 of 4 fields right').waitFor();
    expect((await rows()).slice(0, 3)).toEqual(['room "hall" = "hall"', 'lamps[0] 1 = 1', 'lamps[1] 3 ≠ 2']);
    expect((await rows())[3]).toContain('nothing');
    expect(await page.evaluate<boolean>("'hacked' in window")).toBe(false);
  });

  it('a world is shown as what its judge said', async () => {
    await open('/r/judged/task/t-world/rollouts');
    await reward().getByText('The judge: 1 of 2 passed, 1 did not apply').waitFor();
    const said = await rows();
    expect(said[0]).toBe('the bell was rung ✓');
    expect(said[1]).toContain('the lamp is on ✗ it is off <script>');
    expect(said[2]).toBe('the window is shut – does not apply');
  });

  it('tokens are words where the run has its tokenizer, and ids with a reason where not', async () => {
    await open('/r/judged/task/t-calls/rollouts');
    const strip = page.locator('.strip.said').first();
    await strip.waitFor();
    expect(await strip.locator(':scope > span').allInnerTexts()).toEqual(['ring', ' the', ' bell']);
    expect(await strip.locator(':scope > span').first().getAttribute('title')).toMatch(/^token \d+, log-prob −?-?0\.5/);
    await page.goto(new URL('/r/hostile/task/t-a0/rollouts?epoch=1', ui.url).href);
    await page.getByText('Ids, not words: The tokens of the scripted engine').waitFor();
    expect(await page.locator('.strip').first().locator('span').allInnerTexts()).toEqual(['2', '3']);
  });

  it('the passport counts what solvers answered, and warns where most of them disagree with the label', async () => {
    await open('/r/judged/task/t-calls');
    await page.getByText('Most solvers disagree with the label.').waitFor();
    const votes = page.locator('table.votes tbody tr');
    expect(await votes.locator('th').allInnerTexts()).toEqual([
      'ring(bell: 2)',
      'label ring(bell: 1)',
      'ring(bell: 3)',
    ]);
    await page.goto(new URL('/r/hostile/task/t-b1', ui.url).href);
    await page.getByText('1 answer; 1 attempt gave none').waitFor();
    await page.getByText('label', { exact: true }).first().waitFor();
    expect(await page.getByText('Most solvers disagree').count()).toBe(0);
    expect(await page.evaluate<boolean>("'hacked' in window")).toBe(false);
  });
});

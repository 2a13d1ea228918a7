import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Comparison } from './comparison.ts';
import { exampleComparison } from './fixtures.ts';
import { writeReport } from './index.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'genenv-report-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function written(comparison: Comparison) {
  const { html, markdown } = await writeReport(folder, comparison);
  const names = (await readdir(folder)).includes('figures') ? (await readdir(join(folder, 'figures'))).sort() : [];
  const figures = await Promise.all(names.map((name) => readFile(join(folder, 'figures', name), 'utf8')));
  return { html: await readFile(html, 'utf8'), markdown: await readFile(markdown, 'utf8'), names, figures };
}

/** Tags opened and closed in order; attributes quoted; no number that is none. */
function expectSound(svg: string) {
  expect(svg).not.toMatch(/NaN|undefined|Infinity|\[object/);
  const open: string[] = [];
  for (const [, close, tag, self] of svg.matchAll(/<(\/?)([a-z]+)(?:\s[a-zA-Z-]+="[^"<]*")*\s*(\/?)>/g)) {
    if (close) expect(open.pop()).toBe(tag);
    else if (!self) open.push(tag!);
  }
  expect(open).toEqual([]);
  expect(svg.replace(/<\/?[a-z]+(?:\s[a-zA-Z-]+="[^"<]*")*\s*\/?>/g, '')).not.toContain('<');
}

const FIGURES = ['curriculum', 'drift', 'efficiency', 'generated-success', 'outcomes', 'scores', 'strata', 'training'];

describe('a report', () => {
  it('draws every figure, in the page and as files, all of them sound', async () => {
    const { html, markdown, names, figures } = await written(exampleComparison());
    expect(names).toEqual(FIGURES.map((id) => `${id}.svg`));
    for (const id of FIGURES) {
      expect(html).toContain(`<figure id="${id}">`);
      expect(markdown).toContain(`(figures/${id}.svg)`);
    }
    figures.forEach(expectSound);
    const inline = html.match(/<svg.*?<\/svg>/gs)!;
    inline.forEach(expectSound);
    const panels = inline.filter((svg) => svg.includes('role="img"'));
    expect(panels).toHaveLength(31);
    expect(panels.every((svg) => /<title id="[^"]+">[^<]+<\/title><desc id="[^"]+">[^<]+<\/desc>/.test(svg))).toBe(
      true,
    );
  });

  it('says what the guards said, over all epochs and as shares of what each arm wrote', async () => {
    const comparison = exampleComparison({ arms: 2, seeds: 1 });
    for (const arm of comparison.arms) for (const point of arm.runs[0]!.epochs) point.verdicts = {};
    const [first, second] = comparison.arms[0]!.runs[0]!.epochs;
    first!.verdicts = { accepted: 5, notJson: 1 };
    second!.verdicts = { accepted: 1, duplicate: 3 };
    const { markdown } = await written(comparison);
    expect(markdown).toContain('| arm | generations | accepted | duplicate | not json |');
    expect(markdown).toContain('| genenv | 10 | 60 % | 30 % | 10 % |');
  });

  it('is the same for the same numbers', async () => {
    expect(await written(exampleComparison())).toEqual(await written(exampleComparison()));
  });

  it('needs no script and fetches nothing', async () => {
    const { html, figures } = await written(exampleComparison());
    expect(html).not.toMatch(/<script|https?:\/\/|<link|<img|@import|url\(| on[a-z]+=/i);
    for (const svg of figures) {
      expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/<script|https?:|url\(|@import/i);
    }
  });

  it('leaves nothing half written, and replaces what was there', async () => {
    await written(exampleComparison({ seeds: 2 }));
    const { html } = await written({ ...exampleComparison({ seeds: 2 }), title: 'The second' });
    expect(html).toContain('<h1>Comparison The second</h1>');
    expect(await readdir(folder, { recursive: true })).toEqual(
      expect.not.arrayContaining([expect.stringMatching(/tmp$/)]),
    );
  });

  it('shows text as text, whoever wrote it', async () => {
    const comparison = exampleComparison({ arms: 2, seeds: 2 });
    const hostile =
      '</title></style><script>alert("x")</script>\u0000 [a](javascript:b) | `c` <img src=x onerror=y> &amp;';
    comparison.title = hostile;
    comparison.command = `genenv compare '\`\`\`' ${hostile}`;
    comparison.benchmark = hostile;
    const arm = comparison.arms[1]!;
    arm.name = hostile;
    arm.description = hostile;
    arm.settings = { [hostile]: hostile };
    arm.runs[0]!.run = hostile;
    for (const run of arm.runs) for (const split of [run.test, run.validation]) split!.strata[0]!.name = hostile;
    const { html, markdown, figures } = await written(comparison);
    expect(html).not.toMatch(/<script|<img|\u0000/);
    expect(html).toContain('&lt;script&gt;alert(&quot;x&quot;)');
    figures.forEach(expectSound);
    const outsideCode = markdown.replace(/^(`{3,}).*?^\1$/gms, '');
    expect(outsideCode).not.toMatch(/(?<!\\)<|(?<!\\)\[a|(?<!\\)`/);
    // A pipe in a name is no new column: all lines of a table have the same number.
    for (const [table] of outsideCode.matchAll(/(^\|.*\n)+/gm)) {
      const pipes = table
        .trim()
        .split('\n')
        .map((line) => line.match(/(?<!\\)\|/g)!.length);
      expect(new Set(pipes).size).toBe(1);
    }
    expect(markdown).toMatch(/^````sh$/m);
  });

  it('of one run leaves out what needs several arms or seeds', async () => {
    const { html, names } = await written(exampleComparison({ arms: 1, seeds: 1 }));
    expect(names).not.toContain('scores.svg');
    expect(names).not.toContain('efficiency.svg');
    expect(html).not.toMatch(/interval of the mean|minus genenv|>p</);
    expect(html).toContain('There is one seed.');
  });
});

describe('what is missing', () => {
  it('is said, not drawn, when nothing was measured', async () => {
    const comparison = exampleComparison({ arms: 2, seeds: 1 });
    for (const run of comparison.arms.flatMap((arm) => arm.runs)) {
      run.validation = null;
      run.test = null;
      run.epochs = run.epochs.map((point) => ({ ...point, metrics: {}, stepRewards: [] }));
    }
    const { html, names } = await written(comparison);
    expect(names).toEqual([]);
    expect(html).toContain('No run measured val/successRate.');
    expect(html).toContain('No arm was validated');
  });

  it('leaves the rest as it is: unequal epochs and seeds, arms without runs, metrics that come and go', async () => {
    const comparison = exampleComparison({ arms: 4, seeds: 3 });
    const [, short, single, none] = comparison.arms;
    short!.runs.forEach((run, i) => {
      run.epochs = run.epochs.slice(0, 5 + i).filter(({ epoch }) => epoch !== 3);
      run.test = null;
    });
    single!.runs = single!.runs.slice(0, 1);
    none!.runs = [];
    for (const run of comparison.arms.flatMap((arm) => arm.runs)) {
      for (const point of run.epochs) {
        delete point.metrics['agent/reward'];
        if (point.epoch % 2 === 0) point.metrics['env/kl'] = Number.NaN;
        point.stepRewards = [];
      }
    }
    const { html, figures } = await written(comparison);
    figures.forEach(expectSound);
    expect(html).toContain('No run measured agent/reward.');
    expect(html).toContain('This arm has no runs.');
  });

  it('may be everything: no arms, no epochs, one epoch', async () => {
    const comparison = exampleComparison({ arms: 2, seeds: 1, epochs: 1 });
    (await written(comparison)).figures.forEach(expectSound);
    for (const arm of comparison.arms) for (const run of arm.runs) run.epochs = [];
    (await written(comparison)).figures.forEach(expectSound);
    expect((await written({ ...comparison, arms: [], seeds: [] })).html).toContain('There are no runs to report.');
  });
});

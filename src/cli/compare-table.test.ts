import { describe, expect, it } from 'vitest';
import type { Table } from '../report/blocks.ts';
import type { Comparison } from '../report/comparison.ts';
import { document } from '../report/document.ts';
import { exampleComparison, sketchArm } from '../report/fixtures.ts';
import { closingTable } from './compare-table.ts';

/** Cells by arm and title, as they stand on a terminal without an edge. */
function onTerminal(comparison: Comparison): { cells: (arm: string) => Record<string, string>; notes: string } {
  const [, head, ...lines] = closingTable(comparison);
  const titles = cellsOf(head!);
  const rows = lines.slice(0, comparison.arms.length).map(cellsOf);
  return {
    cells: (arm) => byTitle(titles, rows.find(([name]) => name === arm)!),
    notes: lines.slice(comparison.arms.length).join(' ').replace(/\s+/g, ' '),
  };
}

const cellsOf = (line: string) => line.trim().split(/ {2,}/);
const byTitle = (titles: string[], row: string[]) =>
  Object.fromEntries(titles.map((title, i) => [title, row[i] ?? '']));

/** Cells by arm and title over the tables of the report that have a row per arm, and everything it says in sentences. */
function inReport(comparison: Comparison): {
  cells: (arm: string) => Record<string, string>;
  panels: string[];
  words: string;
} {
  const { blocks } = document(comparison);
  const tables = blocks.filter((block): block is Table => block.kind === 'table');
  const [results, generated] = tables.filter(({ head }) => head[0] === 'arm');
  return {
    cells: (arm) =>
      Object.assign(
        {},
        ...[results!, generated!].map(({ head, rows }) => byTitle(head, rows.find(([name]) => name === arm) ?? [])),
      ),
    panels: blocks.flatMap((block) =>
      block.kind === 'figure' && block.figure.id === 'scores' ? block.figure.panels.map(({ title }) => title) : [],
    ),
    words: blocks.flatMap((block) => (block.kind === 'lead' ? block.text : [])).join(' '),
  };
}

/** `+0.100 ± 0.200 (+5 %)` or `+0.100 [−0.100, +0.300] (+5 %)` as numbers. */
function read(cell: string) {
  const [mean, ...others] = (cell.match(/[+−]?\d+(\.\d+)?/g) ?? []).map((text) => Number(text.replace('−', '-')));
  return { mean: mean!, others };
}

/** The report writes both ends of an interval, cut to what is possible; the terminal writes half its width. */
function expectSameEstimate(terminal: string, report: string, within: [number, number] = [-1, 1]) {
  const [short, long] = [read(terminal), read(report)];
  expect(short.mean).toBe(long.mean);
  if (!terminal.includes('±')) return expect(report).not.toContain('[');
  const [halfWidth, ...share] = short.others;
  const [low, high, ...sameShare] = long.others;
  expect(Math.abs(Math.max(within[0], short.mean - halfWidth!) - low!)).toBeLessThan(0.0021);
  expect(Math.abs(Math.min(within[1], short.mean + halfWidth!) - high!)).toBeLessThan(0.0021);
  expect(share).toEqual(sameShare);
}

const untested = exampleComparison({ arms: 3, seeds: 3 });
untested.arms[1]!.runs[0]!.test = null;
const broken = exampleComparison({ arms: 3, seeds: 3 });
broken.arms[2]!.runs.pop();

describe('the terminal and the report say the same', () => {
  it.each<[string, Comparison, split: 'test' | 'validation']>([
    ['of five arms', exampleComparison(), 'test'],
    ['of one seed', exampleComparison({ arms: 2, seeds: 1 }), 'test'],
    ['where a run was not tested', untested, 'validation'],
    ['where a run failed', broken, 'test'],
  ])('%s', (_, comparison, split) => {
    const [terminal, report] = [onTerminal(comparison), inReport(comparison)];
    const first = comparison.arms[0]!.name;
    for (const { name } of comparison.arms) {
      const [short, long] = [terminal.cells(name), report.cells(name)];
      expectSameEstimate(short.validation!, long.validation!, [0, 1]);
      expectSameEstimate(short.test!, long.test!, [0, 1]);
      expect(short.tasks).toBe(long['unique tasks']);
      expect(short.time).toBe(long.time);
      if (long.success) {
        expect(Number(short['p̂ generated'])).toBeCloseTo(Number(long.success), 1);
        expect([short['in band'], short.useful]).toEqual([long['in band'], long['useful groups']]);
      }
      if (name === first) continue;
      expectSameEstimate(short[`Δ ${split}`]!, long[`${split} minus ${first}`]!);
      expect(short.p).toBe(long.p ?? '–');
    }
    expect(report.words).toMatch(new RegExp(`the best ${split} success`));
    expect(report.panels.at(-1)).toBe(`${split === 'test' ? 'Test' : 'Validation'} minus that of ${first}`);
    expect(terminal.notes).toContain(`Δ ${split}: to ${first}`);
  });

  it('of what it took the first arm to come up to another', () => {
    const comparison = exampleComparison({ arms: 2, seeds: 3 });
    const efficiency = document(comparison).blocks.find(
      (block): block is Table => block.kind === 'table' && block.head[0] === 'to reach the best of',
    )!;
    const [arm, score, own, its] = efficiency.rows[1]!;
    expect(onTerminal(comparison).notes).toContain(
      `genenv reached ${arm}'s best validation (${score}) after ${own!.replace(', ', ' and ')}; ${arm} after ${its!.replace(/ tasks, (.*) tokens/, ' and $1')}.`,
    );
  });
});

describe('the closing table', () => {
  const of = (...arms: Comparison['arms']) => closingTable({ ...exampleComparison(), arms }).join('\n');

  it('says that the first arm never came up to another, and names unequal budgets', () => {
    const text = of(
      sketchArm('low', { validation: [0.1, 0.2] }),
      sketchArm('high', { validation: [0.1, 0.9], rolloutsPerEpoch: 5 }),
    );
    expect(text).toContain("low never reached high's best validation (0.900).");
    expect(text).toContain(
      'Budgets differ: high made 0.50 times as many rollouts as low, with fewer tasks to attempt.',
    );
  });

  it('has a row, and no word, of an arm that failed', () => {
    const text = of(sketchArm('one', {}), sketchArm('none'));
    expect(text).toMatch(/^ {2}none +0 +– +– +–/m);
    expect(text).not.toContain("none's best");
  });
});

import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exporter } from './exporter.ts';
import { readEventFile } from './fixtures.ts';
import { openMarks } from './marks.ts';
import type { MetricRow } from './scalars.ts';
import { tensorboardSink } from './tensorboard.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'genenv-tensorboard-'));
const row = (n: number, key: string, epoch: number, step: number, value: number): MetricRow => ({
  row: n,
  key,
  epoch,
  step,
  value,
});

/** Sends what is new, as a process that plays the run would. */
async function send(folder: string, all: readonly MetricRow[]): Promise<void> {
  const { poke, end } = exporter({
    sink: tensorboardSink({ folder, createdAt: 1_700_000_000_123 }),
    marks: openMarks(folder),
    rows: (after, limit) => all.filter((r) => r.row > after).slice(0, limit),
    tell: (problem) => {
      throw new Error(problem);
    },
    now: Date.now,
  });
  poke();
  await end('finished');
}

const fileIn = (folder: string) => join(folder, 'tensorboard', 'events.out.tfevents.1700000000.genenv');

const rows = [
  row(1, 'val/successRate', 0, 0, 0.25),
  row(2, 'agent/loss', 1, 1, -0.5),
  row(3, 'agent/loss', 1, 2, 0.75),
  row(4, 'env/successRate', 1, 0, 0.5),
  row(9, 'agent/loss', 2, 1, 3),
  row(10, 'env/successRate', 2, 0, 0.625),
];

const SENT = [
  ['val/successRate', 0, 0.25],
  ['agent/loss', 1, -0.5],
  ['agent/loss', 2, 0.75],
  ['env/successRate', 1, 0.5],
  ['agent/loss', 3, 3],
  ['env/successRate', 2, 0.625],
];
const sent = (folder: string) => readEventFile(fileIn(folder)).map(({ tag, step, value }) => [tag, step, value]);

describe('the event file', () => {
  it('holds numbers of an epoch by epoch, and numbers of optimizer steps counted on over epochs', async () => {
    const folder = newFolder();
    await send(folder, rows);
    expect(sent(folder)).toEqual(SENT);
    expect(readdirSync(join(folder, 'tensorboard'))).toHaveLength(1);
  });

  it('has no point twice and none missing, wherever the run was killed while writing it', async () => {
    for (let cut = 1; cut < rows.length; cut++) {
      const folder = newFolder();
      await send(folder, rows.slice(0, cut));
      // The kill came after bytes were written and before the mark was.
      appendFileSync(fileIn(folder), Buffer.from('half a record'));
      await send(folder, rows);
      await send(folder, rows);
      expect(sent(folder)).toEqual(SENT);
    }
  });

  it('is written anew when somebody removed it', async () => {
    const folder = newFolder();
    await send(folder, rows);
    rmSync(join(folder, 'tensorboard'), { recursive: true });
    await send(folder, [...rows, row(11, 'agent/loss', 2, 2, 4)]);
    expect(sent(folder)).toEqual([...SENT, ['agent/loss', 4, 4]]);
  });

  it('takes any tag, value and step', async () => {
    const points = fc.array(
      fc.record({
        key: fc.string({ unit: 'grapheme', minLength: 1 }),
        epoch: fc.nat({ max: 2 ** 40 }),
        value: fc.float({ noNaN: true }),
      }),
      { minLength: 1, maxLength: 20 },
    );
    await fc.assert(
      fc.asyncProperty(points, async (list) => {
        const folder = newFolder();
        await send(
          folder,
          list.map(({ key, epoch, value }, i) => row(i + 1, key, epoch, 0, value)),
        );
        expect(sent(folder)).toEqual(list.map(({ key, epoch, value }) => [key, epoch, value]));
      }),
      { numRuns: 30 },
    );
  });
});

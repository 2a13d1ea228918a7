/** The report of a comparison, or of one run: a page, and Markdown with its figures beside it. */
import { join } from 'node:path';
import type { Comparison } from './comparison.ts';
import { document } from './document.ts';
import { toHtml } from './html.ts';
import { figureFile, toMarkdown } from './markdown.ts';
import { isEmpty, standalone } from './svg/figure.ts';
import { writeWhole } from './write-whole.ts';

export type { Arm, ArmRun, Comparison, EpochPoint, SplitResult } from './comparison.ts';

/** Writes report.html, report.md and figures/*.svg into the folder; returns the paths of the first two. */
export async function writeReport(folder: string, comparison: Comparison): Promise<{ html: string; markdown: string }> {
  const report = document(comparison);
  const html = join(folder, 'report.html');
  const markdown = join(folder, 'report.md');
  // Figures first: a report never points at one that is not there yet.
  for (const block of report.blocks) {
    if (block.kind === 'figure' && !isEmpty(block.figure)) {
      writeWhole(join(folder, figureFile(block.figure)), `${standalone(block.figure)}\n`);
    }
  }
  writeWhole(markdown, toMarkdown(report));
  writeWhole(html, toHtml(report));
  return { html, markdown };
}

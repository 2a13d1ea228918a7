/** The last step of a comparison: its numbers and its reports, beside its runs. */
import { join } from 'node:path';
import type { Comparison } from '../report/comparison.ts';
import { writeJson } from '../report/write-whole.ts';

export interface ResultFiles {
  json: string;
  html: string;
  markdown: string;
}

export async function writeResults(folder: string, comparison: Comparison): Promise<ResultFiles> {
  const json = join(folder, 'comparison.json');
  writeJson(json, comparison);
  const { writeReport } = await import('../report/index.ts');
  return { json, ...(await writeReport(folder, comparison)) };
}

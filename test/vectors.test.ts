/** Verdicts of the official checkers, where their files are: GENENV_DATA/<benchmark>/{vectors.json, conformance*.jsonl}. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dataFolder } from '../src/data/folder.ts';
import { judgeVectors } from '../src/eval/vectors.ts';
import { EXAMINED } from '../src/exams.ts';

describe.skipIf(!process.env.GENENV_DATA)('test vectors (in GENENV_DATA)', () => {
  for (const benchmark of EXAMINED) {
    const folder = dataFolder(benchmark);
    const files = existsSync(folder)
      ? readdirSync(folder).filter((name) => name === 'vectors.json' || /^conformance.*\.jsonl$/.test(name))
      : [];
    it.for(files)(`of ${benchmark} agree: %s`, async (file) => {
      const { total, agree, skipped, disagreements } = await judgeVectors(benchmark, join(folder, file), folder);
      expect(disagreements).toEqual([]);
      expect(agree + skipped).toBe(total);
      expect(agree).toBeGreaterThan(0);
    });
  }
});

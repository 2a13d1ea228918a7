import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/types.ts';
import { judgeVector } from './vectors.ts';

const data = join(process.env.GENENV_DATA ?? '', 'travelplanner');

describe.skipIf(!process.env.GENENV_DATA)('the official verdicts (needs GENENV_DATA)', () => {
  const read = (file: string) => readFileSync(join(data, file), 'utf8');

  it('agree with ours on every vector', async () => {
    const { vectors } = JSON.parse(read('vectors.json')) as { vectors: JsonObject[] };
    for (const vector of vectors) {
      const judged = await judgeVector(vector, { data });
      if (judged === 'skipped') expect.fail(`${vector.id} was skipped`);
      expect(judged.got, String(vector.id)).toEqual(judged.expected);
    }
  });

  it('agree with ours on every plan of the conformance file', async () => {
    for (const text of read('conformance.jsonl').trim().split('\n')) {
      const line = JSON.parse(text) as JsonObject;
      const judged = await judgeVector(line, { data });
      if (judged === 'skipped') expect.fail(`${line.set} ${line.idx} was skipped`);
      expect(judged.got, `${line.set} ${line.idx}`).toEqual(judged.expected);
    }
  });
});

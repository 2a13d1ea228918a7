/** Against the official data, where a copy of it is at hand. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../core/content-id.ts';
import type { JsonObject } from '../../core/types.ts';
import { canonicalCall } from './calls.ts';
import { loadDerivedCalls, loadMultiTurn } from './data.ts';
import { BFCL_SOURCES, bfclBenchmark, bfclExams, judgeVector, readJson } from './index.ts';

const data = join(process.env.GENENV_DATA ?? '', 'bfcl');

describe.skipIf(!process.env.GENENV_DATA)('with the data that GENENV_DATA points at', () => {
  it('we agree with every vector that is in scope', async () => {
    const { vectors } = readJson(readFileSync(join(data, 'vectors.json'), 'utf8')) as { vectors: JsonObject[] };
    const judged = { ast: 0, relevance: 0, per_turn: 0 };
    for (const vector of vectors) {
      const verdict = await judgeVector(vector, { data });
      if (verdict === 'skipped') continue;
      judged[vector.suite as keyof typeof judged]++;
      expect([vector.id, canonicalJson(verdict.got)]).toEqual([vector.id, canonicalJson(verdict.expected)]);
    }
    expect(Math.min(...Object.values(judged))).toBeGreaterThan(0);
  });

  it.each([
    ['per-turn', 201],
    ['per-turn-train', 544],
    ['ast', 1000],
    ['relevance', 240],
  ])('%s judges all its %i ground truths right', async (name, count) => {
    const exam = bfclExams({ data })[name]!;
    const verdicts = await Promise.all((await exam.gold()).map((line) => exam.judge(line)));
    expect(verdicts).toHaveLength(count);
    expect(verdicts.filter(({ correct }) => !correct)).toEqual([]);
  });

  it('we read the calls as the derived file has them', async () => {
    const derived = await loadDerivedCalls(data);
    const { turns, tools } = await loadMultiTurn(data);
    expect(derived?.size).toBe(turns.size);
    for (const { id, calls } of turns.values()) {
      const texts = (list: typeof calls) => list.map((call) => canonicalCall(call, new Map()));
      expect([id, texts(calls)]).toEqual([id, texts(derived!.get(id)!)]);
    }
    expect(tools.size).toBe(129);
  });

  it('the splits are the paper’s, and no prompt is longer than it may be', async () => {
    const benchmark = bfclBenchmark({ data });
    const [base, validation, test] = [await benchmark.base(), await benchmark.validation(), await benchmark.test!()];
    expect([base.length, validation.length + test.length]).toEqual([544, 201]);
    const trained = new Set(base.map(({ id }) => id));
    const chosen = new Set(validation.map(({ id }) => id));
    expect([...validation, ...test].filter(({ id }) => trained.has(id))).toEqual([]);
    expect(test.filter(({ id }) => chosen.has(id))).toEqual([]);
    for (const { prompt } of [...base, ...validation, ...test])
      expect(prompt.reduce((sum, { content }) => sum + content.length, 0)).toBeLessThanOrEqual(32_000);
  });

  it('the files are those of the sources', () => {
    for (const { path, bytes, sha256 } of BFCL_SOURCES) {
      const file = readFileSync(join(data, path));
      expect([path, file.length, createHash('sha256').update(file).digest('hex')]).toEqual([path, bytes, sha256]);
    }
  });
});

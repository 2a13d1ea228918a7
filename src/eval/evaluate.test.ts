import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataError } from '../benchmarks/data.ts';
import type { SampleRequest, Sampler } from '../core/engine.ts';
import type { Exam } from '../core/exam.ts';
import { type Evaluation, evaluate, type Progress } from './evaluate.ts';
import { capitalOf, capitals } from './fixtures.ts';
import { claimEvaluation, discardUnanswered } from './folder.ts';
import { replyText } from './reply-text.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'genenv-eval-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const idIn = ({ messages }: SampleRequest) => /of (q\d+)\?/.exec(messages[0]!.content)?.[1] ?? '';

function samplerOf(reply: (request: SampleRequest) => string | Promise<string>): Sampler & { asked: SampleRequest[] } {
  const asked: SampleRequest[] = [];
  return {
    version: 'test',
    asked,
    async sample(request) {
      asked.push(request);
      const text = await reply(request);
      const sample = { text, tokens: new Int32Array(), logprobs: new Float32Array(), stop: 'stop' as const };
      return { prompt: new Int32Array(), samples: [sample] };
    },
  };
}

const never = new AbortController().signal;

function evaluation(sampler: Sampler, changes: Partial<Evaluation> = {}): Evaluation {
  return {
    exam: capitals,
    sampler,
    folder,
    concurrency: 2,
    temperature: 0,
    maxTokens: 100,
    seed: 1,
    stop: never,
    signal: never,
    onProgress: () => {},
    ...changes,
  };
}

const saved = () => readFileSync(join(folder, 'predictions.jsonl'), 'utf8');

describe('an evaluation', () => {
  it('asks every question once, greedily, and saves the answers as predictions', async () => {
    const seen: Progress[] = [];
    const sampler = samplerOf((request) => (idIn(request) === 'q3' ? 'Nowhere' : capitalOf(idIn(request))));
    const result = await evaluate(evaluation(sampler, { onProgress: (progress) => seen.push(progress) }));
    expect(result.verdicts.map(({ id, correct }) => [id, correct])).toEqual([
      ['q1', true],
      ['q2', true],
      ['q3', false],
      ['q4', true],
    ]);
    expect(result).toMatchObject({ complete: true, failures: [], kept: 0, questions: 4 });
    expect(sampler.asked.map(({ temperature, n, maxTokens }) => [temperature, n, maxTokens])).toEqual(
      Array(4).fill([0, 1, 100]),
    );
    expect(seen.at(-1)).toEqual({ questions: 4, answered: 4, correct: 3, failed: 0 });
    expect(saved().trim().split('\n')).toHaveLength(4);
  });

  it('seeds a reply by its question, whatever runs beside it', async () => {
    const seeds = async (concurrency: number) => {
      const sampler = samplerOf(async (request) => {
        if (concurrency > 1 && idIn(request) === 'q1') await sleep(5);
        return 'x';
      });
      await evaluate(evaluation(sampler, { concurrency }));
      rmSync(join(folder, 'predictions.jsonl'));
      return Object.fromEntries(sampler.asked.map((request) => [idIn(request), request.seed]));
    };
    const one = await seeds(1);
    expect(await seeds(4)).toEqual(one);
    expect(new Set(Object.values(one)).size).toBe(4);
  });

  it('asks only what is left when it is called again, failures among it', async () => {
    const failing = samplerOf((request) => {
      if (idIn(request) === 'q2') throw new Error('the server said 500');
      return capitalOf(idIn(request));
    });
    const first = await evaluate(evaluation(failing, { limit: 3 }));
    expect(first).toMatchObject({ complete: false, failures: [{ id: 'q2', reason: 'the server said 500' }] });
    const second = samplerOf((request) => capitalOf(idIn(request)));
    expect(await evaluate(evaluation(second))).toMatchObject({ complete: true, kept: 2, failures: [] });
    expect(second.asked.map(idIn)).toEqual(['q2', 'q4']);
  });

  it('survives half a line, a foreign line and a line twice in its file', async () => {
    const lines = ['{"id":"q1","output":"Alba"}', '{"id":"q1","output":"Brent"}', 'noise', '{"id":"zz","output":1}'];
    writeFileSync(join(folder, 'predictions.jsonl'), `${lines.join('\n')}\n`);
    appendFileSync(join(folder, 'predictions.jsonl'), '{"id":"q2","outp');
    const sampler = samplerOf((request) => capitalOf(idIn(request)));
    const result = await evaluate(evaluation(sampler));
    expect(result).toMatchObject({ kept: 1, complete: true });
    expect(result.verdicts.every(({ correct }) => correct)).toBe(true);
    expect(sampler.asked.map(idIn)).toEqual(['q2', 'q3', 'q4']);
    expect(saved()).not.toContain('outp{');
  });

  it('finishes what is under way when it is told to stop, and loses nothing', async () => {
    const stop = new AbortController();
    const sampler = samplerOf(async (request) => {
      if (idIn(request) === 'q2') stop.abort();
      await sleep(5);
      return capitalOf(idIn(request));
    });
    const result = await evaluate(evaluation(sampler, { stop: stop.signal }));
    expect(result).toMatchObject({ complete: false, failures: [] });
    expect(result.verdicts.map(({ id }) => id)).toEqual(['q1', 'q2']);
    expect(saved().trim().split('\n')).toHaveLength(2);
  });

  it('does not burn through the questions when the engine is gone', async () => {
    const many: Exam = { ...capitals, ids: async () => Array.from({ length: 500 }, (_, i) => `n${i}`) };
    const sampler = samplerOf(() => {
      throw new Error('connection refused');
    });
    await expect(evaluate(evaluation(sampler, { exam: many }))).rejects.toThrow(/in a row failed.*connection refused/);
    expect(sampler.asked.length).toBeLessThan(30);
  });

  it('stops at once where the data is missing', async () => {
    const exam: Exam = {
      ...capitals,
      answer: async () => {
        throw new DataError('x.json is not there. Run: genenv data pull capitals');
      },
    };
    await expect(
      evaluate(
        evaluation(
          samplerOf(() => ''),
          { exam },
        ),
      ),
    ).rejects.toThrow('genenv data pull');
  });
});

describe('the folder of an evaluation', () => {
  const settings = { benchmark: { name: 'x' }, engine: { kind: 'openai', model: 'a' } };

  it('is refused to other settings, which are named', () => {
    const place = join(folder, 'one');
    claimEvaluation(place, settings)[Symbol.dispose]();
    claimEvaluation(place, settings)[Symbol.dispose]();
    expect(() => claimEvaluation(place, { ...settings, engine: { kind: 'openai', model: 'b' } })).toThrow(
      /engine\.model was "a" and is now "b"/,
    );
  });

  it('is refused to a second process, and where something else lives', () => {
    const place = join(folder, 'two');
    using _ = claimEvaluation(place, settings);
    expect(() => claimEvaluation(place, settings)).toThrow(/another process/);
    writeFileSync(join(folder, 'note.txt'), 'mine');
    expect(() => claimEvaluation(folder, settings)).toThrow(/is no evaluation/);
  });
});

it('an evaluation without an answer is not kept, and one with an answer is', () => {
  const place = join(folder, 'three');
  const settings = { engine: 'x' };
  claimEvaluation(place, settings)[Symbol.dispose]();
  discardUnanswered(place);
  expect(existsSync(place)).toBe(false);
  claimEvaluation(place, settings)[Symbol.dispose]();
  writeFileSync(join(place, 'predictions.jsonl'), '{"id":"q1","output":"Alba"}\n');
  discardUnanswered(place);
  expect(existsSync(place)).toBe(true);
});

it('calls that an engine took out of a reply are put back as protocols write them', () => {
  expect(replyText({ text: 'Done.' })).toBe('Done.');
  expect(replyText({ text: '', toolCalls: [{ name: 'ls', args: { a: true } }] })).toBe(
    '<tool_call>\n{"name":"ls","arguments":{"a":true}}\n</tool_call>',
  );
});

/**
 * Whatever a model wrote or a file holds, every suite of every benchmark gives a verdict or a clear reason for that line
 * alone, in time that grows with its length. All targets are inline: no data set is needed.
 */
import { describe, expect, it } from 'vitest';
import type { Exam } from '../src/core/exam.ts';
import type { JsonObject } from '../src/core/types.ts';
import { readLines } from '../src/eval/read-lines.ts';
import { type Scored, scoreLines } from '../src/eval/score.ts';
import { EXAMINED, type ExaminedName, jsonReader, openExams } from '../src/exams.ts';
import { RIGHT_LINES } from './inline-lines.ts';

/** Long enough that a quadratic scorer would not come back, short enough to try many. */
const LONG = 1_000_000;
const LONGEST = 10_000_000;
/** CPU time for a line of LONG; a linear scorer needs a fraction of it. */
const MOST_SECONDS = 1.5;

const filled = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const nested = (open: string, core: string, close: string, levels = 10_000) =>
  open.repeat(levels) + core + close.repeat(levels);

const TEXTS: Record<string, string> = {
  nothing: '',
  'a lone surrogate': '\ud800 <tool_call>\n{"name":"\udfff"}\n</tool_call>',
  'not a number': '<tool_call>\n{"name":"x","parameters":{"a":NaN,"b":Infinity,"c":1e999}}\n</tool_call>',
  'prototype names':
    '<tool_call>\n{"name":"constructor","parameters":{"__proto__":{"x":1},"toString":1},"arguments":{"constructor":1}}\n</tool_call>',
  'python prototype names': "[__proto__(constructor={'__proto__': 1}), toString(hasOwnProperty=1)]",
  'ten thousand lists': nested('[', '', ']'),
  'ten thousand objects': nested('{"a":', '1', '}'),
  'ten thousand calls': `[${nested('f(a=', '1', ')')}]`,
  'ten thousand calls in a tag': `<tool_call>\n${nested('{"name":"x","parameters":', '{}', '}')}\n</tool_call>`,
  'a million brackets': nested('(', '', '', 1_000_000),
};

const LONG_PIECES = [
  'a',
  ' ',
  '\n',
  '-',
  '(',
  '[',
  '{"a":',
  '"',
  "'",
  '\\',
  ',',
  '<tool_call>',
  '</tool_call>',
  '<tool_call>\n{}\n</tool_call>\n',
  '<answer>',
  '<action>',
  'Action: a\n',
  '```python\n',
  'from a to ',
  'from  to',
  '; ',
  'f(a=1), ',
  '1+',
  'the a an ',
  'é́',
];

const OUTPUTS: Record<string, string> = {
  number: '1e999',
  null: 'null',
  boolean: 'true',
  'an empty list': '[]',
  'ten thousand lists': nested('[', '', ']'),
  'ten thousand objects': nested('{"a":', '1', '}'),
  'own __proto__': '{"__proto__":{"correct":true},"constructor":{"prototype":1},"toString":1}',
  'a list of everything': '[null,1,"a",[],{},{"__proto__":null}]',
};

async function score(name: ExaminedName, exam: Exam, lines: string[]): Promise<Scored[]> {
  const scored: Scored[] = [];
  for await (const one of scoreLines(exam, readLines([Buffer.from(lines.join('\n'))]), await jsonReader(name))) {
    scored.push(one);
  }
  return scored;
}

const lineWith = (right: JsonObject, output: string) => {
  const { output: _, ...rest } = right;
  return `${JSON.stringify(rest).slice(0, -1)},"output":${output}}`;
};

async function cpuSeconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const isWrong = (scored: Scored | undefined) => scored !== undefined && ('error' in scored || !scored.correct);

describe.each(EXAMINED)('hostile predictions for %s', (name) => {
  const suites = Object.entries(RIGHT_LINES[name]);

  it('has a line for every suite, and every such line is right without a data set', async () => {
    const exams = await openExams({ name }, '/nowhere');
    expect(suites.map(([suite]) => suite).sort()).toEqual(Object.keys(exams).sort());
    for (const [suite, right] of suites) {
      expect(await score(name, exams[suite]!, [JSON.stringify(right)]), suite).toEqual([
        expect.objectContaining({ correct: true, score: 1 }),
      ]);
    }
  });

  it.each(suites)('%s: odd outputs are wrong, or told apart as no answer', async (suite, right) => {
    const exam = (await openExams({ name }, '/nowhere'))[suite]!;
    const odd = [...Object.values(TEXTS).map((text) => JSON.stringify(text)), ...Object.values(OUTPUTS)];
    const lines = odd.map((output, i) => lineWith({ ...right, id: `${right.id}#${i}` }, output));
    const scored = await score(name, exam, lines);
    expect(scored).toHaveLength(odd.length);
    const names = [...Object.keys(TEXTS), ...Object.keys(OUTPUTS)];
    const rightOnes = names.filter((_, i) => !isWrong(scored[i]));
    // Where no call is the right answer, noise that holds none is right.
    if (suite !== 'relevance') expect(rightOnes).toEqual([]);
  });

  // A second or two a suite: tens of megabytes.
  it.each(suites)('%s: megabytes of anything are judged in linear time', { timeout: 60_000 }, async (suite, right) => {
    const exam = (await openExams({ name }, '/nowhere'))[suite]!;
    const spend = (text: string) => cpuSeconds(() => score(name, exam, [lineWith(right, JSON.stringify(text))]));
    for (const piece of LONG_PIECES) {
      expect(await spend(filled(piece, LONG)), `${JSON.stringify(piece)} repeated`).toBeLessThan(MOST_SECONDS);
    }
    expect(await spend(filled('word ', LONGEST))).toBeLessThan(10 * MOST_SECONDS);
  });

  it.each(suites)('%s: a target that makes no sense costs only its line', async (suite, right) => {
    const exam = (await openExams({ name }, '/nowhere'))[suite]!;
    const targets = ['null', '1', '"x"', '[]', '{}', '[[]]', '{"__proto__":1}', OUTPUTS['ten thousand lists']!];
    const keys = Object.keys(right).filter((key) => key !== 'id' && key !== 'output');
    const lines = keys.flatMap((key) =>
      targets.map((target, i) => {
        const { [key]: _, ...rest } = right;
        return `${JSON.stringify({ ...rest, id: `${key}#${i}` }).slice(0, -1)},${JSON.stringify(key)}:${target}}`;
      }),
    );
    const scored = await score(name, exam, [...lines, JSON.stringify(right)]);
    expect(scored).toHaveLength(lines.length + 1);
    expect(scored.at(-1)).toMatchObject({ correct: true });
    for (const one of scored) if ('error' in one) expect(one.error).not.toMatch(/undefined|\[object|is not a function/);
  });
});

/**
 * Whatever a model wrote or a file holds, every suite of every benchmark gives a verdict or a clear reason for that line
 * alone, in time that grows with its length. Targets are inline and need no data set, but for TravelPlanner, whose rules
 * are about its tables: there it takes GENENV_DATA.
 */
import { describe, expect, it } from 'vitest';
import type { Exam } from '../src/core/exam.ts';
import type { JsonObject } from '../src/core/types.ts';
import { dataFolder } from '../src/data/folder.ts';
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

const hasData = Boolean(process.env.GENENV_DATA);
const SUITES: Record<ExaminedName, readonly string[]> = {
  ...(Object.fromEntries(EXAMINED.map((name) => [name, Object.keys(RIGHT_LINES[name])])) as Record<
    ExaminedName,
    string[]
  >),
  travelplanner: hasData ? ['plan', 'plan-strict'] : [],
};

/** An exam and a line that it finds right. */
async function openSuite(name: ExaminedName, suite: string): Promise<{ exam: Exam; right: JsonObject }> {
  const exams = await openExams({ name }, name === 'travelplanner' ? dataFolder(name) : '/nowhere');
  const exam = exams[suite]!;
  return { exam, right: RIGHT_LINES[name][suite] ?? (await exam.gold())[0]! };
}

it.each(EXAMINED)('%s: every suite is tried', async (name) => {
  if (name === 'travelplanner' && !hasData) return;
  expect(SUITES[name].toSorted()).toEqual(Object.keys(await openExams({ name }, '/nowhere')).sort());
});

describe.each(EXAMINED.filter((name) => SUITES[name].length > 0))('hostile predictions for %s', (name) => {
  it.each(SUITES[name])('%s: a line with its own target is right', async (suite) => {
    const { exam, right } = await openSuite(name, suite);
    expect(await score(name, exam, [JSON.stringify(right)])).toEqual([
      expect.objectContaining({ correct: true, score: 1 }),
    ]);
  });

  it.each(SUITES[name])('%s: odd outputs are wrong, or told apart as no answer', async (suite) => {
    const { exam, right } = await openSuite(name, suite);
    const odd = [...Object.values(TEXTS).map((text) => JSON.stringify(text)), ...Object.values(OUTPUTS)];
    // Ids must differ, and name what is known: a benchmark that reads its id gets one line a file.
    const scored = await Promise.all(odd.map((output) => score(name, exam, [lineWith(right, output)])));
    const names = [...Object.keys(TEXTS), ...Object.keys(OUTPUTS)];
    expect(names.filter((_, i) => scored[i]!.length !== 1 || !isWrong(scored[i]![0]))).toEqual(
      // Any call at all is what a relevance question wants; Python itself gives up on ten thousand brackets.
      suite === 'relevance' ? ['python prototype names'] : [],
    );
  });

  // A second or two a suite: tens of megabytes.
  it.each(SUITES[name])('%s: megabytes of anything are judged in linear time', async (suite) => {
    const { exam, right } = await openSuite(name, suite);
    const spend = (text: string) => cpuSeconds(() => score(name, exam, [lineWith(right, JSON.stringify(text))]));
    for (const piece of LONG_PIECES) {
      expect(await spend(filled(piece, LONG)), `${JSON.stringify(piece)} repeated`).toBeLessThan(MOST_SECONDS);
    }
    expect(await spend(filled('word ', LONGEST))).toBeLessThan(10 * MOST_SECONDS);
  });

  it.each(SUITES[name])('%s: a target that makes no sense costs only its line', async (suite) => {
    const { exam, right } = await openSuite(name, suite);
    const targets = ['null', '1', '"x"', '[]', '{}', '[[]]', '{"__proto__":1}', OUTPUTS['ten thousand lists']!];
    const keys = new Set([...Object.keys(right), ...TARGET_KEYS].filter((key) => key !== 'id' && key !== 'output'));
    const lines = [...keys].flatMap((key) =>
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

/** All that some benchmark reads beside the output. */
const TARGET_KEYS = [
  'target',
  'functions',
  'world',
  'commands',
  'game',
  'dialect',
  'query',
  'plan',
  'category',
  'question',
];

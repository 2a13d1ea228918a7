import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuStopwatch } from '../../test/cpu-time.ts';
import { toyBenchmark, toyDraft } from '../benchmarks/toy/index.ts';
import type { TaskDraft } from '../core/benchmark.ts';
import { taskId } from '../core/content-id.ts';
import type { Task } from '../core/types.ts';
import { type ReadOptions, readTask } from './read-task.ts';

const seed: Task = {
  id: '',
  seedId: null,
  rootId: 'root',
  origin: 'base',
  epoch: 0,
  prompt: [{ role: 'user', content: 'What is the capital of France?' }],
  tools: [],
  eval: { kind: 'text', target: 'Paris', metric: 'f1' },
  features: {},
  structure: '',
};
seed.id = taskId(seed);

const read = (text: string, options: Partial<ReadOptions> = {}, stop: 'stop' | 'length' = 'stop') =>
  readTask({ text, stop }, { benchmark: {}, seed, epoch: 3, origin: 'generated', ...options });

const rejection = (text: string, options: Partial<ReadOptions> = {}, stop: 'stop' | 'length' = 'stop') => {
  const { task, verdict } = read(text, options, stop);
  expect(task).toBeNull();
  return verdict.kind === 'rejected' ? `${verdict.reason}: ${verdict.detail}` : 'accepted';
};

const ROME = '{"prompt": "What is the capital of Italy?", "eval": {"kind": "text", "target": "Rome"}}';

describe('a well-formed generation', () => {
  it('becomes a task with an identity by content, a lineage and a structure', () => {
    const { task, verdict } = read(ROME);
    expect(verdict).toEqual({ kind: 'accepted' });
    expect(task).toEqual({
      id: taskId({
        prompt: [{ role: 'user', content: 'What is the capital of Italy?' }],
        tools: [],
        eval: { kind: 'text', target: 'Rome', metric: 'f1' },
      }),
      seedId: seed.id,
      rootId: 'root',
      origin: 'generated',
      epoch: 3,
      prompt: [{ role: 'user', content: 'What is the capital of Italy?' }],
      tools: [],
      eval: { kind: 'text', target: 'Rome', metric: 'f1' },
      features: {},
      structure: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
  });

  it('keeps its own features unless the benchmark measures them', () => {
    const text = '{"prompt":"x","eval":{"kind":"json","target":1},"features":{"length":2}}';
    expect(read(text).task!.features).toEqual({ length: 2 });
    expect(read(text, { benchmark: { features: () => ({ measured: 1 }) } }).task!.features).toEqual({ measured: 1 });
  });

  it('is read by the benchmark where that has a language of its own', () => {
    const benchmark = {
      read: (text: string): TaskDraft | { problem: string } =>
        text.startsWith('TASK ') ? toyDraft(text.slice(5)) : { problem: 'it must start with TASK' },
    };
    expect(read('TASK Ring the red bell 2 times.', { benchmark }).task!.eval).toMatchObject({ kind: 'toolCalls' });
    expect(rejection(ROME, { benchmark })).toBe('benchmark: it must start with TASK');
  });

  it.each([
    [
      'calls spelled args or arguments',
      '{"kind":"toolCalls","target":[{"name":"a","args":{"x":1}},{"name":"b","arguments":{}}]}',
    ],
    ['json', '{"kind":"json","target":{"deep":[1,{"x":null}]}}'],
    ['json null', '{"kind":"json","target":null}'],
    ['world', '{"kind":"world","world":"house","goal":{"lamp":"on"}}'],
  ])('may be judged as %s', (_, spec) => {
    expect(read(`{"prompt":"x","eval":${spec}}`).verdict).toEqual({ kind: 'accepted' });
  });
});

describe('a generation in bad form is read all the same', () => {
  const CHATTER = 'text around the JSON';
  const BROKEN = 'broken JSON';
  it.each([
    ['in a fence', `\`\`\`json\n${ROME}\n\`\`\``, CHATTER],
    ['with words around', `Sure! Here it is:\n${ROME}\nDo you like it?`, CHATTER],
    ['with a trailing comma', '{"prompt": "Capital of Italy?", "eval": {"kind": "text", "target": "Rome",},}', BROKEN],
    ['in single quotes', "{'prompt': 'Capital of Italy?', 'eval': {'kind': 'text', 'target': 'Rome'}}", BROKEN],
    ['with bare keys', '{prompt: "Capital of Italy?", eval: {kind: "text", target: "Rome"}}', BROKEN],
    ['without its last brace', '{"prompt": "Capital of Italy?", "eval": {"kind": "text", "target": "Rome"}', BROKEN],
    ['in a fence and broken', "```\n{'prompt': 'Capital?', 'eval': {'kind': 'text', 'target': 'Rome'}}\n```", BROKEN],
    ['as a list of one', `[${ROME}]`, undefined],
    ['as a list of several, the first counts', `[${ROME}, {"prompt": 3}]`, undefined],
    ['with space around', `\n\t ${ROME}\r\n`, undefined],
  ])('%s', (_, text, repaired) => {
    const { task, verdict } = read(text);
    expect(task?.eval).toMatchObject({ kind: 'text', target: 'Rome' });
    expect(verdict).toEqual(repaired === undefined ? { kind: 'accepted' } : { kind: 'accepted', repaired });
  });
});

describe('a generation is rejected with the reason', () => {
  it('empty', () => {
    expect(rejection('')).toBe('empty: nothing was written');
    expect(rejection(' \n\t')).toBe('empty: nothing was written');
  });

  it('truncated, even where what there is would parse', () => {
    expect(rejection(ROME, {}, 'length')).toBe('truncated: cut off at the token limit');
  });

  it('tooLong', () => {
    expect(rejection(`{"prompt":"${'x'.repeat(100_000)}"}`)).toBe('tooLong: 100013 characters');
  });

  it.each([
    ['a null byte', 'x\0y', 'U+0000 at 1'],
    ['an escape sequence', '\x1b[31mred', 'U+001B at 0'],
    ['a delete', 'x\x7f', 'U+007F at 1'],
    ['half a surrogate pair', 'ab\ud83d', 'U+D83D at 2'],
    ['the other half', '\ude00', 'U+DE00 at 0'],
  ])('controlCharacters for %s', (_, text, detail) => {
    expect(rejection(text)).toBe(`controlCharacters: ${detail}`);
  });

  it.each([
    ['the prompt', '{"prompt":"x\\u0000","eval":{"kind":"json","target":1}}', 'U+0000'],
    ['a message', '{"prompt":[{"role":"user","content":"\\u001b[2J"}],"eval":{"kind":"json","target":1}}', 'U+001B'],
    ['the target', '{"prompt":"x","eval":{"kind":"text","target":"\\ud800"}}', 'U+D800'],
    ['a key', '{"prompt":"x","eval":{"kind":"json","target":{"a\\u0007":1}}}', 'U+0007'],
    ['a tool', '{"prompt":"x","tools":[{"name":"\\b"}],"eval":{"kind":"json","target":1}}', 'U+0008'],
  ])('controlCharacters for one spelled as an escape in %s', (_, text, code) => {
    expect(rejection(text)).toBe(`controlCharacters: ${code}, written as an escape`);
  });

  it('tabs, line breaks and whole emoji are no control characters', () => {
    expect(read('{"prompt":"a\\tb\\r\\nc 😀 \\ud83d\\ude00","eval":{"kind":"json","target":1}}').verdict.kind).toBe(
      'accepted',
    );
  });

  it('notJson', () => {
    expect(rejection('I would rather not.')).toBe('notJson: no JSON object in "I would rather not."');
    expect(rejection('x'.repeat(500)).length).toBeLessThan(120);
  });

  it.each([
    ['a number', '42', 'schema: Invalid input'],
    ['an empty list', '[]', 'schema: Invalid input'],
    ['no prompt', '{"eval":{"kind":"json","target":1}}', 'schema: prompt: '],
    ['an empty prompt', '{"prompt":"","eval":{"kind":"json","target":1}}', 'schema: prompt: '],
    ['no messages', '{"prompt":[],"eval":{"kind":"json","target":1}}', 'schema: prompt: '],
    ['no eval', '{"prompt":"x"}', 'schema: eval: '],
    ['an unknown eval', '{"prompt":"x","eval":{"kind":"vibes"}}', 'schema: eval.kind: '],
    ['a json eval without a target', '{"prompt":"x","eval":{"kind":"json"}}', 'schema: eval.target: missing'],
    ['an empty text target', '{"prompt":"x","eval":{"kind":"text","target":""}}', 'schema: eval.target: '],
    [
      'a call without a name',
      '{"prompt":"x","eval":{"kind":"toolCalls","target":[{"args":{}}]}}',
      'schema: eval.target.0.name: ',
    ],
    [
      'arguments that are a list',
      '{"prompt":"x","eval":{"kind":"toolCalls","target":[{"name":"a","args":[]}]}}',
      'schema: eval.target.0.args: must be a JSON object',
    ],
    [
      'a tool without a name',
      '{"prompt":"x","tools":[{}],"eval":{"kind":"json","target":1}}',
      'schema: tools.0.name: ',
    ],
    [
      'a feature that is no number',
      '{"prompt":"x","eval":{"kind":"json","target":1},"features":{"a":"b"}}',
      'schema: features.a: ',
    ],
    [
      'a feature beyond all numbers',
      '{"prompt":"x","eval":{"kind":"json","target":1},"features":{"a":1e999}}',
      'schema: features.a: ',
    ],
    [
      'a target beyond all numbers',
      '{"prompt":"x","eval":{"kind":"json","target":1e999}}',
      'schema: a number is too large',
    ],
  ])('schema, with the place, for %s', (_, text, reason) => {
    expect(rejection(text)).toContain(reason);
  });

  it.each([65, 3_000, 45_000])('schema for %i levels of nesting, which could not be stored', (levels) => {
    const target = '['.repeat(levels) + ']'.repeat(levels);
    expect(rejection(`{"prompt":"x","eval":{"kind":"json","target":${target}}}`)).toBe(
      'schema: nested more than 64 levels deep',
    );
  });

  it('unsupportedChecker', () => {
    expect(rejection('{"prompt":"x","eval":{"kind":"script","source":"process.exit()"}}')).toBe(
      'unsupportedChecker: script checkers need the sandbox',
    );
  });

  it('benchmark, where the target does not follow from the request', async () => {
    const benchmark = toyBenchmark();
    const right = toyDraft('Ring the red bell 2 times.');
    expect(read(JSON.stringify(right), { benchmark }).verdict.kind).toBe('accepted');
    const wrong = { ...right, eval: toyDraft('Ring the blue bell 2 times.').eval };
    expect(rejection(JSON.stringify(wrong), { benchmark })).toBe(
      'benchmark: the target is not what the request asks for',
    );
  });

  it('copy, also in another form', () => {
    const { prompt, tools, eval: spec } = seed;
    const text = JSON.stringify({ prompt, tools, eval: spec });
    expect(rejection(text)).toBe('copy: the seed again, unchanged');
    expect(rejection(`\`\`\`${text}\`\`\``)).toBe('copy: the seed again, unchanged');
    expect(rejection('{"eval":{"target":"Paris","kind":"text"},"prompt":"What is the capital of France?"}')).toBe(
      'copy: the seed again, unchanged',
    );
  });

  it('error, when the benchmark itself fails on it', () => {
    const benchmark = {
      problemWith: () => {
        throw new Error('the world has no such room');
      },
    };
    expect(rejection(ROME, { benchmark })).toBe('error: the world has no such room');
  });
});

describe('whatever is written', () => {
  it('never throws, and a rejected generation has no task', () => {
    const piece = fc.oneof(
      fc.constantFrom('{', '}', '[', ']', '"', "'", ',', ':', '```json', '\\u0000', '/*', ROME, 'eval', 'prompt'),
      fc.json({ maxDepth: 3 }),
      fc.string({ unit: 'binary', maxLength: 20 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const { task, verdict } = read(pieces.join(''));
        expect(task === null).toBe(verdict.kind === 'rejected');
      }),
      { numRuns: 300 },
    );
  });

  it('named __proto__ pollutes nothing', () => {
    const { task } = read(
      '{"prompt":"x","eval":{"kind":"json","target":{"__proto__":{"a":1}}},"__proto__":{"polluted":1},"features":{"__proto__":1}}',
    );
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(Object.keys((task!.eval as { target: object }).target)).toEqual(['__proto__']);
  });

  it('is read in moderate time at the largest size that is read at all', () => {
    const spent = cpuStopwatch();
    for (const unit of ['{', '[{"a":', "{'", '{ ', '{"a":/*', 'x{', '{"a":"\\', '["x" + ']) {
      expect(read(unit.repeat(Math.floor(99_000 / unit.length))).task).toBeNull();
    }
    expect(spent()).toBeLessThan(10_000);
  });
});

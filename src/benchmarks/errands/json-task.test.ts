import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TaskDraft } from '../../core/benchmark.ts';
import type { ToolCall } from '../../core/types.ts';
import { sensible } from './fixtures.ts';
import { errandsBenchmark } from './index.ts';
import { interpret } from './interpret.ts';
import { TOOL_SPECS } from './lexicon.ts';
import { WORLDS } from './world.ts';
import { write } from './write.ts';

const errands = errandsBenchmark();
const [seed] = await errands.base();
const read = (text: string) => errands.read!(text, seed!);

const json = (prompt: unknown, target: unknown, more: object = {}) =>
  JSON.stringify({ prompt, tools: TOOL_SPECS, eval: { kind: 'toolCalls', target }, ...more });

const SOUP: ToolCall = { name: 'cook', args: { dish: 'soup' } };
const RICE: ToolCall = { name: 'cook', args: { dish: 'rice' } };

describe('a task in JSON', () => {
  it('is the same task as its request alone, if its calls are right in some world', () => {
    fc.assert(
      fc.property(sensible, fc.constantFrom(...WORLDS), (request, world) => {
        const plan = interpret(request, world);
        if ('problem' in plan) throw new Error(plan.problem);
        const text = write(request);
        expect(read(json([{ role: 'user', content: text }], plan.calls))).toEqual(read(text));
        expect(read(json(text, plan.calls.slice(1)))).toHaveProperty('problem');
      }),
    );
  });

  it('may be in a fence, spelled otherwise and without tools, and is still that task', () => {
    const calls = [{ name: 'cook', arguments: { dish: 'soup' } }];
    const task = read('cook soup') as TaskDraft;
    expect(task.tools).toHaveLength(12);
    expect(read(`Here it is:\n\`\`\`json\n${json('Cook soup.', calls, { tools: [] })}\n\`\`\``)).toEqual(task);
    const messages = [
      { role: 'system', content: 'You run errands.' },
      { role: 'user', content: 'cook  soup' },
    ];
    expect(read(json(messages, calls))).toEqual(task);
  });

  it.each([
    ['{', 'not JSON: expected {"prompt", "tools", "eval"}'],
    ['{}', 'prompt: expected a request'],
    ['{"prompt": "cook soup"}', 'eval: expected {kind, target}'],
    [json(7, []), 'prompt: expected a request'],
    [json([], []), 'prompt: no message of the user'],
    [json([{ role: 'system', content: 'cook soup' }], [SOUP]), 'prompt: no message of the user'],
    [json('cook soap', [SOUP]), 'prompt: word 2: expected one of soup, rice, stew, pasta after "cook", not "soap"'],
    [json('book it for two', [SOUP]), 'prompt: "it" before anything is found'],
    [json('cook soup', 'soup'), 'eval.target: '],
    [json('cook soup', [], { eval: { kind: 'text', target: 'soup' } }), 'eval.kind: '],
    [
      json('cook soup', []),
      'eval.target ends after 0 calls, but then the request asks for {"args":{"dish":"soup"},"name":"cook"}',
    ],
    [
      json('cook soup, then cook rice', [SOUP]),
      'eval.target ends after 1 call, but then the request asks for {"args":{"dish":"rice"}',
    ],
    [json('cook soup', [SOUP, RICE]), 'eval.target has 2 calls, but the request asks for 1'],
    [
      json('cook soup, but first cook rice', [SOUP, RICE]),
      'eval.target.0 is {"args":{"dish":"soup"},"name":"cook"}, but the request asks for {"args":{"dish":"rice"},"name":"cook"}',
    ],
    [
      json('buy two eggs', [{ name: 'buy', args: { count: '2', goods: 'eggs' } }]),
      'eval.target.0 is {"args":{"count":"2"',
    ],
    [json('cook soup', [{ name: 'cook', args: 'soup' }]), 'eval.target.0 is {"args":"soup","name":"cook"}, but'],
  ])('with a problem says which: %s', (text, problem) => {
    expect(read(text)).toEqual({ problem: expect.stringContaining(problem) });
  });

  it('never makes reading throw', () => {
    const task = json('cook soup', [SOUP]);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json().map((any) => `{${any}}`),
          fc.nat(task.length).map((at) => task.slice(0, at)),
          fc.object().map((any) => JSON.stringify({ ...any, eval: any })),
          fc.anything().map((any) => json('cook soup', JSON.parse(JSON.stringify(any) ?? 'null'))),
        ),
        (text) => {
          const result = read(text);
          if ('problem' in result) expect(result.problem.length).toBeLessThan(400);
        },
      ),
    );
  });
});

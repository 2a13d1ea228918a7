import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRng } from '../../core/rng.ts';
import type { Script } from '../../core/script.ts';
import type { Message, Task } from '../../core/types.ts';
import { toyBenchmark, toyDraft } from './index.ts';
import { MAX_LEVEL, SKILLS } from './language.ts';
import { TOY_SCRIPTS } from './scripts.ts';

const toy = toyBenchmark();
const [seed] = (await toy.base()) as [Task];

describe('the scripts', () => {
  const replyTo = (script: Script, messages: Message[], choices: number[]) =>
    script.text(messages, Int32Array.from(choices), createRng(1));
  const context = (percent: number): Message[] => [
    { role: 'user', content: `Target: about ${percent}% of its attempts.` },
  ];

  it('of the agent ask for one decision per step, and its calls are made of the right ones', () => {
    const { agent } = TOY_SCRIPTS;
    const messages: Message[] = [
      { role: 'user', content: 'Ring the red bell 2 times, then count down from 9 in 1 step.' },
    ];
    expect(agent.decisions(messages)).toEqual(['ring', 'ring', 'count']);
    const target = toyDraft(messages[0]!.content).eval;
    expect(JSON.parse(replyTo(agent, messages, [1, 1, 1]))).toEqual(target.kind === 'toolCalls' && target.target);
    expect(JSON.parse(replyTo(agent, messages, [1, 0, 1]))).toEqual([
      { name: 'ring', args: { bell: 'red', times: 1 } },
      { name: 'say', args: { numbers: [9] } },
    ]);
  });

  it('of the environment write tasks that the benchmark accepts, of the levels that were chosen', () => {
    const level = fc.integer({ min: 0, max: MAX_LEVEL });
    fc.assert(
      fc.property(fc.tuple(level, level, level), (levels) => {
        fc.pre(levels.some((l) => l > 0));
        const draft = JSON.parse(replyTo(TOY_SCRIPTS.environment, context(50), [1, ...levels]));
        expect(toy.problemWith!(draft, seed)).toBeUndefined();
        expect(toy.features!(draft).steps).toBe(levels.reduce((a, b) => a + b));
      }),
    );
  });

  it('of the environment write garbage when that is chosen', () => {
    const whole = replyTo(TOY_SCRIPTS.environment, context(50), [1, 2, 2, 2]);
    const garbage = replyTo(TOY_SCRIPTS.environment, context(50), [0, 2, 2, 2]);
    expect(whole.startsWith(garbage)).toBe(true);
    expect(() => JSON.parse(garbage)).toThrow();
  });

  it.each([
    [0, 0],
    [12, 0],
    [13, 25],
    [50, 50],
    [60, 50],
    [90, 100],
  ])('of the environment answer a wish for %i%% from the rows for %i%%', (asked, row) => {
    expect(TOY_SCRIPTS.environment.decisions(context(asked))).toEqual([
      'wellFormed',
      ...SKILLS.map((skill) => `${skill}@${row}`),
    ]);
  });

  it('have a row for every decision they can ask for', () => {
    const rows = Object.keys(TOY_SCRIPTS.environment.rows);
    for (let percent = 0; percent <= 100; percent++) {
      for (const name of TOY_SCRIPTS.environment.decisions(context(percent))) expect(rows).toContain(name);
    }
  });
});

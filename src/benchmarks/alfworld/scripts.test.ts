import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Benchmark, TextWorld } from '../../core/benchmark.ts';
import { createRng } from '../../core/rng.ts';
import { rootTask } from '../../core/root-task.ts';
import type { Message, Task } from '../../core/types.ts';
import { KITCHEN } from './fixtures.ts';
import { GOAL_KINDS, type Goal, taskSentences } from './goal.ts';
import { ALFWORLD_SCRIPTS, alfworldBenchmark } from './index.ts';
import { nextMove, readTask, SKILLS } from './seeker.ts';
import { draftOf, features, recordOf, structure } from './tasks.ts';
import { soundWorld } from './world.ts';

const { agent, environment } = ALFWORLD_SCRIPTS;
const benchmark: Benchmark = alfworldBenchmark({ data: '/nowhere' });
const seed = rootTask(draftOf(soundWorld(KITCHEN)), 'base', { features, structure });
const context = (alpha: number) =>
  benchmark.context!({ slot: 0, seed, count: 1, lineage: [], overall: undefined, target: { alpha, kMin: 0.1 } });

/** Plays a task with an agent that gets these turns right, over and over. */
function play(task: Task, right: readonly number[]): { reward: number; turns: number } {
  const session = benchmark.session!(task) as TextWorld;
  const messages: Message[] = [...task.prompt];
  for (let turn = 0; ; turn++) {
    const choice = right[turn % right.length]!;
    const reply = agent.text(messages, Int32Array.from([choice]), createRng(1));
    messages.push({ role: 'assistant', content: reply });
    const { content, done } = session.say(reply) as { content: string; done: boolean };
    if (done) return { reward: session.judge(reply), turns: turn + 1 };
    messages.push({ role: 'user', content });
  }
}

describe('the scripts', () => {
  it('of the agent win where every turn is right, later where half are, and never where none is', () => {
    const all = play(seed, [1]);
    const half = play(seed, [1, 0]);
    expect(all.reward).toBe(1);
    expect(half.reward).toBe(1);
    expect(half.turns).toBeGreaterThan(all.turns);
    expect(play(seed, [0])).toEqual({ reward: 0, turns: 50 });
  });

  it('of the agent ask for one decision a turn, from a row that there is', () => {
    expect(agent.decisions(seed.prompt)).toEqual(['search']);
    expect(Object.keys(agent.rows)).toEqual([...SKILLS]);
    expect(agent.decisions([{ role: 'user', content: 'hello' }])).toEqual(['search']);
  });

  it('of the environment write rooms that the benchmark accepts and a perfect agent wins', () => {
    fc.assert(
      fc.property(fc.nat(GOAL_KINDS.length - 1), fc.nat(4), fc.integer(), (kind, depth, random) => {
        const text = environment.text(context(0.5), Int32Array.from([1, kind, depth]), createRng(random));
        const draft = benchmark.read!(text, seed);
        if ('problem' in draft) throw new Error(draft.problem);
        expect(recordOf(draft).goal.kind).toBe(GOAL_KINDS[kind]);
        expect(play(rootTask(draft, 'generated', { features, structure }), [1]).reward).toBe(1);
      }),
      { numRuns: 60 },
    );
  });

  it('of the environment write garbage when that is chosen', () => {
    const text = environment.text(context(0.5), Int32Array.from([0, 0, 0]), createRng(1));
    expect(benchmark.read!(text, seed)).toHaveProperty('problem');
  });

  it.each([
    [0, 0],
    [0.12, 0],
    [0.5, 50],
    [0.9, 100],
  ])('of the environment answer a wish for %f from the rows for %i%%', (alpha, row) => {
    const decisions = environment.decisions(context(alpha));
    expect(decisions).toEqual(['wellFormed', `goal@${row}`, `depth@${row}`]);
    for (const name of decisions) expect(Object.keys(environment.rows)).toContain(name);
  });
});

describe('the seeker', () => {
  it.each<Goal>([
    { kind: 'place', object: 'pen', receptacle: 'shelf' },
    { kind: 'look', object: 'pen', lamp: 'floorlamp' },
    { kind: 'clean', object: 'mug', receptacle: 'shelf' },
    { kind: 'heat', object: 'mug', receptacle: 'shelf' },
    { kind: 'cool', object: 'mug', receptacle: 'shelf' },
    { kind: 'two', object: 'pen', receptacle: 'shelf' },
  ])('reads both sentences for %j', (goal) => {
    for (const sentence of taskSentences(goal))
      expect(readTask(`Hello.\n\nYour task is to: ${sentence}.`)).toEqual(goal);
  });

  it('looks around where it does not know what to do', () => {
    for (const content of ['', 'Your task is to: dance.', 'Your task is to: put a pen in shelf.']) {
      expect(nextMove([{ role: 'user', content }])).toEqual({ skill: 'search', action: 'look' });
    }
  });
});

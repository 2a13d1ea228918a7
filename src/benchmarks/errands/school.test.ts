import { describe, expect, it } from 'vitest';
import type { Demonstration, TaskDraft } from '../../core/benchmark.ts';
import { createRng } from '../../core/rng.ts';
import type { Task } from '../../core/types.ts';
import { errandsBenchmark } from './index.ts';
import { sessionOf } from './session.ts';
import { hasHeldOutPair, isHeldOutText } from './splits.ts';
import { features, requestOf } from './tasks.ts';

const errands = errandsBenchmark();
const { corpus, demonstrations, readCalls } = errands.school!;
const [seed] = await errands.base();

const draftOf = (text: string, from: Task = seed!) => errands.read!(text, from) as TaskDraft;
const requestIn = ({ messages }: Demonstration) => messages[0]!.content;

describe('the school', () => {
  const agent = demonstrations('agent', 20_000, createRng('agent school'), 1);
  const environment = demonstrations('environment', 5_000, createRng('environment school'), 0);

  it('uses no word that its corpus does not have', () => {
    const words = new Set([...corpus()].flatMap((line) => line.match(/\w+|[^\w\s]/g)!));
    const used = [...agent, ...environment].flatMap(({ messages, text }) => [text, ...messages.map((m) => m.content)]);
    const unknown = used.flatMap((text) => text.match(/\w+|[^\w\s]/g)!.filter((word) => !words.has(word)));
    expect(unknown).toEqual([]);
  });

  it('never shows the agent skills together that the held-out tasks ask for together, nor a held-out task', () => {
    const shown = agent.map(({ messages }) => requestOf(messages.slice(0, 1)));
    expect(shown.filter((request) => 'problem' in request || hasHeldOutPair(request))).toEqual([]);
    expect(agent.map(requestIn).filter(isHeldOutText)).toEqual([]);
  });

  it('shows the agent calls that can be read, all right at first and many wrong at the end', () => {
    const careful = demonstrations('agent', 2_000, createRng('agent school'), 0.8);
    expect(shareRight(careful)).toBe(1);
    const hurried = (clauses: number) =>
      shareRight(agent.filter((one) => features(draftOf(requestIn(one))).clauses === clauses));
    expect(hurried(1)).toBeGreaterThan(0.8);
    expect(hurried(5)).toBeLessThan(0.6);
  });

  function shareRight(demonstrations: Demonstration[]): number {
    let right = 0;
    for (const one of demonstrations) {
      const calls = one.messages.filter(({ role }) => role === 'assistant').map(({ content }) => content);
      const said = [...calls, one.text].map((text) => readCalls!(text));
      if (said.includes(undefined)) throw new Error(one.text);
      const { eval: spec } = draftOf(requestIn(one));
      if (spec.kind !== 'toolCalls') throw new Error(spec.kind);
      const done = said.flatMap((turn) => turn!);
      if (JSON.stringify(done) === JSON.stringify(spec.target.slice(0, done.length))) right++;
    }
    return right / demonstrations.length;
  }

  it('shows the agent what the world answers', () => {
    const several = agent.find(({ messages }) => messages.some(({ role }) => role === 'tool'))!;
    const session = sessionOf({ ...seed!, ...draftOf(requestIn(several)) })!;
    const observed = several.messages.flatMap(({ role, content }) =>
      role === 'assistant' ? readCalls!(content)!.map((call) => session.call(call)) : [],
    );
    expect(several.messages.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual(
      observed.map((observation) => 'content' in observation && observation.content),
    );
  });

  it('shows the environment what it is asked in a run, and tasks that can be read', () => {
    for (const { messages, text } of environment) {
      expect(messages[0]!.content).toMatch(/^was (new|none|few|half|most|all) aim (none|few|half|most|all): \w/);
      expect(draftOf(text)).not.toHaveProperty('problem');
    }
    const brief = { seed: seed!, lineage: [], target: { alpha: 0.5 } } as unknown as Parameters<
      NonNullable<typeof errands.context>
    >[0];
    expect(errands.context!(brief)).toEqual([
      { role: 'user', content: `was new aim half: ${seed!.prompt[0]!.content}` },
    ]);
  });

  it('shows the same to whoever draws the same', () => {
    expect(demonstrations('agent', 50, createRng('agent school'), 1)).toEqual(agent.slice(0, 50));
  });
});

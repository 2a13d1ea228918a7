/** Runs to test on whatever reads them. Nothing here is part of the package. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConfigInput, loadConfig } from './config.ts';
import type { EvalSpec, Json, Task, Trace } from './core/types.ts';
import { buildTokenizer } from './engines/local/tokenizer/build.ts';
import { createRunFolder, play } from './run.ts';
import { createRun, openJournal } from './store/index.ts';
import { loadTokenizer } from './tokens/tokenizer.ts';

export const tempFolder = (): string => mkdtempSync(join(tmpdir(), 'genenv-run-'));

/** A real run, scripted and small; stopped at an event such as `1 rollout` or `2 epoch` where that is given. */
export async function playRun(
  folder: string,
  { stopAt, ...changes }: ConfigInput & { stopAt?: string } = {},
): Promise<void> {
  const { config } = loadConfig({
    overrides: {
      engine: 'scripted',
      epochs: 2,
      generation: { seedsPerEpoch: 8 },
      curriculum: { rollouts: 4 },
      evaluation: { every: 1 },
      ...changes,
    },
  });
  createRunFolder(folder, config);
  const stop = new AbortController();
  const signal = new AbortController().signal;
  for await (const event of play(folder, config, { stop: stop.signal, signal })) {
    const at = 'epoch' in event ? `${event.epoch} ${'phase' in event ? event.phase : event.type}` : '';
    if (at === stopAt) stop.abort();
  }
}

/** Hostile text in every place where a model, a server or a file may have put it. */
export function hostileRun(folder: string, hostile: string): void {
  const { config } = loadConfig({ overrides: { epochs: 1, engine: 'scripted' } });
  createRun(folder, {
    config: config as unknown as Json,
    version: hostile,
    git: { commit: hostile },
    createdAt: hostile,
  });
  using journal = openJournal(folder, { now: () => 0 });
  const task = (id: string, changes: Partial<Task>): Task => ({
    id,
    seedId: null,
    rootId: 't-a0',
    origin: 'base',
    epoch: 0,
    prompt: [{ role: 'user', content: `${hostile}\n${hostile}` }],
    tools: [{ name: hostile, description: hostile, parameters: { properties: { [hostile]: {} } } }],
    eval: { kind: 'toolCalls', target: [{ name: hostile, args: { [hostile]: hostile } }] },
    features: { [hostile]: 1 },
    structure: '<b>shape</b>',
    ...changes,
  });
  const seed = task('t-a0', {});
  const written = task('t-b1', {
    seedId: 't-a0',
    origin: 'generated',
    epoch: 1,
    eval: { kind: 'text', target: hostile, metric: 'f1' },
  });
  const turn = { prompt: Int32Array.of(1), tokens: Int32Array.of(2, 3), logprobs: Float32Array.of(-1, -2) };
  const common = { epoch: 1, seedId: 't-a0', author: 'environment', text: hostile, turn } as const;
  const context = [{ role: 'user' as const, content: hostile }];
  const rollout = (index: number) => ({
    index,
    policy: hostile,
    messages: [
      { role: 'assistant' as const, content: hostile, toolCalls: [{ name: hostile, args: { [hostile]: 1 } }] },
      { role: 'tool' as const, content: hostile },
    ],
    turns: [turn],
    answer: index === 0 ? hostile : [{ name: hostile, args: { [hostile]: hostile } }],
    reward: 0.25,
    success: false,
    valid: index === 0,
    stop: index === 0 ? ('answer' as const) : ('error' as const),
    error: hostile,
  });
  journal.commit(
    { epoch: 1, phase: 'aggregate', done: 1, units: 1 },
    {
      tasks: [seed],
      generations: [
        { ...common, id: '1.0.0', context, verdict: { kind: 'accepted', repaired: hostile }, task: written },
        {
          ...common,
          id: '1.0.1',
          context,
          verdict: { kind: 'rejected', reason: 'notJson', detail: hostile },
          task: null,
        },
      ],
      groups: [seed, written].map((one) => ({ epoch: 1, role: 'fresh', task: one, traces: [rollout(0), rollout(1)] })),
      quarantine: [{ taskId: 't-b1', epoch: 1, reason: hostile }],
      metrics: [{ key: '<i>odd</i>', epoch: 1, step: 0, value: 1 }],
      notes: [{ kind: 'odd', epoch: 1, detail: hostile }],
    },
  );
}

/** What a rollout ended with, in a run that a test makes up. */
export type Ended = Pick<Trace, 'answer' | 'reward'> & Partial<Trace>;

/** A run with the tasks and answers given, one group each in epoch 1, whose agent has a tokenizer of its own. */
export function judgedRun(folder: string, groups: { id: string; spec: EvalSpec; ended: Ended[] }[]): void {
  const { config } = loadConfig({ overrides: { epochs: 1, engine: 'local' } });
  createRun(folder, { config: config as unknown as Json });
  const json = buildTokenizer(['ring the bell twice, then light the lamp'], { kind: 'words', vocabulary: 40 });
  mkdirSync(join(folder, 'models', 'agent'), { recursive: true });
  writeFileSync(join(folder, 'models', 'agent', 'tokenizer.json'), JSON.stringify(json));
  const tokens = Int32Array.from(loadTokenizer(json).encode('ring the bell'));
  const logprobs = Float32Array.from(tokens, () => -0.5);
  using journal = openJournal(folder, { now: () => 0 });
  const trace = (ended: Ended, index: number): Trace => ({
    index,
    policy: 'agent-1',
    messages: [{ role: 'assistant', content: 'ring the bell' }],
    turns: [{ prompt: Int32Array.of(1), tokens, logprobs }],
    success: ended.reward === 1,
    valid: true,
    stop: 'answer',
    ...ended,
  });
  journal.commit(
    { epoch: 1, phase: 'aggregate', done: 1, units: 1 },
    {
      groups: groups.map(({ id, spec, ended }) => ({
        epoch: 1,
        role: 'base',
        task: {
          id,
          seedId: null,
          rootId: id,
          origin: 'base',
          epoch: 0,
          prompt: [{ role: 'user', content: `Do ${id}.` }],
          tools: [],
          eval: spec,
          features: {},
          structure: spec.kind,
        },
        traces: ended.map(trace),
      })),
    },
  );
}

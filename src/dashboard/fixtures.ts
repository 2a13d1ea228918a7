/** Runs to test the dashboard on. Nothing here is part of the package. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConfigInput, loadConfig } from '../config.ts';
import type { Json, Task } from '../core/types.ts';
import { createRunFolder, play } from '../run.ts';
import { createRun, openJournal } from '../store/index.ts';

export const tempFolder = (): string => mkdtempSync(join(tmpdir(), 'genenv-ui-'));

/** A real run, scripted and small; stopped after an epoch where that is given. */
export async function playRun(
  folder: string,
  { stopAfter, ...changes }: ConfigInput & { stopAfter?: number } = {},
): Promise<void> {
  const { config } = loadConfig({
    overrides: {
      engine: 'scripted',
      epochs: 3,
      generation: { seedsPerEpoch: 8 },
      curriculum: { rollouts: 4 },
      evaluation: { every: 1 },
      ...changes,
    },
  });
  createRunFolder(folder, config);
  const stop = new AbortController();
  for await (const event of play(folder, config, { stop: stop.signal, signal: new AbortController().signal })) {
    if (event.type === 'epoch' && event.epoch === stopAfter) stop.abort();
  }
}

/** HTML, script, SQL, a URL that would run, control and bidirectional characters, half a character, a template. */
export const HOSTILE: string =
  `<script>window.hacked = 1</script><img src=x onerror="window.hacked = 1"><svg onload=alert(1)>` +
  `'; DROP TABLE tasks; -- " javascript:alert(1) \${7*7} {{7*7}} &lt;b&gt; ` +
  `\x1b[31m \u202egnp.exe\u202c \u200b\u2028 \0 \ud800 \u{e0041} %00 ../../etc/passwd end`;

/** Text of this kind in every place where a model, a server or a file may have put it. */
export function hostileRun(folder: string): void {
  const { config } = loadConfig({ overrides: { epochs: 1, engine: 'scripted' } });
  createRun(folder, {
    config: config as unknown as Json,
    version: HOSTILE,
    git: { commit: HOSTILE },
    createdAt: HOSTILE,
  });
  using journal = openJournal(folder, { now: () => 0 });
  const task = (id: string, changes: Partial<Task>): Task => ({
    id,
    seedId: null,
    rootId: 't-a0',
    origin: 'base',
    epoch: 0,
    prompt: [{ role: 'user', content: `${HOSTILE}\n${HOSTILE}` }],
    tools: [{ name: HOSTILE, description: HOSTILE, parameters: { properties: { [HOSTILE]: {} } } }],
    eval: { kind: 'toolCalls', target: [{ name: HOSTILE, args: { [HOSTILE]: HOSTILE } }] },
    features: { [HOSTILE]: 1 },
    structure: `<b>shape</b>`,
    ...changes,
  });
  const seed = task('t-a0', {});
  const written = task('t-b1', {
    seedId: 't-a0',
    origin: 'generated',
    epoch: 1,
    eval: { kind: 'text', target: HOSTILE, metric: 'f1' },
  });
  const turn = { prompt: Int32Array.of(1), tokens: Int32Array.of(2, 3), logprobs: Float32Array.of(-1, -2) };
  const common = { epoch: 1, seedId: 't-a0', author: 'environment', text: HOSTILE, turn } as const;
  const context = [{ role: 'user' as const, content: HOSTILE }];
  const rollout = (index: number) => ({
    index,
    policy: HOSTILE,
    messages: [
      { role: 'assistant' as const, content: HOSTILE, toolCalls: [{ name: HOSTILE, args: { [HOSTILE]: 1 } }] },
      { role: 'tool' as const, content: HOSTILE },
    ],
    turns: [turn],
    answer: index === 0 ? HOSTILE : [{ name: HOSTILE, args: { [HOSTILE]: HOSTILE } }],
    reward: 0.25,
    success: false,
    valid: index === 0,
    stop: index === 0 ? ('answer' as const) : ('error' as const),
    error: HOSTILE,
  });
  journal.commit(
    { epoch: 1, phase: 'aggregate', done: 1, units: 1 },
    {
      tasks: [seed],
      generations: [
        { ...common, id: '1.0.0', context, verdict: { kind: 'accepted', repaired: HOSTILE }, task: written },
        {
          ...common,
          id: '1.0.1',
          context,
          verdict: { kind: 'rejected', reason: 'notJson', detail: HOSTILE },
          task: null,
        },
      ],
      groups: [seed, written].map((one) => ({ epoch: 1, role: 'fresh', task: one, traces: [rollout(0), rollout(1)] })),
      quarantine: [{ taskId: 't-b1', epoch: 1, reason: HOSTILE }],
      notes: [{ kind: 'odd', epoch: 1, detail: HOSTILE }],
      metrics: [{ key: '<i>odd</i>', epoch: 1, step: 0, value: 1 }],
    },
  );
}

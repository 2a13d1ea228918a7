/** Runs to test the reading commands on, and what they print. Nothing here is part of the package. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { type ConfigInput, loadConfig } from '../config.ts';
import type { Json, Task } from '../core/types.ts';
import { createRunFolder, play } from '../run.ts';
import { createRun, openJournal } from '../store/index.ts';

export const tempFolder = (): string => mkdtempSync(join(tmpdir(), 'genenv-cli-'));

/** A real run, scripted and small; stopped in a phase of an epoch where that is given. */
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
    if ('phase' in event && `${event.epoch} ${event.phase}` === stopAt) stop.abort();
  }
}

/** What a terminal must never be sent: colours, cursor moves, a C1 introducer, a title, bidi, tags, half a character. */
export const HOSTILE =
  '\x1b[31mred\x1b[2J\x9b5A\x1b]0;title\x07 \u202eesrever\u202c \u{e0041}\u{e0042} \ud800 \u200b\u2028 \r\0 \x7f end';

/** Text of this kind in every place where a model, a server or a file may have put it. */
export function hostileRun(folder: string): void {
  const { config } = loadConfig({ overrides: { epochs: 1 } });
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
    structure: 'shape',
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
    policy: 'agent',
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
    },
  );
}

export interface Printed {
  stdout: string;
  stderr: string;
  error: unknown;
}

/** Runs a command in this process, as on a pipe, and keeps what it wrote. */
export async function printed(command: () => unknown, columns = 100): Promise<Printed> {
  const out = { stdout: '', stderr: '' };
  vi.stubEnv('COLUMNS', String(columns)).stubEnv('NO_COLOR', '1').stubEnv('FORCE_COLOR', undefined);
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      out[name] += String(chunk);
      return true;
    }),
  );
  try {
    await command();
    return { ...out, error: undefined };
  } catch (error) {
    return { ...out, error };
  } finally {
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
  }
}

export const jsonLines = (text: string): Record<string, never>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

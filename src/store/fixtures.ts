/** Small runs to test and measure the store with. Nothing here is part of the package's interface. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cursor } from '../core/journal.ts';
import type { Generation, Group, Role, Task, Trace, Turn } from '../core/types.ts';
import { createRun, openJournal, type RunJournal } from './journal.ts';

export const tempFolder = (): string => mkdtempSync(join(tmpdir(), 'genenv-store-'));

export const at = (epoch: number, step = 1): Cursor => ({ epoch, phase: 'rollout', done: step, units: 9 });

export function newJournal(folder: string = tempFolder()): RunJournal {
  createRun(folder, { seed: 7 });
  return openJournal(folder, { now: () => 1_700_000_000_000 });
}

export function sampleTask(id: string, changes: Partial<Task> = {}): Task {
  return {
    id,
    seedId: null,
    rootId: id,
    origin: 'base',
    epoch: 0,
    prompt: [{ role: 'user', content: `What is the weather in ${id}?` }],
    tools: [{ name: 'weather', description: 'Tells the weather.', parameters: { type: 'object' } }],
    eval: { kind: 'toolCalls', target: [{ name: 'weather', args: { city: id } }] },
    features: { tools: 1 },
    structure: 'weather(city)',
    ...changes,
  };
}

export const sampleTurn = (prompt: number, tokens: number, start = 0): Turn => ({
  prompt: Int32Array.from({ length: prompt }, (_, i) => 1000 + i),
  tokens: Int32Array.from({ length: tokens }, (_, i) => start + i * 37),
  logprobs: Float32Array.from({ length: tokens }, (_, i) => -Math.sqrt(i + start + 0.1)),
});

export function sampleTrace(index: number, changes: Partial<Trace> = {}): Trace {
  return {
    index,
    policy: 'agent@1',
    messages: [{ role: 'assistant', content: `weather(${index})` }],
    turns: [sampleTurn(20, 30, index)],
    answer: [{ name: 'weather', args: { city: String(index) } }],
    reward: index % 2,
    success: index % 2 === 1,
    valid: true,
    stop: 'answer',
    ...changes,
  };
}

export function sampleGroup(epoch: number, task: Task, role: Role = 'fresh', size = 8): Group {
  return { epoch, role, task, traces: Array.from({ length: size }, (_, index) => sampleTrace(index)) };
}

export function sampleGeneration(id: string, task: Task | null, changes: Partial<Generation> = {}): Generation {
  return {
    id,
    epoch: Number(id.split('.')[0]),
    seedId: 'base-0',
    author: 'environment',
    context: [{ role: 'system', content: 'Write a task.' }],
    text: `{"task": "${id}"}`,
    turn: sampleTurn(50, 12),
    verdict: task ? { kind: 'accepted' } : { kind: 'rejected', reason: 'notJson', detail: 'Unexpected end of input' },
    task,
    ...changes,
  };
}

/** A variation of `base-0`. */
export const variation = (id: string, epoch: number): Task =>
  sampleTask(id, { seedId: 'base-0', rootId: 'base-0', origin: 'generated', epoch });

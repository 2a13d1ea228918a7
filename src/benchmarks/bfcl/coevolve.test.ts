/** Both players, the loop and this benchmark together, on the scripted engine. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { coevolve, type Game } from '../../core/coevolve.ts';
import { ENV_UPDATES } from '../../core/env-update.ts';
import type { Journal } from '../../core/journal.ts';
import { createRng } from '../../core/rng.ts';
import { VARIANTS } from '../../core/variants.ts';
import { scriptedEngine } from '../../engines/scripted/index.ts';
import { agentPolicy } from '../../policies/agent.ts';
import { environmentPolicy } from '../../policies/environment.ts';
import { writer } from '../../policies/write-tasks.ts';
import { createRun, openJournal, openReader } from '../../store/index.ts';
import { smallWorld } from './fixtures.ts';
import { bfclBenchmark, bfclScripts } from './index.ts';

const EPOCHS = 3;

async function gameIn(folder: string, journal: Journal): Promise<Game> {
  const benchmark = bfclBenchmark({ data: smallWorld() });
  const [base, validation, test] = [await benchmark.base(), await benchmark.validation(), await benchmark.test!()];
  const scripts = bfclScripts([...base, ...validation, ...test]);
  const engine = scriptedEngine({ scripts, checkpoints: join(folder, 'checkpoints') });
  const signal = new AbortController().signal;
  const writing = {
    benchmark,
    concurrency: 4,
    temperature: 1,
    maxTokens: 100,
    reference: await engine.reference('environment'),
  };
  return {
    run: 'test',
    epochs: EPOCHS,
    rng: createRng(7),
    journal,
    agent: await agentPolicy({
      trainer: await engine.trainer('agent'),
      reference: await engine.reference('agent'),
      benchmark,
      limits: { maxTokens: 100, maxTurns: 1, tokenBudget: 100, successThreshold: 'auto' },
      concurrency: 4,
      optimizer: { learningRate: 0.05 },
      advantage: 'grpo',
      clipLow: 0.2,
      clipHigh: 0.2,
      klCoef: 0.001,
    }),
    environment: await environmentPolicy({
      ...writing,
      trainer: await engine.trainer('environment'),
      optimizer: { learningRate: 0.5 },
      loss: { kind: 'crossEntropy', klCoef: 0.02 },
      maxKl: 2,
    }),
    teacher: writer(writing, () => engine.teacher()),
    base: async () => base,
    validation: async () => validation,
    test: async () => test,
    envUpdate: ENV_UPDATES.rwr,
    curriculum: {
      alpha: 0.5,
      kMin: 0.1,
      beta: 4,
      lambda: 1,
      reward: 'bandMass',
      filter: 'soft',
      minKept: 0.25,
      quota: 1,
      successScope: 'task',
      shrinkage: 2,
    },
    draw: {
      variant: VARIANTS.genenv,
      variations: 4,
      seedsPerEpoch: 8,
      baseShare: 0.2,
      replayShare: 0.1,
      evolveSeeds: true,
      historyEpochs: 3,
      target: { alpha: 0.5, kMin: 0.1 },
      fixedSetSize: (n) => n,
    },
    rollouts: { count: 8, temperature: 1 },
    generation: { explorationShare: 0.3 },
    agentBatches: { size: 8, passes: 1, maxStaleness: 1, reuseShare: 0.5 },
    envBatches: { size: 8, passes: 1, probes: 3 },
    evaluation: { every: 1, tasks: 'all', count: 2, temperature: 1, test: true },
    stepSize: 8,
    stop: signal,
    signal,
  };
}

it('both players take steps on turns of BFCL, and what the simulator writes is accepted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'genenv-bfcl-run-'));
  try {
    createRun(folder, {});
    {
      using journal = openJournal(folder, { now: () => 0 });
      for await (const _ of coevolve(await gameIn(folder, journal))) {
        // Only what it leaves behind matters here.
      }
    }
    using run = openReader(folder);
    const last = Object.fromEntries(
      run.metricRows({ limit: 10_000 }).flatMap(({ key, epoch, value }) => (epoch === EPOCHS ? [[key, value]] : [])),
    );
    expect(last['agent/steps']).toBeGreaterThan(0);
    expect(last['env/steps']).toBeGreaterThan(0);
    expect(last['env/rejectedShare']).toBeLessThan(0.25);
    expect(last['rollout/invalidShare']).toBe(0);
    const written = run.tasks({ limit: 1000 }).filter(({ origin }) => origin === 'generated');
    expect(written.length).toBeGreaterThan(20);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

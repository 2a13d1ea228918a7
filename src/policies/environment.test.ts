import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toyBenchmark } from '../benchmarks/toy/index.ts';
import { TOY_SCRIPTS } from '../benchmarks/toy/scripts.ts';
import type { Loss, OptimStep, Trainer } from '../core/engine.ts';
import type { Brief, EnvironmentPlayer, UpdateOptions } from '../core/players.ts';
import { createRng } from '../core/rng.ts';
import { rwrData, type WeightedRecord } from '../core/rwr.ts';
import type { Generation, Task } from '../core/types.ts';
import { scriptedEngine } from '../engines/scripted/index.ts';
import { environmentPolicy } from './environment.ts';

const [seed] = (await toyBenchmark().base()) as [Task];
const briefs = Array.from(
  { length: 16 },
  (_, slot): Brief => ({
    slot,
    seed,
    count: 4,
    lineage: [],
    overall: undefined,
    target: { alpha: 0.5, kMin: 0.1 },
  }),
);
const during = (epoch: number): UpdateOptions => ({
  epoch,
  rng: createRng('update').fork(epoch),
  signal: new AbortController().signal,
});

interface Settings {
  maxKl?: number;
  loss?: Loss;
  optimizer?: OptimStep;
}

/** The environment of the toy world over a real trainer, with generations of its own to learn from. */
async function open({ maxKl = 100, loss = { kind: 'crossEntropy', klCoef: 0.02 }, optimizer }: Settings = {}) {
  const engine = scriptedEngine({ scripts: TOY_SCRIPTS, checkpoints: mkdtempSync(join(tmpdir(), 'genenv-env-')) });
  const trainer = await engine.trainer('environment');
  const player = await environmentPolicy({
    trainer,
    reference: await engine.reference('environment'),
    benchmark: toyBenchmark(),
    concurrency: 4,
    temperature: 1,
    maxTokens: 100,
    optimizer: optimizer ?? { learningRate: 0.5 },
    loss,
    maxKl,
  });
  const start = await player.checkpoint(0);
  const written = await player.write(briefs, { ...during(1), author: 'environment', explorationShare: 0 });
  return { trainer, player, start, written };
}

const stepsOf = (generation: Generation) => generation.task?.features.steps ?? 99;

/** Short tasks are rewarded, long ones left out: what RWR does to an environment that is too hard. */
const short = (written: Generation[]): WeightedRecord[] =>
  written.filter((g) => stepsOf(g) <= 10).map(({ turn }) => ({ turn, weight: 1 }));

const batchesOf = (...batches: WeightedRecord[][]) =>
  async function* () {
    yield* batches;
  };

const meanSteps = async (player: EnvironmentPlayer) => {
  const written = await player.write(briefs, { ...during(9), author: 'environment', explorationShare: 0 });
  const tasks = written.filter((g) => g.task);
  return tasks.reduce((sum, g) => sum + stepsOf(g), 0) / tasks.length;
};

/** Weights and optimizer state in one number. */
const stateOf = async (trainer: Trainer) => (await trainer.save('probe')).sha256;

const probes = briefs.map((brief) => [{ role: 'user' as const, content: `about 50% ${brief.slot}` }]);

describe('an update', () => {
  it('makes what was rewarded likelier, and the sampler writes accordingly', async () => {
    const { trainer, player, written } = await open();
    const records = short(written);
    expect(records.length).toBeGreaterThan(5);
    const data = rwrData(records.map(({ turn }) => ({ turn, weight: 1 })));
    const likelihood = async () => (await trainer.forward(data)).flatMap((lp) => [...lp]).reduce((a, b) => a + b, 0);
    const [before, stepsBefore] = [await likelihood(), await meanSteps(player)];
    const update = await player.update(batchesOf(records, records), probes, during(1));
    expect(await likelihood()).toBeGreaterThan(before);
    expect(await meanSteps(player)).toBeLessThan(stepsBefore);
    expect(update.notes).toEqual([]);
    expect(update.checkpoints).toMatchObject([{ player: 'environment', ref: 'environment-1' }]);
  });

  it('reports each step, and the KL of what stands', async () => {
    const { player, written } = await open();
    const { metrics } = await player.update(batchesOf(short(written), short(written)), probes, during(3));
    expect(metrics!.map((m) => `${m.epoch} ${m.key} ${m.step}`)).toEqual([
      '3 env/loss 1',
      '3 env/gradNorm 1',
      '3 env/loss 2',
      '3 env/gradNorm 2',
      '3 env/steps 0',
      '3 env/kl 0',
      '3 env/stepScale 0',
    ]);
    const value = (key: string) => metrics!.find((m) => m.key === key)!.value;
    expect(value('env/steps')).toBe(2);
    expect(value('env/stepScale')).toBe(1);
    expect(value('env/kl')).toBeGreaterThan(0);
  });

  it('learns from advantages of either sign with a ratio loss', async () => {
    const { trainer, player, written } = await open({ loss: { kind: 'clipped', clipLow: 0.2, clipHigh: 0.2 } });
    const [good, bad] = [written[0]!.turn, written[1]!.turn];
    const of = async (turn: typeof good) =>
      (await trainer.forward(rwrData([{ turn, weight: 1 }])))[0]!.reduce((a, b) => a + b);
    const before = [await of(good), await of(bad)];
    const records = [
      { turn: good, weight: 1 },
      { turn: bad, weight: -1 },
    ];
    await player.update(batchesOf(records), probes, during(1));
    expect((await of(good)) - (await of(bad))).toBeGreaterThan(before[0]! - before[1]!);
  });

  it('without records changes nothing and says why', async () => {
    const { trainer, player } = await open();
    const before = await stateOf(trainer);
    expect(await player.update(batchesOf(), probes, during(4))).toEqual({
      notes: [
        { kind: 'noSignal', epoch: 4, detail: 'no generation survived the filter, so the environment was not updated' },
      ],
    });
    expect(await stateOf(trainer)).toBe(before);
  });

  it('is the same whatever was sampled in between', async () => {
    const [calm, busy] = [await open(), await open()];
    await meanSteps(busy.player);
    for (const { player, written } of [calm, busy]) await player.update(batchesOf(short(written)), probes, during(1));
    expect(await stateOf(busy.trainer)).toBe(await stateOf(calm.trainer));
  });
});

describe('the cap on KL', () => {
  const klOf = async (maxKl: number) => {
    const { player, trainer, written } = await open({ maxKl });
    const before = await stateOf(trainer);
    const update = await player.update(batchesOf(short(written)), probes, during(1));
    const value = (key: string) => update.metrics!.find((m) => m.key === key)!.value;
    return { update, kl: value('env/kl'), scale: value('env/stepScale'), before, after: await stateOf(trainer) };
  };

  it('halves a step that goes too far, and notes it', async () => {
    const free = await klOf(Number.POSITIVE_INFINITY);
    expect(free.scale).toBe(1);
    const capped = await klOf(0.9 * free.kl);
    expect(capped.scale).toBe(0.5);
    expect(capped.kl).toBeLessThanOrEqual(0.9 * free.kl);
    expect(capped.kl).toBeGreaterThan(0);
    expect(capped.update.notes).toEqual([
      {
        kind: 'klCap',
        epoch: 1,
        detail: `KL to the initial simulator was ${free.kl.toFixed(4)}, ${capped.kl.toFixed(4)} against a cap of ${0.9 * free.kl}: kept at 0.5 of the step`,
      },
    ]);
    expect(capped.update.checkpoints).toHaveLength(1);
  });

  it('is not reached by the sum of the attempts: a half step equals a half step taken at once', async () => {
    const free = await klOf(Number.POSITIVE_INFINITY);
    const capped = await klOf(0.9 * free.kl);
    const { player, trainer, written } = await open({ optimizer: { learningRate: 0.25 } });
    await player.update(batchesOf(short(written)), probes, during(1));
    expect(await stateOf(trainer)).toBe(capped.after);
  });

  it('skips an update that stays over it at a quarter, and every bit is as it was', async () => {
    const skipped = await klOf(1e-12);
    expect(skipped.scale).toBe(0);
    expect(skipped.after).toBe(skipped.before);
    expect(skipped.update.checkpoints).toEqual([]);
    expect(skipped.update.notes).toMatchObject([
      { kind: 'klCap', detail: expect.stringMatching(/was [\d.]+, [\d.]+, [\d.]+ against a cap of 1e-12: skipped$/) },
    ]);
    // Only what was applied is a step: no loss of a step that was taken back.
    expect(skipped.update.metrics!.map((m) => m.key)).toEqual(['env/kl', 'env/stepScale']);
    expect(skipped.kl).toBe(0);
  });

  it('goes back to the last committed weights, not to the first', async () => {
    const { player, trainer, written } = await open();
    await player.update(batchesOf(short(written)), probes, during(1));
    const committed = await player.checkpoint(1);
    const tight = await environmentPolicy({
      trainer,
      reference: {
        version: 'v',
        sample: () => Promise.reject(new Error('not asked')),
        logprobs: async (data) => data.map((d) => new Float32Array(d.tokens.length).fill(-50)),
      },
      benchmark: toyBenchmark(),
      concurrency: 1,
      temperature: 1,
      maxTokens: 100,
      optimizer: { learningRate: 0.5 },
      loss: { kind: 'crossEntropy' },
      maxKl: 1,
    });
    await tight.restore(committed);
    const before = await stateOf(trainer);
    const { notes } = await tight.update(batchesOf(short(written)), probes, during(2));
    expect(notes).toMatchObject([{ kind: 'klCap' }]);
    expect(await stateOf(trainer)).toBe(before);
    expect((await trainer.save('probe')).sha256).toBe(committed.sha256);
  });

  it('needs a checkpoint to go back to', async () => {
    const engine = scriptedEngine({ scripts: TOY_SCRIPTS, checkpoints: mkdtempSync(join(tmpdir(), 'genenv-env-')) });
    const player = await environmentPolicy({
      trainer: await engine.trainer('environment'),
      reference: await engine.reference('environment'),
      benchmark: toyBenchmark(),
      concurrency: 1,
      temperature: 1,
      maxTokens: 100,
      optimizer: { learningRate: 0.5 },
      loss: { kind: 'crossEntropy' },
      maxKl: 1e-12,
    });
    const written = await player.write(briefs, { ...during(1), author: 'environment', explorationShare: 0 });
    await expect(player.update(batchesOf(short(written)), probes, during(1))).rejects.toThrow('call checkpoint before');
  });
});

describe('a checkpoint', () => {
  it('brings back the weights, and what is sampled from them', async () => {
    const { player, trainer, start, written } = await open();
    await player.update(batchesOf(short(written)), probes, during(1));
    const [moved] = await player.write([briefs[0]!], { ...during(1), author: 'environment', explorationShare: 0 });
    await player.restore(start);
    expect(await stateOf(trainer)).toBe(start.sha256);
    const again = await player.write(briefs, { ...during(1), author: 'environment', explorationShare: 0 });
    expect(again).toEqual(written);
    expect(moved!.turn.logprobs).not.toEqual(written[0]!.turn.logprobs);
  });

  it('that was discarded cannot be restored', async () => {
    const { player, start } = await open();
    await player.discard(start);
    await expect(player.restore(start)).rejects.toThrow();
  });
});

it('encodes a context as the ids that a sampler would see', async () => {
  const { player, written } = await open();
  expect(await player.encode(written[0]!.context)).toEqual(written[0]!.turn.prompt);
});

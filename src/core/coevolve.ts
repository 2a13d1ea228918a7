/**
 * Algorithm 1, the GenEnv co-evolutionary loop. An agent learns to solve tasks; an environment learns to write tasks that
 * the agent solves about half the time. Everything else in this repository is a part this file is put together from.
 */
import type { CurriculumSettings } from './curriculum.ts';
import {
  type AttemptDraw,
  briefOf,
  type DrawSettings,
  drawAttempts,
  drawFixedSet,
  drawSeeds,
  type SeedDraw,
} from './draw.ts';
import { rejectDuplicates } from './duplicates.ts';
import type { EnvUpdate } from './env-update.ts';
import type { RunEvent } from './events.ts';
import { isHeldOut } from './held-out.ts';
import type { Journal, Writes } from './journal.ts';
import type { AgentPlayer, EnvironmentPlayer } from './players.ts';
import { agentPoolEntry } from './pools.ts';
import { crowding } from './quota.ts';
import {
  agentMetrics,
  curriculumMetrics,
  generationMetrics,
  heldOutMetrics,
  ledgerMetrics,
  type Metrics,
} from './report.ts';
import type { Rng } from './rng.ts';
import { once, phase, type StepContext, Stopped } from './steps.ts';
import { creditEvidence, type SuccessScope } from './success-rate.ts';
import { groupBatches, recordBatches } from './training-set.ts';
import type { Generation, Task } from './types.ts';

export interface Game {
  run: string;
  /** Like `curriculum` and `draw` read anew by every epoch: a person may change them while the run goes on. */
  epochs: number;
  rng: Rng;
  journal: Journal;
  agent: AgentPlayer;
  environment: EnvironmentPlayer;
  /** Writes the fixed set of the teacher-offline variant. */
  teacher: Pick<EnvironmentPlayer, 'write'>;
  /** D_base and the held-out tasks; read once, at the start of a new run. */
  base: () => Promise<Task[]>;
  validation: () => Promise<Task[]>;
  test: () => Promise<Task[]>;
  envUpdate: EnvUpdate;
  curriculum: CurriculumSettings & { successScope: SuccessScope; shrinkage: number };
  draw: DrawSettings;
  rollouts: { count: number; temperature: number };
  generation: { explorationShare: number };
  agentBatches: { size: number; passes: number; maxStaleness: number; reuseShare: number };
  envBatches: { size: number; passes: number; probes: number };
  evaluation: { every: number; tasks: number | 'all'; count: number; temperature: number; test: boolean };
  /** Tasks or seeds per committed step: what a kill can cost at most. */
  stepSize: number;
  /** Polite stop: finish the step, commit, end. */
  stop: AbortSignal;
  /** Abandon the step at once; nothing committed is lost. */
  signal: AbortSignal;
}

export async function* coevolve(game: Game): AsyncGenerator<RunEvent> {
  const { journal, run } = game;
  const resumed = journal.cursor();
  yield { type: 'start', run, resumed: resumed !== undefined, epoch: resumed?.epoch ?? 0, epochs: game.epochs };
  try {
    yield* prepare(game);
    for (let epoch = Math.max(1, resumed?.epoch ?? 0); epoch <= game.epochs; epoch++) yield* algorithm1(game, epoch);
    yield { type: 'end', run, status: 'finished', epoch: game.epochs };
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    yield { type: 'end', run, status: 'stopped', epoch: error.at.epoch };
  }
}

/** One epoch t of Algorithm 1. */
async function* algorithm1(game: Game, epoch: number): AsyncGenerator<RunEvent> {
  const { journal, agent, environment, signal } = game;
  const rng = game.rng.fork('epoch', epoch);
  const steps = stepContext(game);

  // ▷ Phase 1: online generation and interaction.
  // The environment writes a task batch T_t ~ π_env(·), each seed varied n times.
  const seeds = () => drawSeeds(journal, game.draw, epoch, rng.fork('seeds'));
  const written = writtenIn(journal, epoch);
  yield* phase(steps, epoch, 'generate', seeds, game.stepSize, (draws) => write(game, draws, epoch, rng, written()));

  // The agent rolls out on T_t, G times per task: traces E_t with their rewards R_agent (Eq. 1).
  const attempts = () => drawAttempts(journal, game.draw, epoch, rng.fork('attempts'));
  yield* phase(steps, epoch, 'rollout', attempts, game.stepSize, (draws) =>
    rollout(game, draws, { epoch, ...game.rollouts, rng: rng.fork('rollout'), signal }),
  );

  // Success p̂ (Eq. 2), environment reward R_env(p̂) (Eq. 3), the filter |p̂ − α| ≤ k_min, and a weight for every generation.
  yield* once(steps, epoch, 'score', () => score(game, epoch));

  // ▷ Phase 2: dual update, two players and two objectives.
  // The agent by GRPO, to maximise E[R_agent].
  yield* once(steps, epoch, 'updateAgent', () =>
    agent.update(groupBatches(journal, epoch, game.agentBatches, rng.fork('agent')), {
      epoch,
      rng: rng.fork('updateAgent'),
      signal,
    }),
  );

  // The environment on its weighted generations D̃_env, to maximise E[R_env], within its KL cap.
  yield* once(steps, epoch, 'updateEnv', () => {
    if (!game.draw.variant.adapts) return {};
    const { batches, probes } = recordBatches(game, epoch, seeds, rng.fork('environment'));
    return environment.update(batches, probes, { epoch, rng: rng.fork('updateEnv'), signal });
  });

  // How the new agent does on held-out tasks; nobody learns from this.
  yield* evaluate(game, epoch);

  // ▷ Phase 3: aggregation, how new data enters training.
  yield* once(steps, epoch, 'aggregate', () => aggregate(game, epoch));
  yield { type: 'epoch', epoch, metrics: journal.metrics(epoch), ledger: journal.ledger() };
}

/** Before the first epoch: base data into the journal, both players saved, a fixed set where the variant has one. */
async function* prepare(game: Game): AsyncGenerator<RunEvent> {
  const { journal, agent, environment } = game;
  const steps = stepContext(game);
  yield* once(steps, 0, 'prepare', async () => ({
    tasks: [...(await game.base()), ...(await game.validation()), ...(await game.test())],
    checkpoints: [await agent.checkpoint(0), await environment.checkpoint(0)],
  }));
  await agent.restore(journal.checkpoint('agent')!);
  await environment.restore(journal.checkpoint('environment')!);

  const fixed = () => drawFixedSet(journal, game.draw);
  const written = writtenIn(journal, 0);
  yield* phase(steps, 0, 'generate', fixed, game.stepSize, (draws) =>
    write(game, draws, 0, game.rng.fork('fixed'), written()),
  );
  yield* evaluate(game, 0);
  yield* once(steps, 0, 'aggregate', () => aggregate(game, 0));
  if (journal.cursor()!.epoch === 0)
    yield { type: 'epoch', epoch: 0, metrics: journal.metrics(0), ledger: journal.ledger() };
}

/** T_t: what the author wrote for these seeds. */
async function write(game: Game, draws: SeedDraw[], epoch: number, rng: Rng, before: Set<string>): Promise<Writes> {
  const { journal, draw, generation, signal } = game;
  const briefs = draws.map((seed) => briefOf(journal, draw, seed, epoch));
  const author: Generation['author'] = draw.variant.author;
  const writer = author === 'teacher' ? game.teacher : game.environment;
  // The floor keeps a simulator that is trained from narrowing down; a teacher's set is the teacher's.
  const explorationShare = author === 'teacher' ? 0 : generation.explorationShare;
  const written = await writer.write(briefs, { epoch, author, rng: rng.fork('write'), signal, explorationShare });
  const heldOut = (id: string) => isHeldOut(journal.task(id)?.origin ?? 'generated');
  return { generations: rejectDuplicates(written, before, heldOut) };
}

/** The ids an epoch has written so far, read once: what counts as a repeat must not depend on how steps are cut. */
function writtenIn(journal: Journal, epoch: number): () => Set<string> {
  let ids: Set<string> | undefined;
  return () => {
    ids ??= new Set(Array.from(journal.written(epoch), (head) => head.id));
    return ids;
  };
}

/** E_t: the rollouts of these tasks. */
async function rollout(
  game: Game,
  draws: AttemptDraw[],
  options: Parameters<AgentPlayer['rollout']>[1],
): Promise<Writes> {
  const attempts = draws.map(({ taskId, role }) => ({ task: game.journal.task(taskId)!, role }));
  return { groups: await game.agent.rollout(attempts, options) };
}

/** What the agent made of each task, what that is worth to its author, and how much the author is to learn from it. */
function score({ journal, envUpdate, curriculum }: Game, epoch: number): Writes {
  const outcomes = [...journal.outcomes(epoch, 'fresh')];
  const evidence = creditEvidence(outcomes, curriculum.successScope, curriculum.shrinkage);
  const crowded = crowding(outcomes, curriculum.quota);
  const judged = [...journal.generationHeads(epoch)].map((head) => ({
    head,
    evidence: head.taskId === null ? undefined : evidence.get(head.taskId),
    crowding: (head.taskId !== null && crowded.get(head.taskId)) || 1,
  }));
  return { scores: envUpdate.score(judged, curriculum) };
}

/** D_train ← D_train ∪ Valid(E_t), D_env ← D_env ∪ D̃_env, and what the epoch amounts to. */
function aggregate({ journal, curriculum }: Game, epoch: number): Writes {
  const outcomes = [...journal.outcomes(epoch)];
  const scores = [...journal.scores(epoch)];
  const generated = outcomes.filter(({ role }) => role === 'fresh' || role === 'fixed');
  const metrics = {
    ...curriculumMetrics(generated, curriculum),
    ...generationMetrics([...journal.generationHeads(epoch)], scores, generated),
    ...agentMetrics(outcomes),
    ...heldOutMetrics('val', [...journal.outcomes(epoch, 'validation')]),
    ...heldOutMetrics('test', [...journal.outcomes(epoch, 'test')]),
    ...ledgerMetrics(journal.ledger()),
  };
  return {
    pool: [
      ...outcomes.flatMap((outcome) => agentPoolEntry(outcome, epoch) ?? []),
      ...scores.flatMap(({ kept, generationId: memberId, weight }) =>
        kept ? [{ pool: 'environment' as const, memberId, epoch, weight }] : [],
      ),
    ],
    quarantine: generated.flatMap(({ attempts, taskId }) =>
      attempts === 0 ? [{ taskId, epoch, reason: 'no rollout of it could be evaluated' }] : [],
    ),
    metrics: asPoints(metrics, epoch),
  };
}

/** Held-out tasks, every few epochs and after the last. */
async function* evaluate(game: Game, epoch: number): AsyncGenerator<RunEvent> {
  const { journal, evaluation, signal, rng } = game;
  const isLast = epoch === game.epochs;
  const held = (role: 'validation' | 'test', limit?: number) =>
    [...journal.heads([role], 1)].slice(0, limit).map(({ id: taskId }) => ({ taskId, role }));
  const draws = () => [
    ...(isLast || epoch % evaluation.every === 0 ? held('validation', asLimit(evaluation.tasks)) : []),
    // Once, when there is nothing left to choose by it.
    ...(isLast && evaluation.test ? held('test') : []),
  ];
  const options = { ...evaluation, epoch, rng: rng.fork('evaluate', epoch), signal };
  yield* phase(stepContext(game), epoch, 'evaluate', draws, game.stepSize, (draw) => rollout(game, draw, options));
}

const stepContext = ({ journal, stop, agent, environment }: Game): StepContext => ({
  journal,
  stop,
  discard: (checkpoint) => (checkpoint.player === 'agent' ? agent : environment).discard(checkpoint),
});

const asLimit = (count: number | 'all') => (count === 'all' ? undefined : count);

const asPoints = (metrics: Metrics, epoch: number) =>
  Object.entries(metrics).map(([key, value]) => ({ key, epoch, step: 0, value }));

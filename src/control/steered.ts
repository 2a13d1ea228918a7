/**
 * The game and the engine as they are played by settings that may change: the loop asks for them anew, and knows nothing of
 * who changes them.
 */
import type { Game } from '../core/coevolve.ts';
import type { Trainer, TrainingEngine } from '../core/engine.ts';
import { isHeldOut } from '../core/held-out.ts';
import type { Journal, TaskHead } from '../core/journal.ts';
import type { EnvironmentPlayer } from '../core/players.ts';
import { replacing } from '../core/replacing.ts';
import type { Generation, Player } from '../core/types.ts';
import type { Tuning } from './tuning.ts';

export function steeredGame(game: Game, tuning: Readonly<Tuning>): Game {
  return {
    ...game,
    journal: withoutBanned(game.journal, tuning),
    environment: { ...game.environment, ...rejectingBanned(game.environment, tuning) },
    teacher: rejectingBanned(game.teacher, tuning),
    get epochs() {
      return tuning.epochs;
    },
    get curriculum() {
      return { ...game.curriculum, alpha: tuning.alpha };
    },
    get draw() {
      return { ...game.draw, target: { ...game.draw.target, alpha: tuning.alpha } };
    },
  };
}

/** Base tasks and a fixed set are drawn from here; members of a pool are kept out by their quarantine. */
function withoutBanned(journal: Journal, tuning: Readonly<Tuning>): Journal {
  const isAllowed = ({ origin, structure }: TaskHead) => isHeldOut(origin) || !tuning.banned.has(structure);
  function* allowed(heads: Iterable<TaskHead>): Iterable<TaskHead> {
    for (const head of heads) if (isAllowed(head)) yield head;
  }
  return {
    ...journal,
    heads: (origins, before) => allowed(journal.heads(origins, before)),
    written: (epoch) => allowed(journal.written(epoch)),
  };
}

function rejectingBanned(
  author: Pick<EnvironmentPlayer, 'write'>,
  tuning: Readonly<Tuning>,
): Pick<EnvironmentPlayer, 'write'> {
  const judged = (generation: Generation): Generation => {
    const structure = generation.task?.structure;
    if (structure === undefined || !tuning.banned.has(structure)) return generation;
    const detail = `tasks of the structure ${JSON.stringify(structure)} are banned`;
    return { ...generation, task: null, verdict: { kind: 'rejected', reason: 'banned', detail } };
  };
  return { write: async (briefs, options) => (await author.write(briefs, options)).map(judged) };
}

/** Policies go by the configured learning rates; whatever they ask for is scaled by how far the rate was changed. */
export function steeredEngine<E extends TrainingEngine>(
  engine: E,
  configured: Record<Player, number>,
  tuning: Readonly<Tuning>,
): E {
  const trainer: TrainingEngine['trainer'] = async (player) => {
    const plain = await engine.trainer(player);
    const optimStep: Trainer['optimStep'] = (step) => {
      const scale = tuning.learningRate[player] / configured[player];
      return plain.optimStep({ ...step, learningRate: step.learningRate * scale });
    };
    return replacing(plain, { optimStep });
  };
  return replacing<TrainingEngine>(engine, { trainer }) as E;
}

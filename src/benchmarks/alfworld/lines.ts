/** Saved lines that bring their own world: reading what an exam needs from them. */
import { LineError } from '../../core/exam.ts';
import type { Json, JsonObject } from '../../core/types.ts';
import type { Dialect } from './action.ts';
import { type World, worldOf } from './world.ts';

export function idOf({ id }: JsonObject): string {
  if (typeof id !== 'string' || id === '') throw new LineError('the line has no id');
  return id;
}

/** The world that a line brings along; undefined when it only names a game. */
export function inlineWorld({ world: given }: JsonObject): World | undefined {
  if (given === undefined || typeof given === 'string') return undefined;
  const world = worldOf(given);
  if ('problem' in world) throw new LineError(`world: ${world.problem}`);
  return world;
}

/** The game that a line names. */
export function gameName({ game, world }: JsonObject): string | undefined {
  const name = game ?? world;
  if (name !== undefined && typeof name !== 'string') throw new LineError('game: expected the id of a game');
  return name;
}

export function inlineCommands({ commands }: JsonObject): string[] | undefined {
  if (commands === undefined) return undefined;
  if (!isTexts(commands)) throw new LineError('commands: expected a list of texts');
  return commands;
}

export function dialectOf({ dialect }: JsonObject, otherwise: Dialect): Dialect {
  if (dialect === undefined) return otherwise;
  if (dialect !== 'old' && dialect !== 'new') throw new LineError('dialect: expected old or new');
  return dialect;
}

export const isTexts = (value: Json | undefined): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

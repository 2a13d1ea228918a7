/** The files of this benchmark: one world a line, with its walkthrough. Episodes are replayed from them, not read. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError, readJsonLines } from '../data.ts';
import { type World, type WorldRecord, worldOf } from './world.ts';

export type Split = 'train' | 'valid_seen' | 'valid_unseen';

export const EXAM_SPLITS: readonly Split[] = ['valid_seen', 'valid_unseen'];

/** A game of the data set: its world, and the planner's walkthrough. */
export interface Game {
  id: string;
  split: Split;
  taskType: string;
  world: World;
  walkthrough: readonly string[];
}

/** The games of a split in the order of the file, which is that of their ids. */
export async function readGames(folder: string, split: Split): Promise<Game[]> {
  const file = await worldsFile(folder, split);
  const records = await readJsonLines<WorldRecord>(folder, file, 'alfworld');
  return records.map((record, index) => {
    const world = worldOf(record);
    const { walkthrough } = record;
    const problem =
      'problem' in world ? world.problem : Array.isArray(walkthrough) ? undefined : 'walkthrough: expected a list';
    if (problem !== undefined) throw new DataError(`${join(folder, file)}:${index + 1}: ${problem}`);
    return { id: record.id, split, taskType: record.task_type ?? '', world: world as World, walkthrough: walkthrough! };
  });
}

/** All games by id, for lines that name one. */
export async function gamesById(folder: string): Promise<Map<string, Game>> {
  const splits = await Promise.all([...EXAM_SPLITS, 'train' as const].map((split) => readGames(folder, split)));
  return new Map(splits.flat().map((game) => [game.id, game]));
}

/** The training games may be there in full, or as a sample of them. */
async function worldsFile(folder: string, split: Split): Promise<string> {
  const sample = 'train_sample.worlds.jsonl';
  if (split === 'train' && !(await exists(folder, 'train.worlds.jsonl')) && (await exists(folder, sample)))
    return sample;
  return `${split}.worlds.jsonl`;
}

const exists = (folder: string, file: string): Promise<boolean> =>
  access(join(folder, file)).then(
    () => true,
    () => false,
  );

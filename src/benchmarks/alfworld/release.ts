/**
 * The official release: an archive of game files, `json_2.1.1/<split>/<task>/<trial>/game.tw-pddl`, and what this benchmark
 * makes of it, the worlds and episodes of each split.
 */
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Json, JsonObject } from '../../core/types.ts';
import { DataError } from '../data.ts';
import { readZip } from '../zip.ts';
import { normalise } from './answer.ts';
import { EXAM_SPLITS, type Split } from './data.ts';
import { episodeOf, trainingEpisodeOf } from './episodes.ts';
import { readProblem } from './pddl.ts';
import { RELEASE_ARCHIVE } from './sources.ts';
import { soundWorld, type WorldRecord } from './world.ts';

const SPLITS: readonly Split[] = [...EXAM_SPLITS, 'train'];
const GAME_FILE = 'game.tw-pddl';

/** A game file with where it was: split, task and trial. */
export interface GameFile {
  path: string;
  text: string;
}

/**
 * Writes `<split>.worlds.jsonl` and `<split>.episodes.jsonl` for each split, from the archive or from what was unpacked of it.
 * Returns how many games each split has.
 */
export async function prepare(folder: string): Promise<Record<Split, number>> {
  const records: Record<Split, WorldRecord[]> = { valid_seen: [], valid_unseen: [], train: [] };
  for await (const file of gameFiles(folder)) {
    const record = readGame(file);
    if (record) records[record.split as Split].push(record);
  }
  const counts = { valid_seen: 0, valid_unseen: 0, train: 0 };
  // All or nothing: what is half written must not look like data.
  const made = await mkdtemp(join(folder, '.prepare-'));
  try {
    for (const split of SPLITS) {
      const sorted = records[split].sort((a, b) => (a.id < b.id ? -1 : 1));
      counts[split] = sorted.length;
      if (sorted.length === 0) throw new DataError(`${folder} has no games of the split ${split}.`);
      const episode = split === 'train' ? trainingEpisodeOf : episodeOf;
      await writeFile(join(made, `${split}.worlds.jsonl`), lines(sorted));
      await writeFile(join(made, `${split}.episodes.jsonl`), lines(sorted.map(episode)));
    }
    for (const file of await readdir(made)) await rename(join(made, file), join(folder, file));
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  return counts;
}

const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** The game files of a folder: unpacked ones if there are any, otherwise those in the archive. */
async function* gameFiles(folder: string): AsyncGenerator<GameFile> {
  const unpacked = join(folder, 'json_2.1.1');
  const paths = await readdir(unpacked, { recursive: true }).catch(() => []);
  let found = false;
  for (const path of paths.sort()) {
    if (!path.endsWith(`${sep}${GAME_FILE}`)) continue;
    found = true;
    yield { path: path.split(sep).join('/'), text: await readFile(join(unpacked, path), 'utf8') };
  }
  if (found) return;
  for await (const { name, read } of readZip(join(folder, RELEASE_ARCHIVE.path))) {
    if (name.endsWith(`/${GAME_FILE}`)) yield { path: name, text: (await read()).toString('utf8') };
  }
}

/** The record of a game; undefined for what the official environment leaves out. */
export function readGame({ path, text }: GameFile): WorldRecord | undefined {
  const [split, task, trial] = path.split('/').slice(-4, -1) as [string, string, string];
  if (path.includes('movable') || path.includes('Sliced') || !SPLITS.some((known) => known === split)) return undefined;
  const game = parse(text, path);
  if (game.solvable !== true) return undefined;
  const { pddl_problem: problem, grammar, walkthrough } = game;
  if (typeof problem !== 'string' || typeof grammar !== 'string' || !Array.isArray(walkthrough)) {
    throw new DataError(`${path}: expected pddl_problem, grammar and walkthrough.`);
  }
  const record: WorldRecord = {
    id: `${task}/${trial}`,
    split,
    task_type: task.slice(0, task.indexOf('-')),
    task: taskIn(grammar, path),
    ...readProblem(problem),
    // Older files put where newer ones move.
    walkthrough: walkthrough.map((command) => normalise(String(command))),
  };
  soundWorld(record);
  return record;
}

const TASK = 'Your task is to: ';

/** The sentence that was written into the grammar. */
function taskIn(grammar: string, path: string): string {
  const start = grammar.indexOf(TASK);
  const end = grammar.indexOf('"', start);
  if (start < 0 || end < 0) throw new DataError(`${path}: the grammar does not say what the task is.`);
  return grammar.slice(start, end);
}

function parse(text: string, path: string): JsonObject {
  try {
    const value = JSON.parse(text) as Json;
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value;
  } catch {
    // Said below.
  }
  throw new DataError(`${path} is not a JSON object.`);
}

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { zipOf } from '../fixtures.ts';
import { type Game, readGames } from './data.ts';
import { PROBLEM } from './fixtures.ts';
import { prepare, readGame } from './release.ts';
import { RELEASE_ARCHIVE } from './sources.ts';

const WALKTHROUGH = [
  'go to shelf 1',
  'take mug 1 from shelf 1',
  'go to sinkbasin 1',
  'clean mug 1 with sinkbasin 1',
  'go to shelf 1',
  'put mug 1 in/on shelf 1',
];
const GAME = {
  pddl_domain: '(define (domain alfred))',
  grammar: 'grammar :: """ {"task": [{"rhs": "Your task is to: put a clean mug in shelf."}]} """;',
  pddl_problem: PROBLEM,
  solvable: true,
  walkthrough: WALKTHROUGH,
};
const TASK = 'pick_clean_then_place_in_recep-Mug-None-Shelf-9';
const pathOf = (split: string, task = TASK) => `json_2.1.1/${split}/${task}/trial_1/game.tw-pddl`;
const file = (change: object = {}, path = pathOf('train')) => ({ path, text: JSON.stringify({ ...GAME, ...change }) });

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'genenv-alfworld-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a game file of the release', () => {
  it('becomes a record with its id, split, kind, sentence and a walkthrough of today', () => {
    expect(readGame(file())).toMatchObject({
      id: `${TASK}/trial_1`,
      split: 'train',
      task_type: 'pick_clean_then_place_in_recep',
      task: 'Your task is to: put a clean mug in shelf.',
      walkthrough: [...WALKTHROUGH.slice(0, -1), 'move mug 1 to shelf 1'],
    });
  });

  it.each<[string, object, string]>([
    ['not solvable', { solvable: false }, pathOf('train')],
    ['not known to be solvable', { solvable: undefined }, pathOf('train')],
    ['with sliced objects', {}, pathOf('train', 'pick_clean_then_place_in_recep-AppleSliced-None-Shelf-9')],
    ['with movable receptacles', {}, pathOf('train', 'pick_and_place_with_movable_recep-Pen-Mug-Shelf-9')],
    ['of another split', {}, pathOf('valid_train')],
  ])('is left out where it is %s, as the official environment does', (_, change, path) => {
    expect(readGame(file(change, path))).toBeUndefined();
  });

  it('is named where it is broken', () => {
    expect(() => readGame({ path: pathOf('train'), text: '{' })).toThrow(/game.tw-pddl is not a JSON object/);
    expect(() => readGame(file({ walkthrough: null }))).toThrow(/expected pddl_problem, grammar and walkthrough/);
    expect(() => readGame(file({ grammar: '' }))).toThrow(/does not say what the task is/);
  });
});

describe('preparing a release', () => {
  it('writes the worlds and episodes of every split, sorted, from unpacked games', async () => {
    for (const split of ['train', 'valid_seen', 'valid_unseen']) {
      for (const trial of ['trial_2', 'trial_1']) {
        const path = join(folder, pathOf(split).replace('trial_1', trial));
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, JSON.stringify(GAME));
      }
    }
    expect(await prepare(folder)).toEqual({ train: 2, valid_seen: 2, valid_unseen: 2 });
    expect((await readGames(folder, 'train')).map(({ id }) => id)).toEqual([`${TASK}/trial_1`, `${TASK}/trial_2`]);
    const [episode] = (await readFile(join(folder, 'valid_seen.episodes.jsonl'), 'utf8')).split('\n');
    expect(JSON.parse(episode!)).toMatchObject({ split: 'valid_seen', won: true, steps: { length: 6 } });
    const [training] = (await readFile(join(folder, 'train.episodes.jsonl'), 'utf8')).split('\n');
    expect(JSON.parse(training!).steps.at(-1)).toEqual(['move mug 1 to shelf 1', 'You move the mug 1 to the shelf 1.']);
  });

  it('makes the same of the archive', async () => {
    const members = ['train', 'valid_seen', 'valid_unseen'].flatMap((split) => [
      { name: pathOf(split), text: JSON.stringify(GAME) },
      { name: pathOf(split).replace('trial_1', 'trial_2'), text: JSON.stringify({ ...GAME, solvable: false }) },
      { name: `json_2.1.1/${split}/readme.txt`, text: 'not a game' },
    ]);
    await writeFile(join(folder, RELEASE_ARCHIVE.path), zipOf(members));
    expect(await prepare(folder)).toEqual({ train: 1, valid_seen: 1, valid_unseen: 1 });
    const [{ world }] = (await readGames(folder, 'valid_unseen')) as [Game];
    expect(world.record).toEqual(readGame(file({}, pathOf('valid_unseen'))));
  });

  it('leaves nothing behind where a split is missing', async () => {
    const path = join(folder, pathOf('train'));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, JSON.stringify(GAME));
    await expect(prepare(folder)).rejects.toThrow('has no games of the split valid_seen');
    expect(await readdir(folder)).toEqual(['json_2.1.1']);
  });
});

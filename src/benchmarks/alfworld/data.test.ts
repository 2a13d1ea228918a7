import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../core/content-id.ts';
import type { Json, JsonObject } from '../../core/types.ts';
import { readJsonLines } from '../data.ts';
import { EXAM_SPLITS, readGames } from './data.ts';
import { episodeOf, trainingEpisodeOf } from './episodes.ts';
import { alfworldExams } from './exams.ts';
import { admissible, step } from './play.ts';
import { readGame } from './release.ts';
import { buildScene, sceneOf } from './scene.ts';
import { initialState } from './state.ts';
import { stepsOf } from './steps.ts';
import { judgeVector } from './vectors.ts';
import type { WorldRecord } from './world.ts';

const root = process.env.GENENV_DATA ?? '';
const data = join(root, 'alfworld');

describe.skipIf(root === '')('on the data of the benchmark (GENENV_DATA)', () => {
  it('every vector agrees', async () => {
    const { vectors } = JSON.parse(await readFile(join(data, 'vectors.json'), 'utf8')) as { vectors: JsonObject[] };
    for (const vector of vectors) {
      const judged = await judgeVector(vector, { data });
      expect(judged).not.toBe('skipped');
      if (judged !== 'skipped') expect(judged.got, String(vector.id)).toEqual(judged.expected);
    }
  });

  it('every recorded transcript agrees, line by line', async () => {
    const lines = await readJsonLines<JsonObject>(data, 'conformance_transcripts.jsonl', 'alfworld');
    for (const line of lines) {
      const judged = await judgeVector(line, { data });
      if (judged !== 'skipped') expect(judged.got, String(line.id)).toEqual(judged.expected);
    }
    expect(lines).toHaveLength(164);
  });

  it('every game file converts to the record of its world', async () => {
    const games = await readJsonLines<JsonObject>(data, 'valid_seen.games.jsonl', 'alfworld');
    const records = new Map(
      (await readJsonLines<WorldRecord>(data, 'valid_seen.worlds.jsonl', 'alfworld')).map((record) => [
        record.id,
        record,
      ]),
    );
    for (const { id, task, ...game } of games as { id: string; task: string }[]) {
      const text = JSON.stringify({ ...game, grammar: `{"task": [{"rhs": "${task}"}]}` });
      const record = readGame({ path: `json_2.1.1/valid_seen/${id}/game.tw-pddl`, text });
      expect(canonicalJson(record), id).toBe(canonicalJson(records.get(id)));
    }
    expect(games).toHaveLength(140);
  });

  it('the walkthroughs replay to the stored episodes: texts, admissible commands, and a win at the last step', async () => {
    let won = 0;
    for (const split of EXAM_SPLITS) {
      const episodes = await readJsonLines<JsonObject>(data, `${split}.episodes.jsonl`, 'alfworld');
      const games = await readGames(data, split);
      expect(games.map(({ id }) => id)).toEqual(episodes.map(({ id }) => id));
      for (const [index, { world, walkthrough, id }] of games.entries()) {
        expect(canonicalJson(episodeOf(world.record)), id).toBe(canonicalJson(episodes[index]));
        const state = initialState(world);
        for (const [at, command] of walkthrough.entries()) {
          step(world, state, command);
          if (state.won === (at === walkthrough.length - 1)) won += at === walkthrough.length - 1 ? 1 : 0;
        }
      }
    }
    expect(won).toBe(274);
  });

  it('the training walkthroughs replay to the stored episodes', async () => {
    const episodes = new Map(
      (await readJsonLines<JsonObject>(data, 'train.episodes.jsonl', 'alfworld')).map((episode) => [
        episode.id,
        episode,
      ]),
    );
    for (const { id, world } of await readGames(data, 'train')) {
      expect(canonicalJson(trainingEpisodeOf(world.record)), id).toBe(canonicalJson(episodes.get(id)));
    }
  });

  it('commands come in order, each once, and every listed one does something', async () => {
    for (const { world } of (await readGames(data, 'valid_unseen')).slice(0, 60)) {
      const state = initialState(world);
      for (let i = 0; i < 40; i++) {
        const commands = admissible(world, state);
        expect(commands).toEqual([...new Set(commands)].sort());
        expect(step(world, state, commands[(i * 31) % commands.length]!)).not.toBe('Nothing happens.');
      }
    }
  });

  it('every game can be shown as a scene, and the scene is accepted and solvable', async () => {
    for (const split of [...EXAM_SPLITS, 'train' as const]) {
      for (const { id, world } of await readGames(data, split)) {
        const built = buildScene(sceneOf(world.record) as unknown as Json, world.record);
        expect('problem' in built ? built.problem : undefined, id).toBeUndefined();
      }
    }
  });

  it('1,104 of 1,600 steps are determined; 314 look for the unseen, 110 and 72 choose between likes', async () => {
    const counts: Record<string, number> = {};
    for (const split of EXAM_SPLITS) {
      for (const { choice } of (await readGames(data, split)).flatMap(stepsOf))
        counts[choice] = (counts[choice] ?? 0) + 1;
    }
    expect(counts).toEqual({ determined: 1104, unseen: 314, receptacle: 110, object: 72 });
  });

  it('the ground truth is all right: 1,600 steps, each progress, and 274 games', async () => {
    const { step: steps, simulate } = alfworldExams({ data });
    for (const [exam, n] of [
      [steps!, 1600],
      [simulate!, 274],
    ] as const) {
      const verdicts = await Promise.all((await exam.gold()).map((line) => exam.judge(line)));
      expect(verdicts).toHaveLength(n);
      for (const metric of exam.summarise(verdicts)) expect(metric, metric.name).toMatchObject({ score: 1 });
      expect(exam.summarise(verdicts)[0]!.n).toBe(n);
      expect(await exam.ids()).toHaveLength(n);
    }
  });
});

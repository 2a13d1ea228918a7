/** Third-party vectors and recorded transcripts, judged by this benchmark's own simulator and scorer. */
import { canonicalJson } from '../../core/content-id.ts';
import type { Json, JsonObject } from '../../core/types.ts';
import { gamesById } from './data.ts';
import { dialectOf, gameName, inlineCommands, inlineWorld, isTexts } from './lines.ts';
import { admissible, step } from './play.ts';
import { scoreStep } from './score.ts';
import { initialState } from './state.ts';
import { introduction, look } from './text.ts';
import type { World } from './world.ts';

export interface VectorOptions {
  data: string;
}

/** What a vector expects and what it got, in exactly the fields that the vector speaks of. */
export async function judgeVector(
  vector: JsonObject,
  { data }: VectorOptions,
): Promise<{ expected: Json; got: Json } | 'skipped'> {
  if (Array.isArray(vector.turns))
    return judgeTranscript(vector, vector.turns, await worldFor(vector, data, vector.id));
  if (vector.kind === 'single_step') return judgeStep(vector);
  if (vector.kind === 'simulate') return judgeSimulation(vector, await worldFor(vector, data));
  return 'skipped';
}

function judgeStep({ model_output: output, target, expected }: JsonObject): { expected: Json; got: Json } {
  const { action, correct } = scoreStep(text(output), text(target));
  return compared(expected ?? null, { action, correct });
}

function judgeSimulation(vector: JsonObject, world: World): { expected: Json; got: Json } {
  const dialect = dialectOf(vector, 'new');
  const state = initialState(world);
  const intro = introduction(world, state);
  const observations = (inlineCommands(vector) ?? []).map((command) => step(world, state, command, dialect));
  const commands = admissible(world, state, dialect);
  return compared(vector.expected ?? null, {
    observations,
    won: state.won,
    intro,
    initial_observation: intro,
    task: world.record.task,
    admissible: commands,
    admissible_commands: commands,
  });
}

/** Transcripts are in the old dialect, and whoever recorded them left out the sentence of arrival. */
function judgeTranscript(vector: JsonObject, turns: readonly Json[], world: World): { expected: Json; got: Json } {
  const state = initialState(world);
  const pairs = turns.map((turn) => (isTexts(turn) ? turn : ['', '']));
  const intro = look(world, state);
  const observations = pairs.map(([command]) => withoutArrival(step(world, state, command!, 'old')));
  return {
    expected: {
      intro: vector.intro ?? null,
      task: vector.task ?? null,
      observations: pairs.map(([, seen]) => seen!),
      won: vector.won === true || vector.won === 1,
    },
    got: { intro, task: world.record.task, observations, won: state.won },
  };
}

const withoutArrival = (seen: string): string => seen.replace(/^You arrive at loc \d+\. /, '');

/** Only the fields that are expected are compared. */
function compared(expected: Json, all: JsonObject): { expected: Json; got: Json } {
  if (expected === null || typeof expected !== 'object' || Array.isArray(expected)) return { expected, got: all };
  const got = Object.fromEntries(Object.keys(expected).map((key) => [key, Object.hasOwn(all, key) ? all[key]! : null]));
  return { expected, got };
}

const worlds = new Map<string, ReturnType<typeof gamesById>>();

async function worldFor(vector: JsonObject, data: string, otherwise?: Json): Promise<World> {
  const own = inlineWorld(vector);
  if (own) return own;
  const known = worlds.get(data) ?? gamesById(data);
  worlds.set(data, known);
  const name = gameName(vector) ?? otherwise;
  const game = typeof name === 'string' ? (await known).get(name) : undefined;
  if (!game) throw new Error(`No game of the data set is called ${canonicalJson(name ?? null)}.`);
  return game.world;
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

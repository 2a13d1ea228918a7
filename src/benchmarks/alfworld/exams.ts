/** The exams: single steps with the walkthrough as history, which is what the paper scores, and whole games. */
import { type Ask, type Exam, type ExamVerdict, LineError } from '../../core/exam.ts';
import type { Json, JsonObject } from '../../core/types.ts';
import type { Dialect } from './action.ts';
import { actionOf, inDialect } from './answer.ts';
import { EXAM_SPLITS, type Game, gamesById, readGames } from './data.ts';
import { dialectOf, gameName, idOf, inlineCommands, inlineWorld, isTexts } from './lines.ts';
import { PAPER_SCORES, simulateMetrics, stepMetrics } from './metrics.ts';
import { admissible, isOver, MAX_STEPS, step } from './play.ts';
import { conversation } from './prompt.ts';
import { effectOf, type Playback, playCommands, playReplies, scoreStep } from './score.ts';
import { initialState, type State } from './state.ts';
import { type Step, stepsOf } from './steps.ts';
import { introduction } from './text.ts';
import type { World } from './world.ts';

export interface AlfworldExamOptions {
  data: string;
  /** Whether the model is shown the list of possible commands. */
  showAdmissible?: boolean;
  /** The wording of the environment in whole games. Single steps are in the data's, the new one. */
  dialect?: Dialect;
}

export function alfworldExams(options: AlfworldExamOptions): Record<string, Exam> {
  const games = once(async () =>
    (await Promise.all(EXAM_SPLITS.map((split) => readGames(options.data, split)))).flat(),
  );
  return { step: stepExam(games, options), simulate: simulateExam(games, options) };
}

function stepExam(games: () => Promise<Game[]>, { data, showAdmissible = false }: AlfworldExamOptions): Exam {
  const steps = once(async () => new Map((await games()).flatMap(stepsOf).map((item) => [item.id, item])));
  const stepOf = async (id: string): Promise<Step> => {
    const found = (await steps()).get(id);
    if (!found) throw new LineError(`no step is called ${id.slice(0, 200)}: expected <game>#<number>`);
    return found;
  };
  /** Lines often repeat an action at a step, and finding plans is most of the work. */
  const effects = new Map<string, ReturnType<typeof effectOf>>();
  const effectAt = ({ id, game, state }: Step, action: string) => {
    const key = `${id} ${action.slice(0, 200)}`;
    const effect = effects.get(key) ?? effectOf(game.world, state, action);
    effects.set(key, effect);
    return effect;
  };
  const inline = inlineSteps(data);
  return {
    name: 'step',
    about: `the next action of a walkthrough given those before it${showAdmissible ? ' and the possible commands' : ''}; exact match`,
    ids: async () => [...(await steps()).keys()],
    async answer(id, ask) {
      const { observations, actions, game, state } = await stepOf(id);
      const options = { admissible: showAdmissible ? admissible(game.world, state) : undefined };
      return ask(conversation(observations, actions, options));
    },
    async judge(line) {
      const id = idOf(line);
      const own = line.target !== undefined;
      const known = own ? undefined : await stepOf(id);
      const target = known?.target ?? line.target;
      if (typeof target !== 'string') throw new LineError('target: expected the right action');
      const { output } = line;
      const { action, correct } = scoreStep(typeof output === 'string' ? output : '', target);
      const here = own ? await inline(line) : undefined;
      const details: JsonObject = {
        action: action.slice(0, 200),
        ...(known && { split: known.game.split, taskType: known.game.taskType, choice: known.choice }),
        ...(known && effectAt(known, action)),
        ...(here && effectOf(here.world, here.state, action)),
      };
      return verdict(id, correct, details, stepReason(output, action));
    },
    gold: async () => [...(await steps()).values()].map(({ id, target }) => ({ id, output: target })),
    summarise: stepMetrics,
    paper: PAPER_SCORES,
  };
}

function stepReason(output: Json | undefined, action: string): string {
  if (typeof output !== 'string') return 'the output is not a text';
  return action === '' ? 'no action' : 'another action';
}

/** Where a step with a target of its own is taken: the world that came with it, after the commands that did. */
function inlineSteps(data: string): (line: JsonObject) => Promise<{ world: World; state: State } | undefined> {
  const worlds = namedWorlds(data);
  return async (line) => {
    const world = inlineWorld(line) ?? (await worlds(line));
    if (!world) return undefined;
    const state = initialState(world);
    for (const command of inlineCommands(line) ?? []) step(world, state, command);
    return { world, state };
  };
}

function simulateExam(games: () => Promise<Game[]>, { data, dialect = 'new' }: AlfworldExamOptions): Exam {
  const byId = once(async () => new Map((await games()).map((game) => [game.id, game])));
  const gameOf = async (id: string): Promise<Game> => {
    const found = (await byId()).get(id);
    if (!found) throw new LineError(`no game is called ${id.slice(0, 200)}`);
    return found;
  };
  const worlds = namedWorlds(data);
  return {
    name: 'simulate',
    about: `whole games, at most ${MAX_STEPS} steps each; success is the goal reached`,
    ids: async () => [...(await byId()).keys()],
    answer: async (id, ask) => play((await gameOf(id)).world, dialect, ask),
    async judge(line) {
      const id = idOf(line);
      const commands = inlineCommands(line);
      const spoken = dialectOf(line, dialect);
      const own = inlineWorld(line) ?? (await worlds(line));
      const known = own ? undefined : await gameOf(id);
      const world = own ?? known!.world;
      const played = commands
        ? playCommands(world, commands, spoken)
        : playReplies(world, repliesOf(line.output), spoken);
      const details: JsonObject = {
        ...(known && { split: known.split, taskType: known.taskType }),
        won: played.won,
        steps: played.steps,
        ...(commands && { observations: played.observations }),
      };
      if (line.target !== undefined)
        return verdict(id, isAsExpected(played, line.target), details, 'it went otherwise');
      return verdict(id, played.won && played.steps <= MAX_STEPS, details, 'the goal was not reached');
    },
    gold: async () =>
      (await games()).map(({ id, walkthrough }) => ({
        id,
        output: walkthrough.map((command) => inDialect(command, dialect)),
      })),
    summarise: simulateMetrics,
  };
}

/** Worlds of games that lines name: all splits, read when the first line does. */
function namedWorlds(data: string): (line: JsonObject) => Promise<World | undefined> {
  const all = once(() => gamesById(data));
  return async (line) => {
    const name = gameName(line);
    if (name === undefined) return undefined;
    const found = (await all()).get(name);
    if (!found) throw new LineError(`no game is called ${name.slice(0, 200)}`);
    return found.world;
  };
}

/** A closed loop: the model sees what its own actions led to. */
async function play(world: World, dialect: Dialect, ask: Ask): Promise<string[]> {
  const state = initialState(world);
  const messages = conversation([introduction(world, state)], [], { dialect });
  const replies: string[] = [];
  while (!isOver(state)) {
    const reply = await ask(messages);
    replies.push(reply);
    messages.push({ role: 'assistant', content: reply });
    messages.push({ role: 'user', content: step(world, state, inDialect(actionOf(reply), dialect), dialect) });
  }
  return replies;
}

/** A list of replies; or one text with an action on each line. */
function repliesOf(output: Json | undefined): string[] {
  if (isTexts(output)) return output;
  return typeof output === 'string' ? output.split('\n', 10 * MAX_STEPS).filter((line) => line.trim() !== '') : [];
}

/** A target of what is seen and whether it is won, as far as it says. */
function isAsExpected({ observations, won }: Playback, target: Json): boolean {
  if (typeof target === 'boolean') return won === target;
  if (target === null || typeof target !== 'object' || Array.isArray(target)) {
    throw new LineError('target: expected {observations, won}');
  }
  if (target.won !== undefined && target.won !== won) return false;
  if (target.observations === undefined) return true;
  const { observations: expected } = target;
  return (
    isTexts(expected) &&
    expected.length === observations.length &&
    expected.every((text, i) => text === observations[i])
  );
}

const verdict = (id: string, correct: boolean, details: JsonObject, reason: string): ExamVerdict => ({
  id,
  correct,
  score: correct ? 1 : 0,
  ...(correct ? {} : { reason }),
  details,
});

/** Files are read when they are first needed, and once. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** What the simulator is asked, and how what it writes becomes a task. */
import type { TaskDraft } from '../../core/benchmark.ts';
import type { Brief } from '../../core/players.ts';
import type { Json, Message, Task } from '../../core/types.ts';
import type { Dialect } from './action.ts';
import { type Catalogue, catalogueOf } from './catalogue.ts';
import { FLAGS, flagBits } from './flags.ts';
import { buildScene, sceneOf } from './scene.ts';
import { draftOf, recordOf } from './tasks.ts';

const INSTRUCTIONS = `You furnish rooms for an agent that learns to do household tasks by text commands. Given a room with a goal, write ONE new variation: move, add or remove objects and receptacles, or set another goal, so that the agent's success rate comes close to the target. The agent sees at first only the names of the receptacles; what is in them it must find out. Harder: the goal's object far down the list or behind a door, goals with more steps, more places to search. Easier: the opposite.

Goals: {"kind": "place", "object": TYPE, "receptacle": TYPE}, the same with kind "clean" (needs a sinkbasin), "heat" (a microwave), "cool" (a fridge) or "two" (two such objects in one receptacle), and {"kind": "look", "object": TYPE, "lamp": TYPE}.
Names are a kind and a number, as in "drawer 2". Use only the kinds that are listed. The goal must be possible, and not reached already.
Answer with one JSON object, {"goal": {…}, "room": {"RECEPTACLE": ["OBJECT", …], …}}, in the form of the seed. No other text.`;

export function contextOf({ seed, lineage, overall, target }: Brief): Message[] {
  const record = recordOf(seed);
  const lines = [
    `${SEED}${JSON.stringify(sceneOf(record))}`,
    `Kinds of objects: ${objectKinds(catalogueOf(record))}.`,
    `Kinds of receptacles: ${receptacleKinds(catalogueOf(record), record.can)}.`,
    lineage.length > 0
      ? `Agent's success on variations of this room: ${lineage.map((l) => `epoch ${l.epoch}: ${l.successes} of ${l.attempts}`).join(', ')}.`
      : 'The agent has not attempted variations of this room yet.',
    overall === undefined ? '' : `Agent's success on all generated rooms in the last epoch: ${percent(overall)}.`,
    `Target: the agent should solve the new task in about ${percent(target.alpha)} of its attempts (between ${percent(target.alpha - target.kMin)} and ${percent(target.alpha + target.kMin)}).`,
  ];
  return [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: lines.filter(Boolean).join('\n') },
  ];
}

/** What stands before the seed in a context. */
export const SEED = 'Seed: ';

const percent = (rate: number) => `${Math.round(100 * Math.min(1, Math.max(0, rate)))}%`;

const ABILITIES = [
  ['clean', FLAGS.cleanable],
  ['heat', FLAGS.heatable],
  ['cool', FLAGS.coolable],
  ['turn on', FLAGS.toggleable],
] as const;

const objectKinds = ({ objects }: Catalogue): string =>
  Object.entries(objects)
    .map(([kind, { flags }]) => {
      const can = ABILITIES.flatMap(([word, flag]) => ((flagBits(flags) & flag) !== 0 ? [word] : []));
      return can.length > 0 ? `${kind} (${can.join(', ')})` : kind;
    })
    .join('; ');

const receptacleKinds = ({ receptacles }: Catalogue, can: Record<string, string[]>): string =>
  Object.entries(receptacles)
    .map(([kind, { type, openable }]) => {
      const takes = Object.hasOwn(can, type) ? can[type]! : [];
      return `${kind}${openable ? ' with a door' : ''} (${takes.length > 0 ? takes.join(', ') : 'takes nothing'})`;
    })
    .join('; ');

const LONGEST_SCENE = 100_000;

/** A scene becomes a task if it is a sound world that can be solved; otherwise the first thing that is wrong, and where. */
export function readScene(text: string, seed: Task, dialect: Dialect = 'new'): TaskDraft | { problem: string } {
  if (text.length > LONGEST_SCENE) return { problem: `longer than ${LONGEST_SCENE} characters` };
  const value = parse(text);
  if (value === undefined) return { problem: 'not JSON: expected {"goal", "room"}' };
  const world = buildScene(value, recordOf(seed));
  return 'problem' in world ? world : draftOf(world, dialect);
}

/** What is between the first and the last brace: some put their JSON in a fence, or words around it. */
function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as Json;
  } catch {
    return undefined;
  }
}

/** What the player reads: the observation after each action, in the words of the official environment. */
import type { Action, Dialect } from './action.ts';
import { FLAGS } from './flags.ts';
import type { State } from './state.ts';
import type { World } from './world.ts';

export const NOTHING_HAPPENS = 'Nothing happens.';

const WELCOME = '-= Welcome to TextWorld, ALFRED! =-';

/** What is read before the first command. */
export const introduction = (world: World, state: State): string =>
  `${WELCOME}\n\n${look(world, state)}\n\n${world.record.task}`;

/** What is read after an action, in the state that it left. */
export function observation(world: World, state: State, action: Action, dialect: Dialect): string {
  const { receptacles, objects } = world;
  switch (action.verb) {
    case 'look':
      return look(world, state);
    case 'inventory':
      return state.held < 0 ? 'You are not carrying anything.' : `You are carrying: a ${objects[state.held]!.name}.`;
    case 'help':
      return HELP;
    case 'go':
      return `You arrive at ${arrival(world, action.receptacle, dialect)}. ${contents(world, state, action.receptacle)}`;
    case 'open':
      return `You open the ${receptacles[action.receptacle]!.name}. ${contents(world, state, action.receptacle)}`;
    case 'close':
      return `You close the ${receptacles[action.receptacle]!.name}.`;
    case 'examine':
      return contents(world, state, action.receptacle);
    case 'take':
      return `You pick up the ${objects[action.object]!.name} from the ${receptacles[action.receptacle]!.name}.`;
    case 'move': {
      const [object, receptacle] = [objects[action.object]!.name, receptacles[action.receptacle]!.name];
      return dialect === 'new'
        ? `You move the ${object} to the ${receptacle}.`
        : `You put the ${object} in/on the ${receptacle}.`;
    }
    case 'clean':
    case 'heat':
    case 'cool':
      return `You ${action.verb} the ${objects[action.object]!.name} using the ${receptacles[action.receptacle]!.name}.`;
    case 'use':
      return `You turn on the ${objects[action.object]!.name}.`;
    case 'slice':
      return `You sliced the ${objects[action.object]!.name} with the ${objects[action.knife]!.name}.`;
    case 'inspect':
      return inspection(world, state, action.object);
    default:
      return action satisfies never;
  }
}

/** Old releases name the place and not what stands there; locations are numbered downwards, as everything is. */
const arrival = (world: World, receptacle: number, dialect: Dialect): string => {
  const { name, at } = world.receptacles[receptacle]!;
  return dialect === 'new' ? name : `loc ${world.locations - at}`;
};

export function look(world: World, state: State): string {
  const { receptacles, placesAt, objects } = world;
  const here = placesAt[state.at]!;
  if (here.length === 0) {
    const all = listed(receptacles.map(({ name }) => `a ${name}`));
    return `You are in the middle of a room. Looking quickly around you, you see ${all}.`;
  }
  const beside: string[] = [];
  if (state.takenFrom.length > 0) {
    for (const [object, { name }] of objects.entries()) {
      if (state.objectAt[object] !== state.at) continue;
      for (const r of here) if (state.takenFrom.includes(object * receptacles.length + r)) beside.push(`a ${name}`);
    }
  }
  return `You are facing the ${listed(here.map((r) => receptacles[r]!.name))}. Next to it, you see ${listed(beside)}.`;
}

function contents(world: World, state: State, receptacle: number): string {
  const { name, openable } = world.receptacles[receptacle]!;
  if (!openable) return `On the ${name}, you see ${objectsIn(world, state, receptacle)}.`;
  return state.open[receptacle] === 1
    ? `The ${name} is open. In it, you see ${objectsIn(world, state, receptacle)}.`
    : `The ${name} is closed.`;
}

function objectsIn({ objects }: World, state: State, receptacle: number): string {
  const names: string[] = [];
  for (let object = 0; object < objects.length; object++) {
    if (state.inside[object]!.includes(receptacle)) names.push(`a ${objects[object]!.name}`);
  }
  return listed(names);
}

function inspection({ objects }: World, state: State, object: number): string {
  const { name, holds } = objects[object]!;
  const flags = state.flags[object]!;
  const is = (flag: number) => (flags & flag) !== 0;
  if (is(FLAGS.receptacle)) {
    return `This is a normal ${name}. In it, you see ${listed(holds.map((inner) => `a ${objects[inner]!.name}`))}.`;
  }
  const adjectives = treatedWords(is(FLAGS.clean), is(FLAGS.hot), is(FLAGS.cool), is(FLAGS.sliced));
  if (adjectives !== undefined) return `This is a ${adjectives} ${name}.`;
  if (is(FLAGS.toggleable) && is(FLAGS.toggled)) return `This ${name} is on.`;
  if (is(FLAGS.sliced)) return `This is a sliced ${name}.`;
  return `There's nothing special about ${name}.`;
}

/** What is cool is called cold when it is nothing else. */
function treatedWords(clean: boolean, hot: boolean, cool: boolean, sliced: boolean): string | undefined {
  const tail = sliced ? ' sliced' : '';
  if (clean && hot) return `hot and clean${tail}`;
  if (clean && cool) return `cool and clean${tail}`;
  if (sliced) {
    if (clean) return 'clean sliced';
    if (hot) return 'hot sliced';
    return cool ? 'cool sliced' : undefined;
  }
  if (hot) return 'hot';
  if (clean) return 'clean';
  return cool ? 'cold' : undefined;
}

/** A comma before `and` even between two. */
function listed(items: readonly string[]): string {
  if (items.length === 0) return 'nothing';
  return items.length === 1 ? items[0]! : `${items.slice(0, -1).join(', ')}, and ${items.at(-1)}`;
}

const COMMANDS: readonly (readonly [command: string, what: string])[] = [
  ['look', 'look around your current location'],
  ['inventory', 'check your current inventory'],
  ['go to (receptacle)', 'move to a receptacle'],
  ['open (receptacle)', 'open a receptacle'],
  ['close (receptacle)', 'close a receptacle'],
  ['take (object) from (receptacle)', 'take an object from a receptacle'],
  ['move (object) to (receptacle)', 'place an object in or on a receptacle'],
  ['examine (something)', 'examine a receptacle or an object'],
  ['use (object)', 'use an object'],
  ['heat (object) with (receptacle)', 'heat an object using a receptacle'],
  ['clean (object) with (receptacle)', 'clean an object using a receptacle'],
  ['cool (object) with (receptacle)', 'cool an object using a receptacle'],
  ['slice (object) with (object)', 'slice an object using a sharp object'],
];

/** The row about moving kept the padding of the longer one about putting that it replaced. */
const HELP = `\nAvailable commands:\n${COMMANDS.map(
  ([command, what]) => `  ${`${command}:`.padEnd(command.startsWith('move') ? 32 : 34)}${what}\n`,
).join('')}`;

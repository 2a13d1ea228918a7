/**
 * The toy world's language. A request is a list of clauses, each asking for as many calls as its level:
 * "Ring the red bell 3 times, then open doors B, D in reverse order, then count down from 9 in 4 steps."
 */
import { type Rng, shuffled } from '../../core/rng.ts';
import type { ToolCall, ToolSpec } from '../../core/types.ts';

export const SKILLS = ['ring', 'open', 'count'] as const;
export type Skill = (typeof SKILLS)[number];
export const MAX_LEVEL = 8;

export interface Clause {
  skill: Skill;
  level: number;
  text: string;
  calls: ToolCall[];
}

const BELLS = ['red', 'blue', 'green', 'brass', 'silver', 'glass'];
const DOORS = [...'ABCDEFGHJKLM'];

/** A clause of this level with values drawn at random. */
export function writeClause(skill: Skill, level: number, rng: Rng): string {
  switch (skill) {
    case 'ring':
      return `ring the ${BELLS[rng.int(BELLS.length)]} bell ${level} ${level === 1 ? 'time' : 'times'}`;
    case 'open':
      return `open doors ${shuffled(DOORS, rng).slice(0, level).join(', ')} in reverse order`;
    case 'count':
      return `count down from ${level + rng.int(40)} in ${level} ${level === 1 ? 'step' : 'steps'}`;
    default:
      return skill satisfies never;
  }
}

export function writeRequest(clauses: readonly string[]): string {
  const text = clauses.join(', then ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** What a request asks for; undefined when it is not in the language. */
export function parseRequest(request: string): Clause[] | undefined {
  const clauses = request
    .replace(/\.$/, '')
    .split(', then ')
    .map((text) => parseClause(text.charAt(0).toLowerCase() + text.slice(1)));
  return clauses.every((clause) => clause !== undefined) ? clauses : undefined;
}

function parseClause(text: string): Clause | undefined {
  const ring = /^ring the (\w+) bell (\d) times?$/.exec(text);
  if (ring && BELLS.includes(ring[1]!)) return clause('ring', Number(ring[2]), text, () => ({ bell: ring[1]! }));
  const open = /^open doors ([A-M](?:, [A-M])*) in reverse order$/.exec(text);
  if (open) {
    const doors = open[1]!.split(', ').reverse();
    return clause('open', doors.length, text, (i) => ({ door: doors[i]! }));
  }
  const count = /^count down from (\d{1,2}) in (\d) steps?$/.exec(text);
  if (count) return clause('count', Number(count[2]), text, (i) => ({ number: Number(count[1]) - i }));
  return undefined;
}

function clause(skill: Skill, level: number, text: string, args: (i: number) => ToolCall['args']): Clause | undefined {
  if (level < 1 || level > MAX_LEVEL) return undefined;
  const name = skill === 'count' ? 'say' : skill;
  return { skill, level, text, calls: Array.from({ length: level }, (_, i) => ({ name, args: args(i) })) };
}

export const TOOLS: ToolSpec[] = [
  tool('ring', 'Rings a bell once.', 'bell', 'string'),
  tool('open', 'Opens a door.', 'door', 'string'),
  tool('say', 'Says a number.', 'number', 'integer'),
];

function tool(name: string, description: string, argument: string, type: string): ToolSpec {
  return {
    name,
    description,
    parameters: { type: 'object', properties: { [argument]: { type } }, required: [argument] },
  };
}

/**
 * The toy world's language. A request is a list of clauses, each one call with as many steps to get right as its level:
 * "Ring the red bell 3 times, then open doors B, D in reverse order, then count down from 9 in 4 steps."
 */
import { type Rng, shuffled } from '../../core/rng.ts';
import type { JsonObject, ToolCall, ToolSpec } from '../../core/types.ts';

export const SKILLS = ['ring', 'open', 'count'] as const;
export type Skill = (typeof SKILLS)[number];
export const MAX_LEVEL = 8;

export interface Clause {
  skill: Skill;
  level: number;
  text: string;
  /** The call made of these of its steps; a perfect agent has them all right. */
  call(right: (step: number) => boolean): ToolCall;
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
  if (ring && BELLS.includes(ring[1]!)) {
    return clause('ring', Number(ring[2]), text, (steps) => ({ bell: ring[1]!, times: steps.length }));
  }
  const open = /^open doors ([A-M](?:, [A-M])*) in reverse order$/.exec(text);
  if (open) {
    const doors = open[1]!.split(', ').reverse();
    return clause('open', doors.length, text, (steps) => ({ doors: steps.map((i) => doors[i]!) }));
  }
  const count = /^count down from (\d{1,2}) in (\d) steps?$/.exec(text);
  if (count) {
    return clause('count', Number(count[2]), text, (steps) => ({ numbers: steps.map((i) => Number(count[1]) - i) }));
  }
  return undefined;
}

function clause(
  skill: Skill,
  level: number,
  text: string,
  args: (steps: number[]) => ToolCall['args'],
): Clause | undefined {
  if (level < 1 || level > MAX_LEVEL) return undefined;
  const name = skill === 'count' ? 'say' : skill;
  const steps = Array.from({ length: level }, (_, i) => i);
  return { skill, level, text, call: (right) => ({ name, args: args(steps.filter(right)) }) };
}

/** What a request made of these clauses asks for. */
export const callsOf = (clauses: readonly Clause[]): ToolCall[] => clauses.map((c) => c.call(() => true));

export const TOOLS: ToolSpec[] = [
  tool('ring', 'Rings a bell.', { bell: { type: 'string' }, times: { type: 'integer' } }),
  tool('open', 'Opens doors, in order.', { doors: { type: 'array', items: { type: 'string' } } }),
  tool('say', 'Says numbers, in order.', { numbers: { type: 'array', items: { type: 'integer' } } }),
];

function tool(name: string, description: string, properties: JsonObject): ToolSpec {
  return { name, description, parameters: { type: 'object', properties, required: Object.keys(properties) } };
}

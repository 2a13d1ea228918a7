/** What a request asks for: the calls, in order. Deterministic, so that a task written by a model has no label noise. */
import type { Json, ToolCall } from '../../core/types.ts';
import { countOf, DOORS, FACTS, type Fact, OPPOSITE, TOOLS, type Type } from './lexicon.ts';
import type { Action, Clause, Request } from './request.ts';
import { isQuestion, type World } from './world.ts';

export const MAX_CALLS = 16;

export interface Plan {
  calls: ToolCall[];
  /** Whether a call's result decides about later ones. */
  asks: boolean;
}

export function interpret(request: Request, world: World): Plan | { problem: string } {
  try {
    return planOf(request, world);
  } catch (error) {
    if (error instanceof Senseless) return { problem: error.message };
    throw error;
  }
}

/** No `Error`: random requests are refused by the thousand, and each would pay for a stack trace that nobody reads. */
class Senseless {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Why a request makes no sense in one world or another; whoever writes it cannot know which one it is for. */
export function senseless(request: Request): string | undefined {
  for (const door of DOORS) {
    const plan = interpret(request, { found: '', door });
    if ('problem' in plan) return plan.problem;
  }
  return undefined;
}

/** The calls of one clause, and what must have been asked before them. */
interface Block {
  calls: ToolCall[];
  needs: Set<'find' | 'check'>;
}

function planOf({ facts, clauses, all }: Request, world: World): Plan {
  const known = new Set<Fact>();
  for (const fact of facts) {
    if (known.has(OPPOSITE[fact]) || known.has(fact))
      throw new Senseless(`"${FACTS[fact]}" is said after the same or its opposite`);
    known.add(fact);
  }
  const said = DOORS.find((door) => known.has(door));
  if (said && clauses.some(({ action, otherwise }) => action.verb === 'check' || otherwise?.verb === 'check'))
    throw new Senseless(`the door is checked, but "${FACTS[said]}" is said already`);
  const named = new Named();
  const plan: Block[] = [];
  let previous: Block | undefined;
  for (const clause of clauses) {
    const block = blockOf(clause, known, named, world);
    if (clause.place === 'then') plan.push(block);
    else plan.splice(clause.place === 'first' ? 0 : plan.indexOf(previous!), 0, block);
    previous = block;
  }
  const calls = plan.flatMap((block) => block.calls);
  const asks = calls.some(isQuestion);
  checkOrder(plan);
  if (all > 1 && asks) throw new Senseless('"all of it twice" with something to find out first');
  const whole = Array.from({ length: all }, () => calls).flat();
  if (whole.length === 0) throw new Senseless('nothing is left to do');
  if (whole.length > MAX_CALLS) throw new Senseless(`${whole.length} calls, more than ${MAX_CALLS}`);
  return { calls: whole, asks };
}

/** An answer can only be used after its question was asked. */
function checkOrder(plan: readonly Block[]): void {
  const asked = new Set<string>();
  for (const { calls, needs } of plan) {
    for (const need of needs) {
      if (!asked.has(need)) throw new Senseless(`what "${need}" says is needed before it is asked`);
    }
    for (const call of calls) asked.add(call.name);
  }
}

function blockOf(clause: Clause, known: ReadonlySet<Fact>, named: Named, world: World): Block {
  const { condition, action, correction, otherwise } = clause;
  const needs: Block['needs'] = new Set();
  let holds = true;
  if (condition) {
    if (!known.has(condition) && !known.has(OPPOSITE[condition])) {
      if (condition === 'rain' || condition === 'dry') throw new Senseless(`nobody says whether ${FACTS[condition]}`);
      needs.add('check');
      holds = world.door === condition;
    } else holds = known.has(condition);
  }
  const calls = callsOf(action, correction, named, needs, world, holds);
  const instead = otherwise ? callsOf(otherwise, null, named, needs, world, !holds) : [];
  return { calls: holds ? calls : instead, needs };
}

function callsOf(
  { verb, fillers, times }: Action,
  correction: Clause['correction'],
  named: Named,
  needs: Block['needs'],
  world: World,
  done: boolean,
): ToolCall[] {
  const { args } = TOOLS[verb];
  if (correction && !args.some(([, type]) => type === correction.type))
    throw new Senseless(`"make it ${correction.word}" fits nothing in "${verb}"`);
  if (times > 1 && isQuestion({ name: verb })) throw new Senseless(`"${verb}" more than once`);
  const values = args.map(([, type], i): Json[] => {
    const filler = fillers[i]!;
    if (correction?.type === type) return named.these(type, [correction.word]);
    if (filler.kind === 'value') return named.these(type, [filler.word]);
    if (filler.kind === 'each') return named.these(type, filler.words);
    if (type !== 'city') return named.same(type);
    if (!named.found) throw new Senseless('"it" before anything is found');
    needs.add('find');
    return [world.found];
  });
  if (verb === 'find' && done) named.found = true;
  const once = product(values).map((row) => ({
    name: verb,
    args: Object.fromEntries(args.map(([name], i) => [name, row[i]!])),
  }));
  return Array.from({ length: times }, () => once).flat();
}

/** What was named last, by type: what `them`, `there`, `as many` and `it` stand for. */
class Named {
  found = false;
  private readonly last = new Map<Type, Json[]>();

  these(type: Type, words: readonly string[]): Json[] {
    const values = type === 'number' ? words.map(countOf) : [...words];
    this.last.set(type, values);
    return values;
  }

  same(type: Type): Json[] {
    const values = this.last.get(type);
    if (!values) throw new Senseless(`no ${type} was named before`);
    return values;
  }
}

/** All rows that take one value of each column. */
const product = (columns: Json[][]): Json[][] =>
  columns.reduce<Json[][]>((rows, column) => rows.flatMap((row) => column.map((value) => [...row, value])), [[]]);

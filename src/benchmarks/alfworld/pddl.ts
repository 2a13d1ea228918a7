/** The converter from the official game files: a PDDL problem to the record of its world. */
import { flagBits, flagLetters } from './flags.ts';
import type { Goal } from './goal.ts';
import type { ObjectRow, ReceptacleRow, WorldRecord } from './world.ts';

export type Expression = string | Expression[];

/** The parts of a record that come from the problem alone. */
export type ProblemRecord = Pick<WorldRecord, 'goal' | 'receptacles' | 'objects' | 'inside' | 'start' | 'can'>;

/** Everything is in lower case: PDDL does not tell cases apart. */
export function readProblem(problem: string): ProblemRecord {
  const [root] = parseExpressions(problem.toLowerCase());
  const init = section(root, ':init');
  const goal = section(root, ':goal');
  const facts = init.flatMap((fact) =>
    Array.isArray(fact) && fact.every((part) => typeof part === 'string') ? [fact] : [],
  );
  return { ...readFacts(facts as string[][]), goal: readGoalExpression(goal) };
}

/** S-expressions; `;` starts a comment. An unfinished one is closed where the text ends. */
export function parseExpressions(text: string): Expression[] {
  const root: Expression[] = [];
  const open: Expression[][] = [root];
  for (const [token] of text.matchAll(/;[^\n]*|[()]|[^\s();]+/g)) {
    if (token.startsWith(';')) continue;
    if (token === '(') {
      const list: Expression[] = [];
      open.at(-1)!.push(list);
      open.push(list);
    } else if (token === ')') {
      if (open.length === 1) throw new SyntaxError('PDDL: a bracket is closed that was not opened');
      open.pop();
    } else {
      open.at(-1)!.push(token);
    }
  }
  return root;
}

function section(root: Expression | undefined, name: string): Expression[] {
  const found = Array.isArray(root) ? root.find((part) => Array.isArray(part) && part[0] === name) : undefined;
  if (!Array.isArray(found)) throw new SyntaxError(`PDDL: the problem has no ${name}`);
  return found.slice(1);
}

/** Predicates of the initial state that are flags of an object. */
const FLAG_LETTERS: Readonly<Record<string, string>> = {
  pickupable: 'p',
  cleanable: 'c',
  heatable: 'h',
  coolable: 'o',
  sliceable: 's',
  toggleable: 't',
  isreceptacleobject: 'r',
  iscool: 'C',
  ishot: 'H',
  isclean: 'L',
};

function readFacts(facts: readonly string[][]): Omit<ProblemRecord, 'goal'> {
  const names = namesOf(facts);
  const of = (predicate: string) => facts.filter(([head]) => head === predicate);
  const map = (predicate: string) => new Map(of(predicate).map(([, a, b]) => [a!, b!]));
  const [receptacleType, objectType] = [map('receptacletype'), map('objecttype')];
  const [receptacleAt, objectAt] = [map('receptacleatlocation'), map('objectatlocation')];
  const openable = new Set(of('openable').map(([, r]) => r));
  const locations = indexes([...names.keys()].filter((id) => id.startsWith('loc_bar_')));
  const receptacleIds = [...receptacleAt.keys()].sort();
  const objectIds = [...objectType.keys()].sort();
  const [receptacles, objects] = [indexes(receptacleIds), indexes(objectIds)];

  const flags = new Map<string, string>();
  for (const [head, id] of facts) {
    const letter = Object.hasOwn(FLAG_LETTERS, head!) ? FLAG_LETTERS[head!]! : '';
    if (letter !== '') flags.set(id!, (flags.get(id!) ?? '') + letter);
  }
  const inside = new Map<string, number[]>();
  for (const [, object, receptacle] of of('inreceptacle')) {
    const index = receptacles.get(receptacle!);
    if (index !== undefined) inside.set(object!, [...(inside.get(object!) ?? []), index]);
  }
  const [agent] = of('atlocation');
  if (!agent) throw new SyntaxError('PDDL: the agent is nowhere');
  return {
    receptacles: receptacleIds.map(
      (id): ReceptacleRow => [
        names.get(id)!,
        typeName(receptacleType.get(id) ?? ''),
        locations.get(receptacleAt.get(id)!)!,
        openable.has(id) ? 1 : 0,
      ],
    ),
    objects: objectIds.map(
      (id): ObjectRow => [
        names.get(id)!,
        typeName(objectType.get(id)!),
        locations.get(objectAt.get(id) ?? '') ?? -1,
        [...new Set(inside.get(id))].sort((a, b) => a - b),
        flagLetters(flagBits(flags.get(id) ?? '')),
      ],
    ),
    inside: of('inreceptacleobject')
      .map(([, inner, outer]): [number, number] => [objects.get(inner!)!, objects.get(outer!)!])
      .sort((a, b) => a[0] - b[0] || a[1] - b[1]),
    start: locations.get(agent[2]!)!,
    can: containment(of('cancontain')),
  };
}

/** Every symbol of the initial state, in sorted order, by the name that players see: numbers go down within a class. */
function namesOf(facts: readonly string[][]): Map<string, string> {
  const ids = [...new Set(facts.flatMap(([, ...symbols]) => symbols))].sort();
  const left = new Map<string, number>();
  for (const id of ids) left.set(className(id), (left.get(className(id)) ?? 0) + 1);
  const names = new Map<string, string>();
  for (const id of ids) {
    const number = left.get(className(id))!;
    names.set(id, `${className(id)} ${number}`);
    left.set(className(id), number - 1);
  }
  return names;
}

function className(id: string): string {
  const end = id.indexOf('_bar_');
  const name = end < 0 ? id : id.slice(0, end);
  return end >= 0 && id.includes('basin') ? `${name}basin` : name;
}

const typeName = (symbol: string): string => (symbol.endsWith('type') ? symbol.slice(0, -'type'.length) : symbol);

const indexes = (ids: readonly string[]) => new Map([...ids].sort().map((id, index) => [id, index]));

/** Sorted by the symbols of the file, in which every type ends with `type`: pencil comes before pen. */
function containment(facts: readonly string[][]): Record<string, string[]> {
  const can = new Map<string, Set<string>>();
  for (const [, receptacle, object] of facts) {
    can.set(receptacle!, (can.get(receptacle!) ?? new Set()).add(object!));
  }
  return Object.fromEntries(
    [...can]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([type, types]) => [typeName(type), [...types].sort().map(typeName)]),
  );
}

/** Six shapes, told apart by the predicates in them. */
function readGoalExpression(goal: readonly Expression[]): Goal {
  const facts = [...atoms(goal)];
  const has = (predicate: string) => facts.some(([head]) => head === predicate);
  const types = (predicate: string) =>
    facts.flatMap(([head, variable, type]) =>
      head === predicate ? [{ variable: variable!, type: typeName(type!) }] : [],
    );
  const objects = types('objecttype');
  if (has('istoggled')) {
    const toggled = facts.find(([head]) => head === 'istoggled')![1];
    const lamp = objects.find(({ variable }) => variable === toggled);
    const object = objects.find(({ variable }) => variable !== toggled);
    if (lamp && object) return { kind: 'look', lamp: lamp.type, object: object.type };
  }
  const [object, receptacle] = [objects[0]?.type, types('receptacletype')[0]?.type];
  if (object === undefined || receptacle === undefined) throw new SyntaxError('PDDL: the goal is of no known kind');
  if (has('=')) return { kind: 'two', object, receptacle };
  if (has('isclean')) return { kind: 'clean', object, receptacle };
  if (has('ishot')) return { kind: 'heat', object, receptacle };
  return { kind: has('iscool') ? 'cool' : 'place', object, receptacle };
}

/** The innermost lists: predicates with their arguments. */
function* atoms(expressions: readonly Expression[]): Generator<string[]> {
  const left: Expression[] = [...expressions].reverse();
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (!Array.isArray(next)) continue;
    if (next.every((part) => typeof part === 'string')) yield next as string[];
    else left.push(...[...next].reverse());
  }
}

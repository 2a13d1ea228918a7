/** Random requests, and random changes to one: what the splits, the demonstrations and the scripted teacher are made of. */
import { type Rng, shuffled } from '../../core/rng.ts';
import { senseless } from './interpret.ts';
import { type Fact, TOOLS, type Type, VALUES, VERBS, type Verb } from './lexicon.ts';
import { MAX_CLAUSES } from './read.ts';
import { type Action, type Clause, type Filler, type Request, SKILLS, type Skill, skillsOf } from './request.ts';

/** A request that makes sense whatever the world answers, with so many clauses and skills. */
export function randomRequest(clauses: number, skills: number, rng: Rng, allowed: readonly Skill[] = SKILLS): Request {
  for (;;) {
    let request: Request | undefined = { facts: [], clauses: plainClauses(clauses, rng), all: 1 };
    for (let i = 0; i < skills; i++) request &&= ADD[pick(allowed, rng)](request, rng);
    if (request && isSound(request)) return request;
  }
}

export const isSound = (request: Request): boolean => senseless(request) === undefined;

export const pick = <T>(items: readonly T[], rng: Rng): T => items[rng.int(items.length)]!;

const plainClauses = (count: number, rng: Rng): Clause[] =>
  shuffled(DEEDS, rng)
    .slice(0, count)
    .map((verb) => plainClause(rng, verb));

const plainClause = (rng: Rng, verb?: Verb): Clause => ({
  place: 'then',
  condition: null,
  action: plainAction(rng, verb),
  correction: null,
  otherwise: null,
});

const DEEDS: readonly Verb[] = VERBS.filter((verb) => verb !== 'find' && verb !== 'check');

const plainAction = (rng: Rng, verb: Verb = pick(DEEDS, rng)): Action => ({
  verb,
  fillers: TOOLS[verb].args.map(([, type]) => value(type, rng)),
  times: 1,
});

const value = (type: Type, rng: Rng): Filler => ({ kind: 'value', word: pick(VALUES[type], rng) });

/** Types of which a request may name several at once. */
const LISTED: ReadonlySet<Type> = new Set(['person', 'room', 'plant', 'garment', 'pet']);

/** The same request about other people and things. */
export function withOtherValues(request: Request, rng: Rng): Request {
  const action = ({ verb, fillers, times }: Action): Action => ({
    verb,
    fillers: fillers.map((filler, i) => otherValue(filler, TOOLS[verb].args[i]![1], rng)),
    times,
  });
  return {
    ...request,
    clauses: request.clauses.map((clause) => ({
      ...clause,
      action: action(clause.action),
      correction: clause.correction && { ...clause.correction, word: pick(VALUES[clause.correction.type], rng) },
      otherwise: clause.otherwise && action(clause.otherwise),
    })),
  };
}

function otherValue(filler: Filler, type: Type, rng: Rng): Filler {
  if (filler.kind === 'same') return filler;
  if (filler.kind === 'each') return each(type, filler.words.length, rng);
  return value(type, rng);
}

const each = (type: Type, count: number, rng: Rng): Filler => ({
  kind: 'each',
  words: shuffled<string>(VALUES[type], rng).slice(0, count),
});

/**
 * A variation: other values, and now and then something added, taken away or swapped. `harder` is the share of changes
 * that add; at a half, variations are on average as hard as what they vary.
 */
export function vary(seed: Request, edits: number, harder: number, rng: Rng): Request {
  for (;;) {
    let request: Request | undefined = withOtherValues(seed, rng);
    for (let i = 0; i < edits; i++) request &&= edit(request, rng.next() < harder, rng);
    if (request && isSound(request)) return request;
  }
}

function edit(request: Request, harder: boolean, rng: Rng): Request | undefined {
  const { clauses } = request;
  if (harder) {
    if (rng.next() < 0.4)
      return clauses.length < MAX_CLAUSES ? { ...request, clauses: [...clauses, plainClause(rng)] } : undefined;
    return ADD[pick(SKILLS, rng)](request, rng);
  }
  if (rng.next() < 0.4) return without(request, rng.int(clauses.length));
  return dropSkill(request, rng);
}

function without(request: Request, index: number): Request | undefined {
  if (request.clauses.length === 1) return undefined;
  const clauses = request.clauses.filter((_, i) => i !== index);
  return tidy({ ...request, clauses: clauses.map((clause, i) => (i === 0 ? { ...clause, place: 'then' } : clause)) });
}

/** Facts that no condition asks about any more are not worth saying. */
function tidy(request: Request): Request {
  const asked = new Set(request.clauses.map(({ condition }) => condition && SUBJECT[condition]));
  return { ...request, facts: request.facts.filter((fact) => asked.has(SUBJECT[fact])) };
}

const SUBJECT: Record<Fact, 'sky' | 'door'> = { rain: 'sky', dry: 'sky', open: 'door', shut: 'door' };

/** Puts a skill in at a random place where it fits. */
export const ADD: Record<Skill, (request: Request, rng: Rng) => Request | undefined> = {
  first: (request, rng) =>
    changeClause(request, rng, (c, i) => i > 0 && c.place === 'then' && { ...c, place: 'first' }),
  before: (request, rng) =>
    changeClause(request, rng, (c, i) => i > 0 && c.place === 'then' && { ...c, place: 'before' }),
  times: (request, rng) =>
    changeAction(
      request,
      rng,
      (a) => a.times === 1 && DEEDS.includes(a.verb) && { ...a, times: pick([2, 2, 3, 4], rng) },
    ),
  each: (request, rng) =>
    changeFiller(
      request,
      rng,
      (f, type) => f.kind === 'value' && LISTED.has(type) && each(type, pick([2, 2, 3], rng), rng),
    ),
  same: (request, rng) =>
    changeFiller(
      request,
      rng,
      (f, type, at) => f.kind === 'value' && at > 0 && ['person', 'room', 'number'].includes(type) && { kind: 'same' },
    ),
  correction: (request, rng) =>
    changeClause(request, rng, (c) => {
      if (c.correction) return false;
      const types = TOOLS[c.action.verb].args
        .map(([, type]) => type)
        .filter((type) => type !== 'level' && type !== 'lodging');
      if (types.length === 0) return false;
      const type = pick(types, rng);
      return { ...c, correction: { type, word: pick(VALUES[type], rng) } };
    }),
  condition: (request, rng) => {
    const condition = pick(['rain', 'dry', 'open', 'shut'] as const, rng);
    const conditional = changeClause(request, rng, (c) => !c.condition && { ...c, condition });
    const said = request.facts.some((fact) => SUBJECT[fact] === SUBJECT[condition]);
    const asked = SUBJECT[condition] === 'door' && skillsOf(request).includes('check');
    if (!conditional || said || asked) return conditional;
    const fact = pick(SUBJECT[condition] === 'sky' ? (['rain', 'dry'] as const) : (['open', 'shut'] as const), rng);
    return { ...conditional, facts: [...request.facts, fact] };
  },
  otherwise: (request, rng) =>
    changeClause(request, rng, (c) => c.condition !== null && !c.otherwise && { ...c, otherwise: plainAction(rng) }),
  all: (request) => (request.all === 1 ? { ...request, all: 2 } : undefined),
  find: (request, rng) => {
    const at = rng.int(request.clauses.length);
    const book: Action = { verb: 'book', fillers: [{ kind: 'same' }, value('number', rng)], times: 1 };
    return twoSteps(
      request,
      at,
      { ...plainClause(rng), action: plainAction(rng, 'find') },
      { action: book, correction: null },
    );
  },
  check: (request, rng) => {
    const at = rng.int(request.clauses.length);
    if (skillsOf(request).includes('check')) return undefined;
    const asked = twoSteps(
      request,
      at,
      { ...plainClause(rng), action: plainAction(rng, 'check') },
      { condition: pick(['open', 'shut'] as const, rng) },
    );
    return asked && { ...asked, facts: asked.facts.filter((fact) => SUBJECT[fact] === 'sky') };
  },
};

/** A question right before the clause that uses its answer. */
function twoSteps(request: Request, at: number, question: Clause, use: Partial<Clause>): Request | undefined {
  const { clauses } = request;
  const clause = clauses[at]!;
  if (clauses.length === MAX_CLAUSES || clause.condition || clause.action.fillers.some(({ kind }) => kind === 'same'))
    return undefined;
  const pair = [
    { ...question, place: clause.place },
    { ...clause, ...use, place: 'then' as const },
  ];
  return { ...request, clauses: clauses.toSpliced(at, 1, ...pair) };
}

/** Takes one skill out at a random place. */
function dropSkill(request: Request, rng: Rng): Request | undefined {
  const skills = [...new Set(skillsOf(request))];
  return skills.length > 0 ? DROP[pick(skills, rng)](request, rng) : undefined;
}

const DROP: Record<Skill, (request: Request, rng: Rng) => Request | undefined> = {
  first: (request, rng) => changeClause(request, rng, (c) => c.place === 'first' && { ...c, place: 'then' }),
  before: (request, rng) => changeClause(request, rng, (c) => c.place === 'before' && { ...c, place: 'then' }),
  times: (request, rng) => changeAction(request, rng, (a) => a.times > 1 && { ...a, times: 1 }),
  each: (request, rng) => changeFiller(request, rng, (f, type) => f.kind === 'each' && value(type, rng)),
  same: (request, rng) => changeFiller(request, rng, (f, type) => f.kind === 'same' && value(type, rng)),
  correction: (request, rng) => changeClause(request, rng, (c) => c.correction !== null && { ...c, correction: null }),
  condition: (request, rng) => {
    const plain = changeClause(request, rng, (c) => c.condition !== null && { ...c, condition: null, otherwise: null });
    return plain && tidy(plain);
  },
  otherwise: (request, rng) => changeClause(request, rng, (c) => c.otherwise !== null && { ...c, otherwise: null }),
  all: (request) => ({ ...request, all: 1 }),
  find: (request, rng) => withoutQuestion(request, 'find', (c) => ({ ...c, action: plainAction(rng) })),
  check: (request) => withoutQuestion(request, 'check', (c) => ({ ...c, condition: null, otherwise: null })),
};

/** Without the question nobody may wait for its answer. */
function withoutQuestion(
  request: Request,
  verb: 'find' | 'check',
  plain: (clause: Clause) => Clause,
): Request | undefined {
  const rest = without(
    request,
    request.clauses.findIndex(({ action }) => action.verb === verb),
  );
  const waits = ({ action, condition }: Clause) =>
    verb === 'check'
      ? condition === 'open' || condition === 'shut'
      : action.verb === 'book' && action.fillers[0]!.kind === 'same';
  return rest && tidy({ ...rest, clauses: rest.clauses.map((clause) => (waits(clause) ? plain(clause) : clause)) });
}

/** The first change that fits, over the clauses in random order. */
function changeClause(
  request: Request,
  rng: Rng,
  change: (clause: Clause, index: number) => Clause | false,
): Request | undefined {
  for (const i of shuffled(request.clauses.keys(), rng)) {
    const changed = change(request.clauses[i]!, i);
    if (changed) return { ...request, clauses: request.clauses.with(i, changed) };
  }
  return undefined;
}

function changeAction(
  request: Request,
  rng: Rng,
  change: (action: Action, clause: number) => Action | false,
): Request | undefined {
  return changeClause(request, rng, (clause, i) => {
    const action = change(clause.action, i);
    return action && { ...clause, action };
  });
}

function changeFiller(
  request: Request,
  rng: Rng,
  change: (filler: Filler, type: Type, clause: number) => Filler | false,
): Request | undefined {
  return changeAction(request, rng, (action, clause) => {
    for (const i of shuffled(action.fillers.keys(), rng)) {
      const filler = change(action.fillers[i]!, TOOLS[action.verb].args[i]![1], clause);
      if (filler) return { ...action, fillers: action.fillers.with(i, filler) };
    }
    return false;
  });
}

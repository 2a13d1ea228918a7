/** Requests for properties: those the world draws, and any tree that can be written, sensible or not. */
import fc from 'fast-check';
import { createRng } from '../../core/rng.ts';
import { FACTS, type Fact, TOOLS, type Type, VALUES, VERBS, type Verb } from './lexicon.ts';
import { randomRequest } from './random.ts';
import type { Action, Clause, Filler, Request } from './request.ts';

/** Requests that make sense, with up to six clauses and skills. */
export const sensible: fc.Arbitrary<Request> = fc
  .tuple(fc.integer({ min: 2, max: 6 }), fc.integer({ min: 0, max: 6 }), fc.integer())
  .map(([clauses, skills, seed]) => randomRequest(clauses, skills, createRng(seed)));

const NAMED_AGAIN: readonly Type[] = ['person', 'room', 'number'];
const LISTED: readonly Type[] = ['person', 'room', 'plant', 'garment', 'pet'];

function filler(verb: Verb, type: Type): fc.Arbitrary<Filler> {
  const word = fc.constantFrom<string>(...VALUES[type]);
  const several = fc.uniqueArray(word, { minLength: 2, maxLength: 4 });
  const kinds: fc.Arbitrary<Filler>[] = [word.map((one) => ({ kind: 'value', word: one }))];
  if (NAMED_AGAIN.includes(type) || (verb === 'book' && type === 'city')) kinds.push(fc.constant({ kind: 'same' }));
  if (LISTED.includes(type)) kinds.push(several.map((words) => ({ kind: 'each', words })));
  return fc.oneof(...kinds);
}

const action: fc.Arbitrary<Action> = fc.constantFrom(...VERBS).chain((verb) =>
  fc.record({
    verb: fc.constant(verb),
    fillers: fc.tuple(...TOOLS[verb].args.map(([, type]) => filler(verb, type))),
    times: fc.constantFrom(1, 2, 3, 4),
  }),
);

const correction: fc.Arbitrary<Clause['correction']> = fc
  .constantFrom(...(Object.keys(VALUES) as Type[]).filter((type) => type !== 'level' && type !== 'lodging'))
  .chain((type) => fc.record({ type: fc.constant(type), word: fc.constantFrom<string>(...VALUES[type]) }));

const fact = fc.constantFrom(...(Object.keys(FACTS) as Fact[]));

const clause: fc.Arbitrary<Clause> = fc
  .record({
    place: fc.constantFrom('then', 'first', 'before'),
    condition: fc.option(fact),
    action,
    correction: fc.option(correction),
    otherwise: fc.option(action),
  })
  .map((any) => (any.condition ? any : { ...any, otherwise: null }));

/** Whatever can be written. */
export const writable: fc.Arbitrary<Request> = fc
  .record({
    facts: fc.array(fact, { maxLength: 3 }),
    clauses: fc.array(clause, { minLength: 1, maxLength: 6 }),
    all: fc.constantFrom(1, 2),
  })
  .map(({ clauses: [first, ...rest], ...request }) => ({
    ...request,
    clauses: [{ ...first!, place: 'then' as const }, ...rest],
  }));

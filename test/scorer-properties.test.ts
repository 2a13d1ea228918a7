/** What holds of every exact protocol, whatever the calls: the order of keys says nothing, and every value counts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Exam } from '../src/core/exam.ts';
import type { Json, JsonObject } from '../src/core/types.ts';
import { type ExaminedName, openExams } from '../src/exams.ts';

interface Call {
  name: string;
  parameters: JsonObject;
}

interface Protocol {
  benchmark: ExaminedName;
  suite: string;
  value: fc.Arbitrary<Json>;
  mostCalls: number;
}

const word = fc.stringMatching(/^[a-z][a-z_]{0,7}$/);
const text = fc.string({ maxLength: 12 });
const scalar = fc.oneof(text, fc.integer(), fc.boolean());

const PROTOCOLS: readonly Protocol[] = [
  // All values of API-Bank are texts, and a line asks for one call.
  { benchmark: 'api-bank', suite: 'soft', value: text, mostCalls: 1 },
  { benchmark: 'api-bank', suite: 'strict', value: text, mostCalls: 1 },
  {
    benchmark: 'bfcl',
    suite: 'per-turn',
    value: fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(word, scalar, { maxKeys: 3 })),
    mostCalls: 4,
  },
];

const call = (value: fc.Arbitrary<Json>): fc.Arbitrary<Call> =>
  fc.record({ name: word, parameters: fc.dictionary(word, value, { maxKeys: 5, noNullPrototype: true }) });

/** One JSON object a line in one block: a form that all of these protocols read. */
const written = (calls: readonly Json[]): string =>
  `<tool_call>\n${calls.map((one) => JSON.stringify(one)).join('\n')}\n</tool_call>`;

/** The same value with the keys of every object in another order. */
function shuffledKeys(value: Json, order: (count: number) => number[]): Json {
  if (Array.isArray(value)) return value.map((item) => shuffledKeys(item, order));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(order(entries.length).map((i) => [entries[i]![0], shuffledKeys(entries[i]![1], order)]));
}

/** Orders drawn from a seed. */
const orders = fc.infiniteStream(fc.nat()).map((stream) => (count: number) => {
  const keys = Array.from({ length: count }, (_, i) => ({ i, key: stream.next().value! }));
  return keys.sort((a, b) => a.key - b.key).map(({ i }) => i);
});

const judged = async (exam: Exam, target: readonly Call[], calls: readonly Json[]) => {
  const line = { id: 'x', output: written(calls), target: target as unknown as Json };
  const { correct, score, details } = await exam.judge(line as JsonObject);
  return { correct, score, details };
};

/** Another value that no protocol takes for the same. */
const other = (value: Json): Json => (typeof value === 'string' ? `${value}x` : `was ${JSON.stringify(value)}`);

describe.each(PROTOCOLS)('$benchmark $suite', ({ benchmark, suite, value, mostCalls }) => {
  const calls = fc.array(call(value), { minLength: 1, maxLength: mostCalls });
  const open = async () => (await openExams({ name: benchmark }, '/nowhere'))[suite]!;

  it('shuffling keys never changes a verdict, be it right or wrong', async () => {
    const exam = await open();
    await fc.assert(
      fc.asyncProperty(calls, calls, fc.boolean(), orders, async (target, others, right, order) => {
        const said = (right ? target : others) as unknown as Json[];
        const plain = await judged(exam, target, said);
        if (right) expect(plain.correct).toBe(true);
        expect(
          await judged(
            exam,
            target,
            said.map((one) => shuffledKeys(one, order)),
          ),
        ).toEqual(plain);
      }),
    );
  });

  it('a changed argument always does', async () => {
    const exam = await open();
    const withArguments = calls.filter((all) => all.some(({ parameters }) => Object.keys(parameters).length > 0));
    await fc.assert(
      fc.asyncProperty(withArguments, fc.nat(), async (target, at) => {
        const places = target.flatMap(({ parameters }, i) => Object.keys(parameters).map((key) => [i, key] as const));
        const [index, key] = places[at % places.length]!;
        const said = target.map((one, i) =>
          i === index ? { ...one, parameters: { ...one.parameters, [key]: other(one.parameters[key]!) } } : one,
        );
        expect((await judged(exam, target, said as unknown as Json[])).correct).toBe(false);
      }),
    );
  });

  it('a missing, added or renamed argument and another name are wrong', async () => {
    const exam = await open();
    await fc.assert(
      fc.asyncProperty(calls, async (target) => {
        const [first, ...rest] = target as [Call, ...Call[]];
        const { name, parameters } = first;
        const wrong = [
          { name: `${name}x`, parameters },
          { name, parameters: { ...parameters, zz9: 'added' } },
          ...Object.keys(parameters).map((key) => {
            const { [key]: _, ...left } = parameters;
            return { name, parameters: left };
          }),
        ];
        for (const one of wrong) {
          expect((await judged(exam, target, [one, ...rest] as unknown as Json[])).correct).toBe(false);
        }
      }),
    );
  });
});

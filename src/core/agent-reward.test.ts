import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentReward, isStructured, normalise, similarity } from './agent-reward.ts';
import type { EvalSpec, Json, TextMetric } from './types.ts';

const metrics: TextMetric[] = ['exact', 'f1', 'rougeL'];
/** Few words, so that texts often share some; spelt with what normalisation must see through. */
const text = fc.oneof(
  fc
    .array(fc.constantFrom('the', 'a', 'Red', 'red,', 'box', 'Box!', 'año', '7', '-', '…'), { maxLength: 8 })
    .map((w) => w.join(' ')),
  fc.string({ unit: 'grapheme' }),
);
const json = fc.jsonValue() as fc.Arbitrary<Json>;
const calls = fc.array(
  fc.record({ name: fc.constantFrom('f', 'g'), args: fc.dictionary(fc.constantFrom('x', 'y'), json) }),
  { maxLength: 3 },
);
const spec: fc.Arbitrary<EvalSpec> = fc.oneof(
  fc.record({
    kind: fc.constant('toolCalls' as const),
    target: calls,
    order: fc.constantFrom('exact' as const, 'any' as const),
  }),
  fc.record({ kind: fc.constant('json' as const), target: json }),
  fc.record({ kind: fc.constant('text' as const), target: text, metric: fc.constantFrom(...metrics) }),
);

describe('agentReward', () => {
  it('stays in [0, 1], and structured answers earn 0 or 1', () => {
    fc.assert(
      fc.property(fc.oneof(json, calls as fc.Arbitrary<Json>, text), spec, (answer, spec) => {
        const reward = agentReward(answer, spec);
        expect(reward >= 0 && reward <= 1).toBe(true);
        if (isStructured(spec)) expect([0, 1]).toContain(reward);
      }),
    );
  });

  it('is 1 for the target itself', () => {
    fc.assert(
      fc.property(
        spec.filter((s) => 'target' in s),
        (spec) => {
          if ('target' in spec) expect(agentReward(spec.target as Json, spec)).toBe(1);
        },
      ),
    );
  });

  it('is 0 for any other structured value', () => {
    fc.assert(
      fc.property(json, json, (answer, target) => {
        // What JSON writes alike is the same answer: −0 and 0.
        fc.pre(JSON.stringify(sorted(answer)) !== JSON.stringify(sorted(target)));
        expect(agentReward(answer, { kind: 'json', target })).toBe(0);
      }),
    );
  });

  it('compares free text with the canonical JSON of an answer that is not text', () => {
    expect(agentReward(42, { kind: 'text', target: '42', metric: 'exact' })).toBe(1);
    expect(agentReward({ b: 1, a: 2 }, { kind: 'text', target: '{"a":2,"b":1}', metric: 'exact' })).toBe(1);
  });

  it.each<[EvalSpec, RegExp]>([
    [{ kind: 'script', source: 'exit 0' }, /script checker.*sandbox.*toolCalls, json or text/],
    [{ kind: 'world', world: 'kitchen', goal: null }, /world "kitchen".*benchmark must supply the checker/],
  ])('refuses what it cannot execute: $kind', (spec, message) => {
    expect(() => agentReward('done', spec)).toThrow(TypeError);
    expect(() => agentReward('done', spec)).toThrow(message);
  });
});

describe('similarity', () => {
  it('is symmetric, in [0, 1], and 1 on texts that normalise alike', () => {
    fc.assert(
      fc.property(text, text, fc.constantFrom(...metrics), (a, b, metric) => {
        const sim = similarity[metric];
        expect(sim(a, b)).toBe(sim(b, a));
        expect(sim(a, b) >= 0 && sim(a, b) <= 1).toBe(true);
        expect(sim(a, a)).toBe(1);
        if (normalise(a) === normalise(b)) expect(sim(a, b)).toBe(1);
      }),
    );
  });

  it('orders the metrics: exact ≤ ROUGE-L ≤ F1, since a common subsequence is a common bag', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(similarity.exact(a, b)).toBeLessThanOrEqual(similarity.rougeL(a, b));
        expect(similarity.rougeL(a, b)).toBeLessThanOrEqual(similarity.f1(a, b));
      }),
    );
  });

  it('is 0 where no word is shared', () => {
    for (const metric of metrics) {
      expect(similarity[metric]('red box', 'blue bag')).toBe(0);
      expect(similarity[metric]('', 'blue bag')).toBe(0);
    }
  });

  it('finds the longest common subsequence that brute force finds', () => {
    const short = fc.array(fc.constantFrom('x', 'y', 'z'), { minLength: 1, maxLength: 7 });
    const brute = (a: string[], b: string[]): number => {
      if (a.length === 0 || b.length === 0) return 0;
      if (a[0] === b[0]) return 1 + brute(a.slice(1), b.slice(1));
      return Math.max(brute(a.slice(1), b), brute(a, b.slice(1)));
    };
    fc.assert(
      fc.property(short, short, (a, b) => {
        expect(similarity.rougeL(a.join(' '), b.join(' '))).toBeCloseTo((2 * brute(a, b)) / (a.length + b.length), 12);
      }),
    );
  });
});

describe('normalise', () => {
  it.each([
    ['  The  QUICK, brown fox. ', 'quick brown fox'],
    ['ﬁne', 'fine'],
    ['cafe\u0301', 'café'],
    ['an apple a day', 'apple day'],
    // An article is a word, not two letters beside an accent.
    ['Un año en España', 'un año en españa'],
    // Nothing is stripped down to nothing: silence must not equal an answer.
    ['A.', 'a'],
    ['The', 'the'],
    ['+', '+'],
    ['', ''],
  ])('%j → %j', (text, want) => {
    expect(normalise(text)).toBe(want);
  });

  it('lets neither silence nor another symbol pass for a one-letter or one-symbol answer', () => {
    for (const metric of metrics) {
      expect(similarity[metric]('', 'A')).toBe(0);
      expect(similarity[metric]('the', 'A')).toBe(0);
      expect(similarity[metric]('-', '+')).toBe(0);
      expect(similarity[metric]('(a)', 'A')).toBe(1);
    }
  });
});

/** Keys in order, all the way down: an independent road to canonical text. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  // Integer-like keys come first in any object; the rest keep the order of insertion.
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key]!)]),
  );
}

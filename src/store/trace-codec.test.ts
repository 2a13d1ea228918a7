import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Message, Trace, Turn } from '../core/types.ts';
import { sampleTrace, sampleTurn } from './fixtures.ts';
import { pack, unpack } from './pack.ts';
import { decodeTraces, encodeTraces } from './trace-codec.ts';

const id = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const ids = fc.int32Array({ maxLength: 40 });
const text = fc.string({ unit: 'binary', maxLength: 60 });
// Any bits at all: log-probs come back as they were even where they make no sense.
const floats = fc
  .int32Array({ maxLength: 40 })
  .map((bits) => new Float32Array(bits.buffer, bits.byteOffset, bits.length));
const json = fc.jsonValue({ stringUnit: 'binary', maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)));
const turn: fc.Arbitrary<Turn> = fc.record({ prompt: ids, tokens: ids, logprobs: floats });

/** Turns as they happen: each prompt goes on from the turn before it. */
const conversation = fc.tuple(turn, fc.array(turn, { maxLength: 3 })).map(([first, rest]) => {
  const turns = [first];
  for (const next of rest) {
    const last = turns.at(-1)!;
    turns.push({ ...next, prompt: Int32Array.of(...last.prompt, ...last.tokens, ...next.prompt) });
  }
  return turns;
});

const trace: fc.Arbitrary<Trace> = fc
  .record({
    index: fc.nat(),
    policy: text,
    turns: fc.oneof(conversation, fc.array(turn, { maxLength: 3 })),
    answer: json,
    terms: fc.array(
      fc.record(
        { name: fc.string(), score: fc.option(fc.constantFrom(0, 0.5, 1)), detail: fc.string() },
        { requiredKeys: ['name', 'score'] },
      ),
      { maxLength: 3 },
    ),
    reward: fc.double({ min: 0, max: 1, noNaN: true }).map((reward) => reward + 0),
    success: fc.boolean(),
    valid: fc.boolean(),
    stop: fc.constantFrom('answer', 'malformed', 'turnLimit', 'tokenBudget', 'truncated', 'error'),
    observation: text,
    own: fc.option(ids, { nil: undefined }),
    error: fc.option(text, { nil: undefined }),
  })
  .map(({ observation, own, error, ...rest }) => {
    const messages: Message[] = rest.turns.map(({ tokens }) => ({ role: 'assistant', content: observation, tokens }));
    messages.push({ role: 'tool', content: observation, toolCalls: [{ name: observation, args: { a: 1 } }] });
    if (own) messages.push({ role: 'assistant', content: '', tokens: own });
    return { ...rest, messages, ...(error === undefined ? {} : { error }) } as Trace;
  });

const bits = (array: Int32Array | Float32Array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);

it('brings traces back bit for bit, whatever is in them', () => {
  fc.assert(
    fc.property(fc.array(trace, { maxLength: 5 }), (traces) => {
      const back = decodeTraces(unpack(pack(encodeTraces(traces))));
      expect(back).toEqual(traces);
      for (const [i, { turns }] of traces.entries()) {
        for (const [j, { logprobs }] of turns.entries()) {
          expect(bits(back[i]!.turns[j]!.logprobs).equals(bits(logprobs))).toBe(true);
        }
      }
    }),
  );
});

it('gives the same body for the same traces, whatever the order their fields were set in', () => {
  const { stop, ...rest } = sampleTrace(1);
  expect(encodeTraces([{ stop, ...rest }])).toEqual(encodeTraces([sampleTrace(1)]));
});

it('stores the prompt of a group once, and of a later turn only what was added', () => {
  const first = sampleTurn(2000, 10);
  const second: Turn = { ...sampleTurn(0, 10), prompt: Int32Array.of(...first.prompt, ...first.tokens, 7, 8, 9) };
  const traces = [0, 1, 2, 3].map((index) =>
    sampleTrace(index, {
      turns: [first, second],
      messages: [{ role: 'assistant', content: 'x', tokens: first.tokens }],
    }),
  );
  expect(encodeTraces(traces).ints.length).toBeLessThan(2000 + 4 * 40);
});

it('keeps ids of any size', () => {
  fc.assert(
    fc.property(fc.array(id, { maxLength: 20 }), (list) => {
      const turns = [{ prompt: Int32Array.from(list), tokens: Int32Array.from(list), logprobs: new Float32Array(0) }];
      const [back] = decodeTraces(encodeTraces([sampleTrace(0, { turns })]));
      expect(back?.turns).toEqual(turns);
    }),
  );
});

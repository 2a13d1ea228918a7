import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fields, WireError } from './proto-reader.ts';
import { decodeLossRequest, encodeLossRequest } from './proto-request.ts';
import {
  decodeForwardBackwardResult,
  decodeSampleResult,
  encodeForwardBackwardResult,
  encodeSampleResult,
} from './proto-result.ts';
import { ProtoWriter } from './proto-writer.ts';

const float32 = fc.float({ noNaN: true, noDefaultInfinity: true });
const token = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const name = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });
const same = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (_, v) => (ArrayBuffer.isView(v) ? [...(v as Float32Array)] : v)));

const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g)!, (pair) => Number.parseInt(pair, 16));

const datum = fc.record({
  model_input: fc.record({
    chunks: fc.array(fc.record({ type: fc.constant('encoded_text' as const), tokens: fc.array(token) }), {
      maxLength: 3,
    }),
  }),
  loss_fn_inputs: fc.dictionary(
    name,
    fc.oneof(
      fc.array(float32, { minLength: 1 }).map((data) => ({ data, dtype: 'float32' as const, shape: [data.length] })),
      fc
        .array(fc.maxSafeInteger(), { minLength: 1 })
        .map((data) => ({ data, dtype: 'int64' as const, shape: [data.length] })),
    ),
    { maxKeys: 4, noNullPrototype: true },
  ),
});

describe('protobuf requests', () => {
  it('come back as they were sent', () => {
    const request = fc.record({
      model_id: fc.string(),
      seq_id: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
      forward_only: fc.boolean(),
      input: fc.record({
        data: fc.array(datum, { maxLength: 4 }),
        loss_fn: fc.string(),
        loss_fn_config: fc.dictionary(
          name,
          fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.string()),
          {
            noNullPrototype: true,
          },
        ),
      }),
    });
    fc.assert(
      fc.property(request, (sent) => {
        expect(same(decodeLossRequest(encodeLossRequest(sent)))).toEqual(same(sent));
      }),
    );
  });

  it('are read as Google protobuf writes them, with fields and spans this version does not know', () => {
    const hex =
      '0a036d3a3010071a3e0a0c0a0a0a08010000000200000012280a0d7461726765745f746f6b656e7312170a10020000000000000003000000000000' +
      '0018022201021a040a021804220370706f2a0f0a04636c697011000000000000d03f3a110a04636c6970120909000000000000d03f3a0b0a046d6f' +
      '64651203120178';
    expect(same(decodeLossRequest(bytesOf(hex)))).toEqual({
      model_id: 'm:0',
      seq_id: 7,
      forward_only: false,
      input: {
        data: [
          {
            model_input: { chunks: [{ type: 'encoded_text', tokens: [1, 2] }] },
            loss_fn_inputs: { target_tokens: { data: [2, 3], dtype: 'int64', shape: [2] } },
          },
        ],
        loss_fn: 'ppo',
        loss_fn_config: { clip: 0.25, mode: 'x' },
      },
    });
  });

  it('are read from any view of memory, such as a slice of a Buffer', () => {
    const data = { data: [1.5, 2.5], dtype: 'float32' as const, shape: [2] };
    const datum = {
      model_input: { chunks: [{ type: 'encoded_text' as const, tokens: [7, 8] }] },
      loss_fn_inputs: { data },
    };
    const input = { data: [datum], loss_fn: 'ppo', loss_fn_config: {} };
    const sent = { model_id: 'm', seq_id: 1, forward_only: true, input };
    const bytes = encodeLossRequest(sent);
    const padded = Buffer.concat([Buffer.of(1, 2, 3), bytes]).subarray(3);
    expect(same(decodeLossRequest(padded))).toEqual(same(sent));
  });

  it('refuse what cannot be understood instead of guessing', () => {
    const withTensor = (write: (out: ProtoWriter) => void) =>
      new ProtoWriter()
        .message(3, (d) => d.message(2, (entry) => entry.string(1, 'weights').message(2, write)))
        .finish();
    const bad: [Uint8Array, RegExp][] = [
      [withTensor((t) => t.message(2, () => {}).int(3, 1)), /sparse/],
      [withTensor((t) => t.bytes(1, Uint8Array.of(1, 2, 3)).int(3, 1)), /4-byte elements/],
      [withTensor((t) => t.bytes(1, new Uint8Array(8)).int(3, 9)), /dtype 9/],
      [new ProtoWriter().message(3, (d) => d.message(1, (c) => c.message(2, () => {}))).finish(), /encoded_text/],
      [new ProtoWriter().bytes(1, Uint8Array.of(0xff, 0xfe)).finish(), /UTF-8/],
      [Uint8Array.of(0x0a, 0x50, 1), /past the end/],
      [Uint8Array.of(0x10, 0xff), /inside a number/],
      [Uint8Array.of(0x03), /no field|wire type/],
      [Uint8Array.of(0), /no field/],
    ];
    for (const [bytes, reason] of bad) expect(() => decodeLossRequest(bytes)).toThrow(reason);
  });

  it('of arbitrary bytes are a request or a WireError, never another failure', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        for (const decode of [decodeLossRequest, decodeSampleResult, decodeForwardBackwardResult]) {
          try {
            decode(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(WireError);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('protobuf results', () => {
  it('are read as Google protobuf writes them', () => {
    const sample = '0a160801120805000000060000001a08000000bf000080bf12080000c07f000000c02003';
    const got = decodeSampleResult(bytesOf(sample));
    expect(same(got.sequences)).toEqual([{ stop_reason: 'length', tokens: [5, 6], logprobs: [-0.5, -1] }]);
    expect(got.prompt_logprobs).toEqual(Float32Array.of(Number.NaN, -2));
    const output =
      '0a0d613a41727261795265636f7264123d0a017812360a086c6f6770726f6273122a0a0c000080bf000000c0000040c0121800000000000000000400' +
      '0000000000000c00000000000000180118021a130a086c6f73733a73756d110000000000001840';
    const logprobs = (data: number[]) => ({ logprobs: { data, dtype: 'float32', shape: [data.length] } });
    expect(same(decodeForwardBackwardResult(bytesOf(output)))).toEqual({
      loss_fn_output_type: 'a:ArrayRecord',
      loss_fn_outputs: [logprobs([-1]), logprobs([-2, -3])],
      metrics: { 'loss:sum': 6 },
    });
  });

  it('of sampling come back with their prompt log-probs, the missing ones as NaN', () => {
    const sent = {
      sequences: [
        { stop_reason: 'stop' as const, tokens: [5, 6], logprobs: [-0.5, -1] },
        { stop_reason: 'length' as const, tokens: [], logprobs: [] },
      ],
      prompt_logprobs: Float32Array.of(Number.NaN, -2),
    };
    const got = decodeSampleResult(encodeSampleResult(sent));
    expect(same(got.sequences)).toEqual(sent.sequences);
    expect(got.prompt_logprobs).toEqual(sent.prompt_logprobs);
  });

  it('of forward_backward come back datum by datum', () => {
    fc.assert(
      fc.property(fc.array(fc.array(float32), { maxLength: 5 }), (rows) => {
        const sent = {
          loss_fn_output_type: 'ArrayRecord',
          loss_fn_outputs: rows.map((data) => ({
            logprobs: { data, dtype: 'float32' as const, shape: [data.length] },
          })),
          metrics: { 'loss:sum': 1.25 },
        };
        expect(same(decodeForwardBackwardResult(encodeForwardBackwardResult(sent)))).toEqual(same(sent));
      }),
    );
  });

  it('refuse offsets outside the data, uneven columns and endless empty records', () => {
    const column = (offsets: readonly number[]) => (out: ProtoWriter) =>
      out
        .bytes(1, new Uint8Array(8))
        .bytes(2, new Uint8Array(BigInt64Array.from(offsets, BigInt).buffer))
        .int(3, 1);
    const record = (write: (out: ProtoWriter) => void) => new ProtoWriter().message(2, write).finish();
    const entry = (name: string, offsets: readonly number[]) => (out: ProtoWriter) =>
      out.string(1, name).message(2, column(offsets));
    for (const bytes of [
      record((r) => r.message(2, entry('a', [0, 12]))),
      record((r) => r.message(2, entry('a', [4, 0]))),
      record((r) => r.message(2, entry('a', [0, 4, 8])).message(2, entry('b', [0, 8]))),
      record((r) => r.int(3, 1e9)),
    ]) {
      expect(() => decodeForwardBackwardResult(bytes)).toThrow(WireError);
    }
  });

  it('widen bfloat16 to the float32 it is the upper half of', () => {
    const bytes = new ProtoWriter()
      .message(2, (r) =>
        r.message(2, (entry) =>
          entry.string(1, 'x').message(2, (t) =>
            t
              .bytes(1, new Uint8Array(Uint16Array.of(0x3fc0).buffer))
              .bytes(2, new Uint8Array(BigInt64Array.of(0n, 2n).buffer))
              .int(3, 4),
          ),
        ),
      )
      .finish();
    expect(same(decodeForwardBackwardResult(bytes).loss_fn_outputs)).toEqual([
      { x: { data: [1.5], dtype: 'float32', shape: [1] } },
    ]);
  });
});

describe('fields', () => {
  it('reads negative and large varints exactly, and refuses those a number cannot hold', () => {
    const values = [0, 1, 127, 128, 2 ** 28, 2 ** 31, 2 ** 53 - 1, -1, -(2 ** 53 - 1)];
    const writer = new ProtoWriter();
    for (const value of values) writer.int(1, value);
    expect([...fields(writer.finish())].map(({ value }) => value)).toEqual(values);
    expect(() => [...fields(new ProtoWriter().int(1, 2n ** 60n + 1n).finish())]).toThrow(/exact/);
  });
});

import { describe, expect, it } from 'vitest';
import { PROTOBUF } from '../../wire/json.ts';
import { decodeLossRequest } from '../../wire/proto-request.ts';
import { zstdDecode, zstdStore } from '../../wire/zstd.ts';
import { outgoing } from './wire-form.ts';

/** A batch above the size from which bodies are packed. */
const tensor = (length: number) => ({
  data: Array.from({ length }, (_, i) => i % 97),
  dtype: 'int64' as const,
  shape: [length],
});
const body = (length: number) => ({
  model_id: 'm',
  seq_id: 3,
  forward_backward_input: {
    data: [
      {
        model_input: { chunks: [{ type: 'encoded_text' as const, tokens: Array.from({ length }, () => 5) }] },
        loss_fn_inputs: { target_tokens: tensor(length) },
      },
    ],
    loss_fn: 'cross_entropy',
  },
});
const tokensIn = (message: Uint8Array) =>
  decodeLossRequest(message).input.data[0]!.model_input.chunks[0]!.tokens.length;

describe('training data as protobuf', () => {
  it('goes out as it is, and says so, where Node has no zstd (before 22.15)', () => {
    const sent = outgoing('protobuf', 'forward_backward', body(20_000), undefined);
    expect(sent.headers).not.toHaveProperty('content-encoding');
    expect(sent.headers['content-type']).toBe(PROTOBUF);
    expect(tokensIn(sent.body as Uint8Array)).toBe(20_000);
  });

  it('is packed where Node has it, once it is large, and unpacks to the same', () => {
    const sent = outgoing('protobuf', 'forward_backward', body(20_000), zstdStore);
    expect(sent.headers['content-encoding']).toBe('zstd');
    expect(tokensIn(zstdDecode(sent.body as Uint8Array, 1 << 24))).toBe(20_000);
    expect(outgoing('protobuf', 'forward_backward', body(10), zstdStore).headers).not.toHaveProperty(
      'content-encoding',
    );
  });

  it('is packed by this Node exactly where it can', () => {
    const canPack = 'zstdCompressSync' in process.getBuiltinModule('node:zlib');
    const sent = outgoing('protobuf', 'forward_backward', body(20_000));
    expect('content-encoding' in sent.headers).toBe(canPack);
    const message = canPack ? zstdDecode(sent.body as Uint8Array, 1 << 24) : (sent.body as Uint8Array);
    expect(tokensIn(message)).toBe(20_000);
  });
});

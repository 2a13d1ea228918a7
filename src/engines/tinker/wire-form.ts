/** The two forms of the protocol on the wire: everything as JSON, or what is large as protobuf, packed where Node can. */
import * as zlib from 'node:zlib';
import { JSON_TYPE, PROTOBUF } from '../../wire/json.ts';
import type { LossInput } from '../../wire/messages.ts';
import { encodeLossRequest } from '../../wire/proto-request.ts';
import { decodeForwardBackwardResult, decodeSampleResult } from '../../wire/proto-result.ts';
import { Fault } from './fault.ts';

export type WireForm = 'json' | 'protobuf';

export interface Outgoing {
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
}

interface LossBody {
  model_id: string;
  seq_id: number;
  forward_input?: LossInput;
  forward_backward_input?: LossInput;
}

/** Smaller bodies are not worth the packing. */
const PACKED_FROM = 1 << 16;
type Pack = (bytes: Uint8Array) => Uint8Array;
/** Node has it from 22.15 on; before that, bodies go out as they are. */
const { zstdCompressSync } = zlib as { zstdCompressSync?: Pack };

export function outgoing(
  form: WireForm,
  path: string,
  body: unknown,
  pack: Pack | undefined = zstdCompressSync,
): Outgoing {
  const accept = form === 'protobuf' && path === 'retrieve_future' ? `${PROTOBUF}, ${JSON_TYPE}` : JSON_TYPE;
  if (form === 'protobuf' && (path === 'forward' || path === 'forward_backward')) {
    const { model_id, seq_id, forward_input, forward_backward_input } = body as LossBody;
    const input = (forward_input ?? forward_backward_input)!;
    const message = encodeLossRequest({ model_id, seq_id, input, forward_only: path === 'forward' });
    const packed = message.length >= PACKED_FROM ? pack?.(message) : undefined;
    const headers = { accept, 'content-type': PROTOBUF, ...(packed ? { 'content-encoding': 'zstd' } : {}) };
    // One message and one address for both.
    return { path: 'forward_backward', headers, body: packed ?? message };
  }
  return {
    path,
    headers: { accept, 'content-type': JSON_TYPE },
    body: body === undefined ? null : JSON.stringify(body),
  };
}

/** A result that came as protobuf; what it is a result of, only the caller knows. */
export class ProtoResult {
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

export function decoded(path: string, answer: unknown): unknown {
  if (!(answer instanceof ProtoResult)) return answer;
  try {
    return path === 'asample' ? decodeSampleResult(answer.bytes) : decodeForwardBackwardResult(answer.bytes);
  } catch (error) {
    throw new Fault('badAnswer', error instanceof Error ? error.message : String(error));
  }
}

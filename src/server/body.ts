/** The body of a request: bounded, unpacked, and as a message in JSON form whichever way it was written. */
import type { IncomingMessage } from 'node:http';
import { JSON_TYPE, PROTOBUF } from '../wire/json.ts';
import { WireError } from '../wire/proto-reader.ts';
import { decodeLossRequest } from '../wire/proto-request.ts';
import { zstdDecode } from '../wire/zstd.ts';
import { Refusal } from './refusal.ts';

export interface Body {
  /** Which call it is: forward is a forward_backward that says so. */
  call: string;
  message: unknown;
}

export async function readBody(request: IncomingMessage, call: string, maxBytes: number): Promise<Body> {
  const bytes = await readBytes(request, maxBytes);
  const type = (request.headers['content-type'] ?? JSON_TYPE).split(';')[0]!.trim().toLowerCase();
  if (type === PROTOBUF) return readProtobuf(bytes, call);
  if (type !== JSON_TYPE)
    throw new Refusal(415, `Content-Type ${type.slice(0, 60)} is not understood: send ${JSON_TYPE}.`);
  if (bytes.length === 0) return { call, message: {} };
  try {
    return { call, message: JSON.parse(utf8.decode(bytes)) };
  } catch (error) {
    throw new WireError(`The body is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function readProtobuf(bytes: Uint8Array, call: string): Body {
  if (call !== 'forward' && call !== 'forward_backward')
    throw new Refusal(415, `${call} has no protobuf form: send ${JSON_TYPE}.`);
  const { input, forward_only, ...rest } = decodeLossRequest(bytes);
  return forward_only || call === 'forward'
    ? { call: 'forward', message: { ...rest, forward_input: input } }
    : { call, message: { ...rest, forward_backward_input: input } };
}

async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = () => new Refusal(413, `The body is larger than the ${maxBytes} bytes that this server reads.`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > maxBytes) throw tooLarge();
    pieces.push(piece);
  }
  const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return bytes;
  if (encoding === 'zstd') return zstdDecode(bytes, maxBytes);
  throw new Refusal(415, `Content-Encoding ${encoding.slice(0, 60)} is not understood: send zstd, or none.`);
}

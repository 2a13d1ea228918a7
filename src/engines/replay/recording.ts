/** A recording on disk: one JSON object a line, {key, answer}, with ids and log-probs as base64 of their exact bytes. */
import { canonicalJson } from '../../core/content-id.ts';
import { hashText, hex } from '../../core/hash.ts';
import type { Player } from '../../core/types.ts';

/** What was asked of whom. Signals are not part of a question. */
export function callKey(player: Player, method: string, question: unknown): string {
  return hex(hashText(canonicalJson([player, method, JSON.parse(encode(question))])));
}

export function encode(value: unknown): string {
  return JSON.stringify(value ?? null, (_, field) => {
    if (field instanceof Int32Array) return { $int32: base64(field) };
    if (field instanceof Float32Array) return { $float32: base64(field) };
    if (field instanceof AbortSignal) return undefined;
    return field;
  });
}

export function decode(text: string): unknown {
  return JSON.parse(text, (_, field) => {
    if (typeof field?.$int32 === 'string') return new Int32Array(bytes(field.$int32));
    if (typeof field?.$float32 === 'string') return new Float32Array(bytes(field.$float32));
    return field;
  });
}

const base64 = ({ buffer, byteOffset, byteLength }: Int32Array | Float32Array) =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

/** A fresh buffer: slices of Buffer's pool are not aligned to four bytes. */
const bytes = (text: string): ArrayBuffer => Uint8Array.from(Buffer.from(text, 'base64')).buffer;

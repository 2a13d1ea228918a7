/** Outcomes as HTTP answers: protobuf for those who ask for it, JSON otherwise. */
import type { ServerResponse } from 'node:http';
import { JSON_TYPE, PROTOBUF, plainForwardBackward, plainSample } from '../wire/json.ts';
import { encodeForwardBackwardResult, encodeSampleResult } from '../wire/proto-result.ts';
import type { Outcome } from './futures.ts';

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  send(response, status, JSON_TYPE, JSON.stringify(value));
}

export function sendOutcome(response: ServerResponse, outcome: Outcome, { protobuf }: { protobuf: boolean }): void {
  switch (outcome.kind) {
    case 'forwardBackward':
      if (protobuf) send(response, 200, PROTOBUF, encodeForwardBackwardResult(outcome.value));
      else sendJson(response, 200, plainForwardBackward(outcome.value));
      return;
    case 'sample':
      if (protobuf) send(response, 200, PROTOBUF, encodeSampleResult(outcome.value));
      else sendJson(response, 200, plainSample(outcome.value));
      return;
    case 'plain':
      sendJson(response, 200, outcome.value);
      return;
    case 'failed':
      sendJson(response, 200, { error: outcome.error, category: outcome.category });
      return;
    default:
      outcome satisfies never;
  }
}

function send(response: ServerResponse, status: number, type: string, body: string | Uint8Array): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    'content-type': type,
    'content-length': typeof body === 'string' ? Buffer.byteLength(body) : body.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(status === 429 ? { 'retry-after': '1' } : {}),
  });
  response.end(body);
}

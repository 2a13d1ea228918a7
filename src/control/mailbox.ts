/**
 * Requests on their way to a run: `control.jsonl` in its folder, one a line, appended by anyone who has the token and read
 * by the run between its steps. The run's own database has one writer, and stays so.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type ControlAction, readAction, readWho } from './action.ts';
import { ControlError } from './errors.ts';
import { isProof, proofOf } from './token.ts';

export interface Request {
  id: string;
  who: string;
  timeMs: number;
  action: ControlAction;
}

const MAX_BYTES = 1024 * 1024;

export const mailboxFile = (folder: string): string => join(folder, 'control.jsonl');

/** Appends a request with the proof that its author has the token. */
export function post(folder: string, token: string, action: ControlAction, who: string): Request {
  const request: Request = { id: randomUUID(), who: readWho(who), timeMs: Date.now(), action };
  const text = JSON.stringify(request);
  const out = openToAppend(mailboxFile(folder));
  try {
    if (fstatSync(out).size > MAX_BYTES) {
      throw new ControlError(
        'full',
        'The run has been sent too many requests. Resume it to start over with an empty list.',
      );
    }
    // One write of one line: what several processes append does not mix.
    writeSync(out, `${JSON.stringify({ text, proof: proofOf(token, text) })}\n`);
  } finally {
    closeSync(out);
  }
  return request;
}

/** Never makes the file: a run that listens has. */
function openToAppend(file: string): number {
  try {
    return openSync(file, constants.O_WRONLY | constants.O_APPEND);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new ControlError('notRunning', 'The run has ended meanwhile.');
  }
}

export interface Mailbox extends Disposable {
  /** What has arrived since the last call, whole lines only; a line that is no request of ours is an error with a reason. */
  take(): (Request | { refused: string })[];
}

/** Makes an empty mailbox that only its owner can read, and reads it. */
export function openMailbox(folder: string, token: string): Mailbox {
  const file = openSync(mailboxFile(folder), 'w+', 0o600);
  let offset = 0;
  return {
    take() {
      const size = Math.min(fstatSync(file).size, 2 * MAX_BYTES);
      if (size <= offset) return [];
      const bytes = Buffer.alloc(size - offset);
      const read = readSync(file, bytes, 0, bytes.length, offset);
      const end = bytes.subarray(0, read).lastIndexOf(0x0a) + 1;
      offset += end;
      return bytes
        .subarray(0, end)
        .toString('utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => readRequest(line, token));
    },
    [Symbol.dispose]() {
      closeSync(file);
      rmSync(mailboxFile(folder), { force: true });
    },
  };
}

function readRequest(line: string, token: string): Request | { refused: string } {
  try {
    const { text, proof } = JSON.parse(line);
    if (typeof text !== 'string' || typeof proof !== 'string' || !isProof(token, text, proof)) {
      return { refused: 'a request without a valid token' };
    }
    const { id, who, timeMs, action } = JSON.parse(text);
    return { id: String(id).slice(0, 64), who: readWho(who), timeMs: readTime(timeMs), action: readAction(action) };
  } catch (error) {
    return { refused: error instanceof ControlError ? error.message : 'a line that is no request' };
  }
}

/** When it was asked, if that is a moment; otherwise now. */
function readTime(value: unknown): number {
  const at = typeof value === 'number' ? new Date(value).getTime() : Number.NaN;
  return Number.isNaN(at) ? Date.now() : at;
}

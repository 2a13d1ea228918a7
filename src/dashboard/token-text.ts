/**
 * The text of tokens, from a thread that is started by the first question and ends when nobody has asked for a while: the
 * server's memory is that of a server again. A tokenizer that takes too long or too much costs its thread, nothing else.
 */
import { Worker } from 'node:worker_threads';
import type { TokenTexts } from './api.ts';
import type { TokenAnswer, TokenQuestion } from './token-thread.ts';

export type TokenText = (folder: string, lists: readonly (readonly number[])[]) => Promise<TokenTexts>;

export interface TokenTextOptions {
  patienceMs?: number;
  idleMs?: number;
  /** Another program for the thread, for tests. */
  entry?: URL;
}

/** A page shows some thousands; more are not read by anyone. */
export const MOST_TOKENS = 200_000;
const MOST_MEGABYTES = 1024;

export function openTokenText({
  patienceMs = 20_000,
  idleMs = 60_000,
  entry = compiledEntry(),
}: TokenTextOptions = {}): TokenText {
  let thread: { worker: Worker; waiting: Map<number, (answer: TokenTexts) => void> } | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last = 0;

  const end = (why: string) => {
    const ended = thread;
    thread = undefined;
    clearTimeout(idle);
    for (const answer of ended?.waiting.values() ?? []) answer({ texts: null, why });
    ended?.worker.terminate();
  };
  const start = () => {
    const worker = new Worker(entry, {
      name: 'tokens',
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
    });
    const started = { worker, waiting: new Map<number, (answer: TokenTexts) => void>() };
    worker.on('message', (answer: TokenAnswer) => {
      const told = started.waiting.get(answer.id);
      started.waiting.delete(answer.id);
      told?.('texts' in answer ? { texts: answer.texts, why: null } : { texts: null, why: answer.why });
      if (started.waiting.size === 0 && thread === started) {
        // Idle, it must not keep a server alive that is done.
        worker.unref();
        clearTimeout(idle);
        idle = setTimeout(() => end(''), idleMs).unref();
      }
    });
    const lose = (why: string) => {
      if (thread === started) end(why);
    };
    worker.on('error', (error) => lose(`The tokenizer can’t be used: ${error.message}`));
    worker.on('exit', () => lose('The tokenizer’s thread ended.'));
    return started;
  };

  return (folder, lists) => {
    const tokens = lists.reduce((sum, ids) => sum + ids.length, 0);
    if (tokens > MOST_TOKENS) {
      return Promise.resolve({ texts: null, why: `${tokens} tokens are too many to show as text at once.` });
    }
    clearTimeout(idle);
    thread ??= start();
    const { worker, waiting } = thread;
    worker.ref();
    const id = ++last;
    return new Promise((done) => {
      const patience = setTimeout(
        () => end(`The tokenizer took longer than ${patienceMs / 1000} s.`),
        patienceMs,
      ).unref();
      waiting.set(id, (answer) => {
        clearTimeout(patience);
        done(answer);
      });
      worker.postMessage({ id, folder, lists: lists.map((ids) => [...ids]) } satisfies TokenQuestion);
    });
  };
}

/** Run from its sources, the server starts the compiled thread: Node 20 has no TypeScript in threads. */
function compiledEntry(): URL {
  const fromSource = import.meta.url.endsWith('.ts');
  return new URL(fromSource ? '../../dist/dashboard/token-thread.js' : './token-thread.js', import.meta.url);
}

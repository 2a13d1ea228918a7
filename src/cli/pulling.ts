/** A download as a command: Ctrl-C keeps what has arrived and says how to go on; nothing stays open, however it ends. */
import { openTransport } from '../data/transport.ts';
import { Interrupted } from './errors.ts';
import type { CommonOptions } from './options.ts';
import { openScreen, type Screen } from './screen.ts';

export interface Pulling {
  screen: Screen;
  dispatcher: ReturnType<typeof openTransport>;
  signal: AbortSignal;
}

/** @param again what to type to go on */
export async function pulling(
  again: string,
  { quiet, json }: CommonOptions,
  work: (tools: Pulling) => Promise<void>,
): Promise<void> {
  const screen = openScreen(process.stderr, quiet === true || json === true);
  const abort = new AbortController();
  const interrupt = () => abort.abort(new Interrupted(`Stopped. What has arrived is kept; go on with: ${again}`));
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  const dispatcher = openTransport();
  try {
    await work({ screen, dispatcher, signal: abort.signal });
  } catch (error) {
    // Timers and streams have an error of their own for it.
    throw abort.signal.aborted ? abort.signal.reason : error;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    screen.close();
    await dispatcher.destroy();
  }
}

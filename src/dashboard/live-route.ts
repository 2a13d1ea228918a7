/** A run as it happens, over HTTP: server-sent events to one page. */
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { LiveUpdate } from './api.ts';
import type { Live } from './live.ts';
import { mergeUpdates, paced } from './paced.ts';
import { askEpoch } from './questions.ts';
import type { OpenRun } from './run-index.ts';

const HEARTBEAT_MS = 15_000;
/** @hono/node-server holds something of every chunk until its stream ends; so a stream ends, and the page asks for another. */
const MOST_EVENTS = 1000;

export function liveRoute(live: Live, mostEvents: number = MOST_EVENTS) {
  return (c: Context<{ Variables: { run: OpenRun } }>): Response =>
    streamSSE(c, async (stream) => {
      const { id, state } = c.var.run;
      const from = askEpoch(c.req.query('from') ?? '0');
      let events = 0;
      let end = () => {};
      const tell = async (event: string, data: unknown) => {
        // An update that waited for its turn comes with the next stream.
        if (stream.aborted || events >= mostEvents) return;
        await stream.writeSSE({ event, data: JSON.stringify(data) });
        if (++events >= mostEvents) end();
      };
      const send = (update: LiveUpdate) => tell('update', update);
      await send({
        head: state.head(),
        epochs: state.rows((epoch) => epoch >= from && state.isDrawn(epoch)),
        notes: [],
      });
      const sendOn = paced(send, mergeUpdates);
      await new Promise<void>((done) => {
        const unwatch = live.watch(id, (event) => {
          if (event.kind === 'update') sendOn(event.update);
          else tell('problem', { error: event.message });
        });
        const heartbeat = setInterval(() => tell('alive', null), HEARTBEAT_MS);
        end = () => {
          clearInterval(heartbeat);
          unwatch();
          done();
        };
        stream.onAbort(end);
      });
      if (!stream.aborted) await stream.writeSSE({ event: 'again', data: '' });
    });
}

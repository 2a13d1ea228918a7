import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import type { LiveUpdate, RunHead } from './api.ts';
import type { Live, LiveEvent } from './live.ts';
import { liveRoute } from './live-route.ts';
import type { OpenRun } from './run-index.ts';

const head = { id: 'otter' } as RunHead;
const update: LiveUpdate = { head, epochs: [], notes: [] };

/** The route over a run of which the test tells the news. */
function open(mostEvents: number) {
  let listener: ((event: LiveEvent) => void) | undefined;
  const live: Live = {
    watch(_, told) {
      listener = told;
      return () => {
        listener = undefined;
      };
    },
    [Symbol.dispose]() {},
  };
  const run = { id: 'otter', state: { head: () => head, rows: () => [] } } as unknown as OpenRun;
  const app = new Hono<{ Variables: { run: OpenRun } }>()
    .use((c, next) => {
      c.set('run', run);
      return next();
    })
    .get('/live', liveRoute(live, mostEvents));
  return { app, tell: (event: LiveEvent) => listener?.(event), isWatched: () => listener !== undefined };
}

describe('a stream of updates', () => {
  it('ends after so many events with the advice to ask again, and watches no longer', async () => {
    const { app, tell, isWatched } = open(3);
    const answer = await app.request('/live');
    const news = setInterval(() => tell({ kind: 'update', update }), 1);
    const text = await answer.text();
    clearInterval(news);
    expect([...text.matchAll(/^event: (.*)$/gm)].map(([, event]) => event)).toEqual([
      'update',
      'update',
      'update',
      'again',
    ]);
    expect(isWatched()).toBe(false);
  });

  it('tells of problems, and ends with its reader', async () => {
    const { app, tell, isWatched } = open(100);
    const reader = (await app.request('/live')).body!.getReader();
    await reader.read();
    await expect.poll(isWatched).toBe(true);
    tell({ kind: 'problem', message: 'gone' });
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('{"error":"gone"}');
    await reader.cancel();
    await expect.poll(isWatched).toBe(false);
  });
});

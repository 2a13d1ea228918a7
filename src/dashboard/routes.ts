/** Everything the dashboard answers to, behind one door. */
import { Hono } from 'hono';
import { StoreError } from '../store/index.ts';
import { VERSION } from '../version.ts';
import type { RunList } from './api.ts';
import type { Asset } from './assets.ts';
import { comparePage, compareVersion, MOST_RUNS } from './compare.ts';
import type { ControlDesk } from './control-desk.ts';
import { openLive } from './live.ts';
import { askKey, BadQuestion } from './questions.ts';
import { runRow } from './run-head.ts';
import type { RunIndex } from './run-index.ts';
import { runRoutes } from './run-routes.ts';
import { knownHost, needToken, readOnly, sameSite, securityHeaders } from './security.ts';

export interface RouteOptions {
  index: RunIndex;
  assets: ReadonlyMap<string, Asset>;
  /** The address the server is bound to. */
  host: string;
  /** Needed for every answer where it is given. */
  token?: string | undefined;
  /** Where it is given, runs can be steered from the page. */
  desk?: ControlDesk | undefined;
}

const CONTROL_PATH = /^\/api\/runs\/[^/]+\/control$/;

export function routes({ index, assets, host, token, desk }: RouteOptions): Hono {
  const app = new Hono();
  app.use(securityHeaders, knownHost(host), readOnly(desk && CONTROL_PATH));
  if (token !== undefined) app.use(needToken(token));
  app.use('/api/*', sameSite, async (c, next) => {
    await next();
    c.header('Cache-Control', 'no-store');
  });

  app.get('/api/runs', (c) => c.json(runList(index)));
  const askedRuns = (ids: readonly string[] = []) => {
    if (ids.length > MOST_RUNS) throw new BadQuestion(`run: at most ${MOST_RUNS} at a time`);
    return ids;
  };
  app.get('/api/compare', (c) =>
    c.json(comparePage(index, askedRuns(c.req.queries('run')), askKey(c.req.query('key')))),
  );
  app.get('/api/compare/version', (c) => c.json({ version: compareVersion(index, askedRuns(c.req.queries('run'))) }));
  app.route('/api/runs', runRoutes(index, openLive(index), desk));
  app.all('/api/*', (c) => c.json({ error: 'There is no such question.' }, 404));

  app.get('*', (c) => {
    // Every other path is a place inside the page, which finds its own way.
    const asset = assets.get(c.req.path) ?? (c.req.path.startsWith('/assets/') ? undefined : assets.get('/index.html'));
    if (!asset) return c.text('The page has not been built: npm run build\n', 404);
    const zipped = c.req.header('accept-encoding')?.includes('gzip') ?? false;
    return c.body(zipped ? asset.gzip : asset.body, 200, {
      'Content-Type': asset.type,
      'Cache-Control': asset.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      Vary: 'Accept-Encoding',
      ...(zipped ? { 'Content-Encoding': 'gzip' } : {}),
    });
  });

  app.onError((error, c) => {
    if (error instanceof BadQuestion) return c.json({ error: error.message }, 400);
    // What the store says is meant for people; anything else is our mistake, and its message is better than none.
    if (!(error instanceof StoreError)) return c.json({ error: error.message }, 500);
    // A run that is being made has a folder before it has a run: the page asks again.
    return c.json({ error: error.message }, error.kind === 'missing' ? 404 : 409);
  });
  return app;
}

function runList(index: RunIndex): RunList {
  const runs = index.ids().map((id): RunList['runs'][number] => {
    try {
      const run = index.open(id);
      if (!run) throw new Error('Its folder was removed.');
      return runRow(id, run.reader, index.writtenAt(id));
    } catch (error) {
      return { id, status: 'unreadable', reason: error instanceof Error ? error.message : String(error) };
    }
  });
  return { version: VERSION, runsDir: index.runsDir, runs };
}

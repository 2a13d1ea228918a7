/** The questions about one run: /api/runs/<run>/… */
import { Hono } from 'hono';
import type { BatchPage, EpochPage, GenerationView, Overview } from './api.ts';
import type { ControlDesk } from './control-desk.ts';
import { controlRoutes } from './control-routes.ts';
import type { Live } from './live.ts';
import { liveRoute } from './live-route.ts';
import { passportPage, rolloutPage } from './passport.ts';
import { askBatches, askEpoch, askKey, askRejections, askRollouts, askTasks, BadQuestion } from './questions.ts';
import type { OpenRun, RunIndex } from './run-index.ts';
import { searchTasks } from './search-tasks.ts';
import { tokenRoutes } from './token-routes.ts';
import { openTokenText } from './token-text.ts';
import { generationView } from './views.ts';
import { votePage } from './votes.ts';

/** What is waited for before the first answer; the rest comes through the stream. */
const FIRST_COUNT_MS = 30;
const MOST_SERIES = 24;
const BATCHES_SHOWN = 200;
const ROWS_SHOWN = 100;

export function runRoutes(index: RunIndex, live: Live, desk?: ControlDesk): Hono<{ Variables: { run: OpenRun } }> {
  const routes = new Hono<{ Variables: { run: OpenRun } }>();

  routes.use('/:run/*', async (c, next) => {
    const run = index.open(c.req.param('run'));
    if (!run) return c.json({ error: `There is no run of that name in ${index.runsDir}.` }, 404);
    c.set('run', run);
    return next();
  });

  routes.get('/:run/overview', (c) => {
    const { state } = c.var.run;
    state.refresh();
    state.count(FIRST_COUNT_MS);
    const answer: Overview = {
      head: state.head(),
      epochs: state.rows(),
      stride: state.stride(),
      notes: state.notes(0),
    };
    return c.json(answer);
  });

  routes.get('/:run/live', liveRoute(live));

  routes.route('/', controlRoutes(desk));

  routes.get('/:run/metrics', (c) => c.json({ metrics: c.var.run.reader.browse.metricSummaries() }));
  routes.get('/:run/series', (c) => {
    const keys = c.req.queries('key') ?? [];
    if (keys.length > MOST_SERIES) throw new BadQuestion(`key: at most ${MOST_SERIES} at a time`);
    return c.json(keys.map((key) => c.var.run.series(askKey(key))));
  });
  routes.get('/:run/pools', (c) => c.json({ growth: c.var.run.reader.browse.poolGrowth() }));

  routes.get('/:run/epochs/:epoch', (c) => {
    const epoch = askEpoch(c.req.param('epoch'));
    const { reader, state } = c.var.run;
    state.refresh();
    const last = reader.cursor()?.epoch ?? 0;
    const batches = reader.browse.batches(epoch, {
      after: askBatches(c.req.query()).after ?? 0,
      limit: BATCHES_SHOWN + 1,
    });
    if (epoch > last) return c.json({ error: `The run is in epoch ${last}; there is no epoch ${epoch} yet.` }, 404);
    const answer: EpochPage = {
      epoch,
      row: { epoch, metrics: reader.metrics(epoch), facts: reader.browse.epochFacts(epoch) },
      batches: batches.slice(0, BATCHES_SHOWN),
      more: batches.length > BATCHES_SHOWN,
      structures: reader.browse.structures(epoch),
      rejections: reader.browse.rejections({ epoch, limit: 20 }),
      previous: epoch > 0 ? epoch - 1 : null,
      next: epoch < last ? epoch + 1 : null,
    };
    return c.json(answer);
  });
  routes.get('/:run/epochs/:epoch/batches/:seed', (c) => {
    const { reader } = c.var.run;
    const [epoch, seedId] = [askEpoch(c.req.param('epoch')), c.req.param('seed')];
    const variations = reader.browse.variations(epoch, seedId);
    if (variations.length === 0) return c.json({ error: `Nothing was written from ${seedId} in epoch ${epoch}.` }, 404);
    const words = reader.task(seedId)?.prompt.at(-1)?.content ?? null;
    return c.json({ epoch, seedId, words, variations } satisfies BatchPage);
  });

  routes.get('/:run/tasks', async (c) =>
    c.json(await searchTasks(c.var.run.reader.browse, askTasks(c.req.query()), c.req.raw.signal)),
  );
  routes.get('/:run/rejections', (c) => {
    const filter = askRejections(c.req.query());
    const limit = filter.limit ?? ROWS_SHOWN;
    const found = c.var.run.reader.browse.rejections({ ...filter, limit: limit + 1 });
    return c.json({ rejections: found.slice(0, limit), more: found.length > limit });
  });
  routes.get('/:run/tasks/:task', (c) => {
    const page = passportPage(c.var.run.reader, c.req.param('task'));
    return page ? c.json(page) : c.json({ error: 'The run has no task of that id.' }, 404);
  });
  routes.get('/:run/tasks/:task/rollouts', (c) => {
    const page = rolloutPage(c.var.run.reader, c.req.param('task'), askRollouts(c.req.query()));
    return page ? c.json(page) : c.json({ error: 'The agent has not attempted this task then.' }, 404);
  });
  routes.get('/:run/tasks/:task/votes', (c) => {
    const page = votePage(c.var.run.reader, c.req.param('task'));
    return page ? c.json(page) : c.json({ error: 'The run has no task of that id.' }, 404);
  });
  routes.route('/', tokenRoutes(openTokenText()));
  routes.get('/:run/generations/:id', (c) => {
    const found = c.var.run.reader.generation(c.req.param('id'));
    if (!found) return c.json({ error: 'The run has no generation of that id.' }, 404);
    return c.json(generationView(found) satisfies GenerationView);
  });
  return routes;
}

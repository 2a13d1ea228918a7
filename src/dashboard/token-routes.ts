/** What the tokens of a run say: /api/runs/<run>/…/text. Asked for after the page is there, and never in its way. */
import { Hono } from 'hono';
import type { Player } from '../core/types.ts';
import type { TokenTexts } from './api.ts';
import { rolloutGroup } from './passport.ts';
import { askRollouts } from './questions.ts';
import { configOf } from './run-head.ts';
import type { OpenRun } from './run-index.ts';
import type { TokenText } from './token-text.ts';
import { tokenizerFolder } from './tokenizer-folder.ts';

export function tokenRoutes(tokenText: TokenText): Hono<{ Variables: { run: OpenRun } }> {
  const routes = new Hono<{ Variables: { run: OpenRun } }>();
  const textsOf = async ({ reader }: OpenRun, player: Player, lists: readonly Int32Array[]): Promise<TokenTexts> => {
    const found = tokenizerFolder(configOf(reader).config, reader.folder, player);
    if ('why' in found) return { texts: null, why: found.why };
    return tokenText(
      found.folder,
      lists.map((ids) => [...ids]),
    );
  };

  /** The turns of all rollouts of a group, one after another. */
  routes.get('/:run/tasks/:task/rollouts/text', async (c) => {
    const { run } = c.var;
    const group = rolloutGroup(run.reader, c.req.param('task'), askRollouts(c.req.query()));
    if (!group) return c.json({ error: 'The agent has not attempted this task then.' }, 404);
    const turns = group.traces.flatMap((trace) => trace.turns);
    return c.json(
      await textsOf(
        run,
        'agent',
        turns.map(({ tokens }) => tokens),
      ),
    );
  });
  routes.get('/:run/generations/:id/text', async (c) => {
    const found = c.var.run.reader.turn(c.req.param('id'));
    if (!found) return c.json({ error: 'The run has no generation of that id.' }, 404);
    return c.json(await textsOf(c.var.run, 'environment', [found.tokens]));
  });
  return routes;
}

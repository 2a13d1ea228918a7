/**
 * The one place where the dashboard passes something on to a run: POST /api/runs/<run>/control. It is there only where
 * `genenv ui --control` was given, for our own page, with the token of the run.
 */
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { ControlError, type ControlErrorKind } from '../control.ts';
import type { ControlPage, ControlRequest } from './api.ts';
import type { ControlDesk } from './control-desk.ts';
import type { OpenRun } from './run-index.ts';
import { ownPage } from './security.ts';

/** The header the page sends the token in. Another site could not, even where it may post. */
export const TOKEN_HEADER = 'X-GenEnv-Control';

const MOST_BYTES = 8 * 1024;

const STATUS: Record<ControlErrorKind, 400 | 403 | 409 | 429> = {
  invalid: 400,
  limit: 400,
  token: 403,
  off: 409,
  notRunning: 409,
  finished: 409,
  full: 429,
};

export function controlRoutes(desk: ControlDesk | undefined): Hono<{ Variables: { run: OpenRun } }> {
  const routes = new Hono<{ Variables: { run: OpenRun } }>();
  routes.get('/:run/control', (c) =>
    answered(c, () => {
      const page: ControlPage = desk?.page(c.var.run.reader, c.req.header(TOKEN_HEADER)) ?? { offered: false };
      return c.json(page);
    }),
  );
  if (!desk) return routes;

  const tooLong = (c: Context) => c.json({ error: `An action has at most ${MOST_BYTES} bytes.` }, 413);
  routes.post('/:run/control', ownPage, bodyLimit({ maxSize: MOST_BYTES, onError: tooLong }), async (c) => {
    const token = c.req.header(TOKEN_HEADER);
    if (!token) return c.json({ error: `An action needs the token of the run (header ${TOKEN_HEADER}).` }, 401);
    if (!/^application\/json\b/.test(c.req.header('content-type') ?? '')) {
      return c.json({ error: 'An action is sent as application/json.' }, 415);
    }
    const request = readRequest(await c.req.text());
    if (!request)
      return c.json({ error: 'This is no action: { "action": { "kind": … }, "who": … } is expected.' }, 400);
    return answered(c, () => c.json(desk.send(c.var.run.reader, token, request), 202));
  });
  return routes;
}

/** What the action is, and who it is from, is checked where it is passed on; here only that it is an object. */
function readRequest(text: string): ControlRequest | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'action' in value ? (value as ControlRequest) : null;
  } catch {
    return null;
  }
}

function answered(c: Context, answer: () => Response): Response {
  try {
    return answer();
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    return c.json({ error: error.message, kind: error.kind }, STATUS[error.kind]);
  }
}

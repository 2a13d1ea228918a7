/** The dashboard's server: local and offline. It looks at runs and never touches them, unless it was started to steer them. */
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { readAssets } from './assets.ts';
import { openControlDesk } from './control-desk.ts';
import { routes } from './routes.ts';
import { openRunIndex } from './run-index.ts';
import { isLoopback, newToken } from './security.ts';

export interface DashboardOptions {
  runsDir: string;
  host?: string;
  /** 0 for any free one. */
  port?: number;
  /** Runs that were started with `--control` can be steered from the page; `who` is the name on record. */
  control?: { who: string };
}

export interface Dashboard {
  /** What to open; with the token where one is needed. */
  url: string;
  port: number;
  close(): Promise<void>;
}

export const USUAL_PORT = 4180;

export async function startDashboard(options: DashboardOptions): Promise<Dashboard> {
  const { runsDir, host = '127.0.0.1', port = USUAL_PORT, control } = options;
  const token = isLoopback(host) ? undefined : newToken();
  const index = openRunIndex(runsDir);
  const app = routes({ index, assets: readAssets(), host, token, desk: control && openControlDesk(control) });
  const { server, info } = await listen(app.fetch, host, port);
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name}:${info.port}/${token === undefined ? '' : `?token=${token}`}`,
    port: info.port,
    close: () =>
      new Promise((done) => {
        server.close(() => {
          index[Symbol.dispose]();
          done();
        });
        // Streams of open pages would hold it forever.
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}

function listen(fetch: Parameters<typeof serve>[0]['fetch'], hostname: string, port: number) {
  return new Promise<{ server: ReturnType<typeof serve>; info: AddressInfo }>((done, failed) => {
    const server = serve({ fetch, hostname, port }, (info) => done({ server, info }));
    server.on('error', failed);
  });
}

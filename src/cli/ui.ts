/** `genenv ui`: the dashboard over a folder of runs, until Ctrl-C. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { checkToken } from '../control.ts';
import { type Dashboard, startDashboard, USUAL_PORT } from '../dashboard/server.ts';
import { UsageError } from './errors.ts';
import { command } from './next-step.ts';
import { type CommonOptions, wholeNumber } from './options.ts';
import { findRun } from './run-folder.ts';
import { paint, say, sayJson } from './say.ts';
import { userName } from './user-name.ts';
import { visible } from './visible.ts';

export interface UiOptions extends CommonOptions {
  port?: string;
  host?: string;
  open?: boolean;
  control?: boolean;
  token?: string;
}

export async function ui(run: string | undefined, options: UiOptions): Promise<void> {
  const place = run === undefined ? options : findRun(run, options);
  const { runsDir } = place;
  const token = steeringToken(options);
  const dashboard = await start(runsDir, options);
  const link = withToken('run' in place ? withRun(dashboard.url, place.run) : dashboard.url, token);
  if (options.json) sayJson({ url: link, port: dashboard.port, runsDir });
  else say(...greeting(link, runsDir, options));
  if (options.open) openBrowser(link);
  await interrupted();
  await dashboard.close();
}

/** Where no port was asked for, one that is taken is no reason to fail. */
const TRIES = 20;

async function start(runsDir: string, { port, host, control }: UiOptions): Promise<Dashboard> {
  const asked = port === undefined ? undefined : wholeNumber('--port', port, 0);
  if (asked !== undefined && asked > 65_535) throw new UsageError(`--port must be at most 65535 (got ${asked}).`);
  const address = {
    runsDir,
    ...(host === undefined ? {} : { host }),
    ...(control ? { control: { who: userName() } } : {}),
  };
  if (asked !== undefined) {
    return startDashboard({ ...address, port: asked }).catch((error: unknown) => {
      throw refusal(error, asked, host);
    });
  }
  for (let next = USUAL_PORT; ; next++) {
    try {
      return await startDashboard({ ...address, port: next });
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE' || next >= USUAL_PORT + TRIES) throw refusal(error, next, host);
    }
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException | undefined)?.code;

function refusal(error: unknown, port: number, host = '127.0.0.1'): unknown {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new UsageError(`Port ${port} is taken. Choose another with --port, or --port 0 for any free one.`);
    case 'EACCES':
      return new UsageError(`Port ${port} may not be used by you. Choose one above 1023 with --port.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new UsageError(`This machine has no address ${visible(host)}. Leave --host out, or give one of its own.`);
    default:
      return error;
  }
}

function withRun(url: string, run: string): string {
  const link = new URL(url);
  link.pathname = `/r/${encodeURIComponent(run)}`;
  return link.href;
}

/** The token of a run to steer, where it is known; otherwise the page asks for it. */
function steeringToken({ control, token }: UiOptions): string | undefined {
  if (token !== undefined && !control) throw new UsageError('--token is the token to steer runs with: add --control.');
  const given = control ? (token ?? process.env.GENENV_CONTROL_TOKEN) : undefined;
  return given ? checkToken(given) : undefined;
}

/** Behind the #, where no server and no log sees it. */
function withToken(url: string, token: string | undefined): string {
  if (token === undefined) return url;
  const link = new URL(url);
  link.hash = `control=${encodeURIComponent(token)}`;
  return link.href;
}

function greeting(link: string, runsDir: string, { host, quiet, control }: UiOptions): string[] {
  if (quiet) return [link];
  const what = control
    ? 'Runs that were started with --control can be steered with their token.'
    : 'It reads and changes nothing.';
  const where = host === undefined ? 'for this machine only' : 'for everybody who has this link';
  return [
    '',
    `  ${paint('bold', link)}`,
    paint('dim', `  The runs in ${visible(runsDir)}, ${where}. ${what} Ctrl-C ends it.`),
    ...(existsSync(runsDir)
      ? []
      : [`  That folder is not there yet; start a run with: ${command({ runsDir }, 'train')}`]),
    '',
  ];
}

/** The link is printed anyway, so a machine without a browser loses nothing. */
function openBrowser(link: string): void {
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open', link]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', link]
        : ['xdg-open', link];
  spawn(program!, args, { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}

const interrupted = () =>
  new Promise<void>((done) => {
    process.once('SIGINT', () => done()).once('SIGTERM', () => done());
  });

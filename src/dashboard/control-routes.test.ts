/** Steering through the server, with a real run that is held still while it is asked. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../config.ts';
import { newToken, readChanges } from '../control.ts';
import { playRun, tempFolder } from '../fixtures.ts';
import { createRunFolder, play } from '../run.ts';
import type { ControlPage, Overview, SteeringPage } from './api.ts';
import { openControlDesk } from './control-desk.ts';
import { routes } from './routes.ts';
import { openRunIndex, type RunIndex } from './run-index.ts';

const token = newToken();
const HOST = 'localhost:4180';
const OWN = { host: HOST, origin: `http://${HOST}`, 'sec-fetch-site': 'same-origin' };
const JSON_TYPE = { 'content-type': 'application/json' };

let index: RunIndex;
let steered: ReturnType<typeof routes>;
let plain: ReturnType<typeof routes>;
/** Played step by step by the tests; between two steps it stands still. */
let live: AsyncGenerator<{ type: string }>;
let watched: AsyncGenerator<{ type: string }>;

const never = new AbortController().signal;

function started(folder: string, options: { controlToken?: string }): AsyncGenerator<{ type: string }> {
  const { config } = loadConfig({
    overrides: { engine: 'scripted', epochs: 4, generation: { seedsPerEpoch: 8 }, curriculum: { rollouts: 4 } },
  });
  createRunFolder(folder, config);
  return play(folder, config, { stop: never, signal: never }, options);
}

/** On to the next event that `wanted` accepts. */
async function onTo(run: AsyncGenerator<{ type: string }>, wanted: (event: Record<string, unknown>) => boolean) {
  for (;;) {
    const { value, done } = await run.next();
    if (done) throw new Error('The run ended before that.');
    if (wanted(value as Record<string, unknown>)) return;
  }
}

beforeAll(async () => {
  const folder = tempFolder();
  await playRun(join(folder, 'over'), { epochs: 1 });
  await playRun(join(folder, 'halted'), { epochs: 3, stopAt: '1 epoch' });
  live = started(join(folder, 'live'), { controlToken: token });
  watched = started(join(folder, 'watched'), {});
  for (const run of [live, watched]) await onTo(run, (e) => e.type === 'progress' && e.epoch === 1);
  index = openRunIndex(folder);
  plain = routes({ index, assets: new Map(), host: '127.0.0.1' });
  steered = routes({ index, assets: new Map(), host: '127.0.0.1', desk: openControlDesk({ who: 'dana' }) });
});
afterAll(async () => {
  await Promise.all([live.return(undefined), watched.return(undefined)]);
  index[Symbol.dispose]();
});

interface Asked {
  run?: string;
  headers?: Record<string, string>;
  body?: string;
  method?: string;
}

const post = (action: unknown, { run = 'live', headers = {}, body, method = 'POST' }: Asked = {}, app = steered) =>
  app.request(`/api/runs/${run}/control`, {
    method,
    headers: { ...OWN, ...JSON_TYPE, 'x-genenv-control': token, ...headers },
    ...(method === 'GET' ? {} : { body: body ?? JSON.stringify({ action, who: 'Dana' }) }),
  });

async function refusal(answer: Promise<Response> | Response): Promise<string> {
  const { status, ...response } = { status: (await answer).status, text: await (await answer).text() };
  return `${status} ${(JSON.parse(response.text) as { error: string }).error}`;
}

const page = async (run = 'live', given = token): Promise<SteeringPage> => {
  const answer = await steered.request(`/api/runs/${run}/control`, { headers: { ...OWN, 'x-genenv-control': given } });
  expect(answer.status).toBe(200);
  return (await answer.json()) as SteeringPage;
};

const PAUSE = { kind: 'pause' };

describe('without --control', () => {
  it('nothing can be posted, and the page is told that there is nothing to offer', async () => {
    expect(await refusal(post(PAUSE, {}, plain))).toMatch(/^405 .*GET and HEAD\.$/);
    const answer = await plain.request('/api/runs/live/control', { headers: OWN });
    expect((await answer.json()) as ControlPage).toEqual({ offered: false });
  });
});

describe('an action is refused', () => {
  it('without the token of the run, or with another', async () => {
    expect(await refusal(post(PAUSE, { headers: { 'x-genenv-control': '' } }))).toMatch(/^401 .*token of the run/);
    expect(await refusal(post(PAUSE, { headers: { 'x-genenv-control': newToken() } }))).toMatch(/^403 .*not the token/);
  });

  it('from another site, and from whoever does not say where it comes from', async () => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://localhost:9999' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'none' },
      { origin: '' },
    ]) {
      expect(await refusal(post(PAUSE, { headers })), JSON.stringify(headers)).toMatch(
        /^403 Only the dashboard itself/,
      );
    }
    const silent = await steered.request('/api/runs/live/control', {
      method: 'POST',
      headers: { host: HOST, ...JSON_TYPE, 'x-genenv-control': token },
      body: JSON.stringify({ action: PAUSE, who: 'x' }),
    });
    expect(silent.status).toBe(403);
    expect((await post(PAUSE, { headers: { host: 'evil.example' } })).status).toBe(403);
  });

  it('by another method, and everywhere else by posting too', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const answer = await post(PAUSE, { method });
      expect([answer.status, answer.headers.get('allow')], method).toEqual([405, 'GET, HEAD, POST']);
    }
    for (const path of ['/api/runs', '/api/runs/live/overview', '/api/runs/live/control/x', '/', '/control']) {
      const answer = await steered.request(path, { method: 'POST', headers: { ...OWN, 'x-genenv-control': token } });
      expect([answer.status, answer.headers.get('allow')], path).toEqual([405, 'GET, HEAD']);
    }
  });

  it('where it is too long, of another type, or no action', async () => {
    expect(await refusal(post(PAUSE, { body: `"${'x'.repeat(9000)}"` }))).toMatch(/^413 .*8192 bytes/);
    expect(await refusal(post(PAUSE, { headers: { 'content-type': 'text/plain' } }))).toMatch(/^415/);
    for (const body of ['', '{', '7', 'null', '[]'])
      expect(await refusal(post(PAUSE, { body })), body).toMatch(/^400 This is no/);
    expect(await refusal(post({ kind: 'explode' }))).toMatch(/^400 An action is one of/);
    expect(await refusal(post({ kind: 'set', setting: 'seed', value: 1 }))).toMatch(/^400 Only alpha/);
    expect(await refusal(post({ kind: 'ban', structure: '' }))).toMatch(/^400 A ban needs/);
  });

  it('beyond the limits, which it names', async () => {
    const set = (setting: string, value: number) => refusal(post({ kind: 'set', setting, value }));
    expect(await set('alpha', 1.5)).toBe('400 alpha must be above 0 and below 1 (got 1.5).');
    expect(await set('agent.learningRate', 9)).toMatch(
      /^400 agent\.learningRate must be from 0\.001 to 0\.1, within 10 times/,
    );
    expect(await set('epochs', 0.5)).toMatch(/^400 epochs must be a whole number from 1/);
  });

  it('by a run that does not listen, with what to do about it', async () => {
    expect(await refusal(post(PAUSE, { run: 'over' }))).toMatch(/^409 over is finished.*genenv resume over/);
    expect(await refusal(post(PAUSE, { run: 'halted' }))).toMatch(
      /^409 halted is not running.*resume halted --control/,
    );
    expect(await refusal(post(PAUSE, { run: 'watched' }))).toMatch(/^409 watched was not started with --control/);
    expect(await refusal(post(PAUSE, { run: 'nobody' }))).toMatch(/^404 There is no run/);
    expect((await post(PAUSE, { run: '..%2f..%2fetc' })).status).toBe(404);
  });
});

describe('the page of a run', () => {
  it('says how each run stands, and whether the token opens it', async () => {
    const statuses = await Promise.all(['over', 'halted', 'watched'].map(async (run) => (await page(run)).status));
    expect(statuses).toEqual(['finished', 'notRunning', 'off']);
    expect(await page()).toMatchObject({
      status: 'running',
      unlocked: true,
      who: 'dana',
      settings: { alpha: 0.5, epochs: 4 },
      limits: { alpha: 'above 0, below 1', 'agent.learningRate': '0.001 to 0.1' },
    });
    expect(await page('live', newToken())).toMatchObject({ unlocked: false });
    expect(await page('watched')).toMatchObject({ unlocked: false, settings: null });
  });

  it('shows an action as sent until the run takes it, then as waiting until it is in force, with who and when', async () => {
    const before = Date.now();
    const answer = await post({ kind: 'set', setting: 'alpha', value: 0.3 });
    expect(answer.status).toBe(202);
    const [sent] = (await page()).events;
    expect(sent).toMatchObject({ who: 'Dana', what: 'alpha → 0.3', state: 'sent' });
    expect(sent!.timeMs).toBeGreaterThanOrEqual(before);

    await onTo(live, (event) => event.type === 'control');
    const taken = await page();
    expect(taken.events).toMatchObject([{ who: 'Dana', what: 'alpha 0.5 → 0.3, from epoch 2', state: 'waiting' }]);
    expect(taken.waiting).toEqual([{ setting: 'alpha', value: 0.3, from: 'epoch 2' }]);

    await onTo(live, (event) => event.type === 'progress' && event.epoch === 2);
    const inForce = await page();
    expect(inForce.events).toMatchObject([{ state: 'done' }]);
    expect(inForce).toMatchObject({ waiting: [], settings: { alpha: 0.3 } });
    using reader = openRunIndex(index.runsDir);
    expect(readChanges(reader.open('live')!.reader.meta())).toMatchObject([{ who: 'Dana', inForce: true }]);
    const overview = await plain.request('/api/runs/live/overview', { headers: OWN });
    const { head } = (await overview.json()) as Overview;
    expect(head.band).toEqual({ alpha: 0.5, kMin: 0.1, steps: [{ epoch: 2, alpha: 0.3 }] });
  });

  it('shows a ban from the moment it is asked for, and what the run refused with the reason', async () => {
    const { structure } = index.open('live')!.reader.browse.structures(1)[0]!;
    await post({ kind: 'ban', structure });
    await post({ kind: 'ban', structure: 'no such shape' });
    expect((await page()).bans).toEqual([
      { structure, state: 'sent' },
      { structure: 'no such shape', state: 'sent' },
    ]);
    await onTo(live, (event) => event.type === 'control' && event.accepted === false);
    const { bans, events } = await page();
    expect(bans).toEqual([{ structure, state: 'waiting' }]);
    expect(events[0]).toMatchObject({
      who: 'Dana',
      what: 'No task of the run has the structure "no such shape".',
      state: 'refused',
    });
  });

  it('keeps what was asked of a run that ended without taking it', async () => {
    await post({ kind: 'set', setting: 'epochs', value: 9 });
    await live.return(undefined);
    const { status, events, settings } = await page();
    expect([status, settings]).toEqual(['notRunning', null]);
    expect(events[0]).toMatchObject({ what: 'epochs → 9', state: 'lost' });
    expect(await refusal(post(PAUSE))).toMatch(/^409 live is not running/);
  });
});

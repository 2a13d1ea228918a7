/** How the run on screen can be steered, asked again and again while it is looked at, and what is sent to it. */
import { computed, effect, signal } from '@preact/signals';
import type { ControlPage, ControlRequest, SteeringPage } from '../../api.ts';
import { to } from '../address.ts';
import { ask } from '../answer.ts';
import { route } from '../route.ts';
import { tokenOf } from './token.ts';

export type Action = ControlRequest['action'];

const known = signal<{ run: string; page: ControlPage } | null>(null);

/** Null where nothing is known yet, and where this server steers nothing. */
export const steering = computed((): (SteeringPage & { run: string }) | null =>
  known.value?.page.offered ? { ...known.value.page, run: known.value.run } : null,
);

/** Who is named on record: chosen once, kept by the browser. */
const WHO = 'genenv-who';
export const chosenName = signal<string>(storedName());
export const nameOnRecord = computed(() => chosenName.value.trim() || (steering.value?.who ?? ''));

export function chooseName(name: string): void {
  chosenName.value = name;
  try {
    localStorage.setItem(WHO, name);
  } catch {
    // It is kept until the page is closed.
  }
}

function storedName(): string {
  try {
    return localStorage.getItem(WHO) ?? '';
  } catch {
    return '';
  }
}

const path = (run: string) => to('api', 'runs', run, 'control');

function headers(run: string): Record<string, string> {
  const token = tokenOf(run);
  return token === null ? {} : { 'X-GenEnv-Control': token };
}

/** A paused run writes nothing, so nothing would tell the page of a change: it asks. */
const OFTEN_MS = 1000;
const SELDOM_MS = 4000;

let wake = async () => {};

/** Follows the route for as long as the page is open. */
export function followControl(): void {
  let followed: string | null = null;
  let stop = () => {};
  effect(() => {
    const here = route.value;
    const run = 'run' in here ? here.run : null;
    if (run === followed) return;
    followed = run;
    stop();
    // A server that steers nothing says so once, and is not asked again.
    if (run !== null && known.peek()?.page.offered !== false) stop = poll(run);
  });
}

function poll(run: string): () => void {
  const control = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let round = 0;
  const look = async () => {
    clearTimeout(timer);
    round += 1;
    const mine = round;
    try {
      const page = await ask<ControlPage>(path(run), control.signal, { headers: headers(run) });
      if (mine !== round || control.signal.aborted) return;
      known.value = { run, page };
      if (!page.offered) return;
      timer = setTimeout(look, page.settings === null ? SELDOM_MS : OFTEN_MS);
    } catch {
      // The banner on top says that the server is gone, or that the run is not there.
      if (mine === round && !control.signal.aborted) timer = setTimeout(look, SELDOM_MS);
    }
  };
  wake = look;
  look();
  return () => {
    control.abort();
    clearTimeout(timer);
    wake = async () => {};
  };
}

/** Looks now, because something has just been done. */
export const lookAgain = (): Promise<void> => wake();

/** @throws Refused with the reason. */
export async function send(action: Action): Promise<void> {
  const run = steering.value?.run;
  if (run === undefined) return;
  const request: ControlRequest = { action, who: nameOnRecord.value };
  await ask(path(run), undefined, {
    method: 'POST',
    headers: { ...headers(run), 'Content-Type': 'application/json' },
    body: JSON.stringify(request),
  });
  lookAgain();
}

import { PassThrough } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { openScreen } from './screen.ts';

/** What a terminal of so many columns is sent while a long line moves. */
function drawnOn(columns: number): { width: number; sent: string } {
  const out = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true, columns });
  vi.stubEnv('TERM', 'xterm');
  const screen = openScreen(out as unknown as NodeJS.WriteStream, false);
  screen.move(() => 'x'.repeat(200));
  const sent = out.read();
  screen.close();
  return { width: screen.width(), sent };
}

afterEach(() => vi.unstubAllEnvs());

it('clips the moving line so that it can be erased', () => {
  expect(drawnOn(20)).toEqual({ width: 19, sent: `${'x'.repeat(18)}…` });
});

it('takes a terminal that does not know its size for one of 80 columns', () => {
  expect(drawnOn(0)).toEqual({ width: 79, sent: `${'x'.repeat(78)}…` });
});

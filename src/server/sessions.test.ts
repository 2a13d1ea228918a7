import { describe, expect, it } from 'vitest';
import type { HostSampler } from './host.ts';
import { SERVER_LIMITS } from './limits.ts';
import { Sessions } from './sessions.ts';

function recorded() {
  const released: string[] = [];
  const weights = (name: string): HostSampler => ({
    sample: async () => [],
    logprobs: async () => new Float32Array(),
    release: async () => void released.push(name),
  });
  return { released, weights };
}

describe('sessions', () => {
  it('let go of the weights that were unused longest, never of those in use, and get saved ones back', async () => {
    const { released, weights } = recorded();
    const sessions = new Sessions({ ...SERVER_LIMITS, samplers: 2 });
    const { id: session } = sessions.open();
    const add = (name: string, saved: boolean) =>
      sessions.addSampler({
        session,
        base: 'tiny',
        path: null,
        held: Promise.resolve(weights(name)),
        reopen: saved ? async () => weights(`${name} again`) : null,
        shared: false,
      });
    const [a, b] = [add('a', true), add('b', false)];
    await sessions.withSampler(a, async () => {
      add('c', false);
      await new Promise((resolve) => setImmediate(resolve));
      expect(released).toEqual(['b']);
    });
    for (const _ of [1, 2]) await expect(sessions.withSampler(b, async () => 0)).rejects.toThrow(/let go/);
    expect(b.held).toBeNull();
    add('d', false);
    await new Promise((resolve) => setImmediate(resolve));
    add('e', false);
    await new Promise((resolve) => setImmediate(resolve));
    expect(released).toEqual(['b', 'a', 'c']);
    expect(await sessions.withSampler(a, async () => 'back')).toBe('back');
    await sessions.endAll();
    expect(released).toContain('a again');
    expect(sessions.counts).toEqual({ sessions: 0, models: 0, samplers: 0 });
  });

  it('end when they went quiet, and a sign of life keeps them', async () => {
    const sessions = new Sessions({ ...SERVER_LIMITS, sessionMs: 1000 });
    const { id, seen } = sessions.open();
    await sessions.endQuiet(seen + 900);
    sessions.get(id);
    await sessions.endQuiet(Date.now() + 2000);
    expect(() => sessions.get(id)).toThrow(/ended without heartbeats/);
  });

  it('are as many as the server holds', () => {
    const sessions = new Sessions({ ...SERVER_LIMITS, sessions: 1 });
    sessions.open();
    expect(() => sessions.open()).toThrow(/the most this server holds/);
  });
});

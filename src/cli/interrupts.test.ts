import { expect, it, vi } from 'vitest';
import { listenForInterrupts } from './interrupts.ts';

it('asks to stop once, abandons the step the second time, and listens no longer than it is told', () => {
  const before = process.listenerCount('SIGINT');
  const onStop = vi.fn();
  {
    using signals = listenForInterrupts(onStop);
    expect([signals.stop.aborted, signals.signal.aborted]).toEqual([false, false]);
    process.emit('SIGINT');
    expect([signals.stop.aborted, signals.signal.aborted]).toEqual([true, false]);
    process.emit('SIGTERM');
    expect([signals.stop.aborted, signals.signal.aborted]).toEqual([true, true]);
    expect(signals.signal.reason.message).toContain('What was committed is safe');
    process.emit('SIGINT');
  }
  expect(onStop).toHaveBeenCalledOnce();
  expect(process.listenerCount('SIGINT')).toBe(before);
});

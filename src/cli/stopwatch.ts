/** Rates and remaining time of a run, from the items of the phase at hand and the epochs done so far. */
import type { PhaseProgress } from '../core/events.ts';

export interface Stopwatch {
  /** An event of a phase came. */
  tick(event: PhaseProgress): void;
  /** Items per second in this phase; undefined before the first. */
  perSecond(): number | undefined;
  /** Seconds since this phase began. */
  inPhase(): number;
  /** Seconds until this phase ends at its rate so far; undefined before its first item. */
  leftInPhase(): number | undefined;
  /** Seconds until the last epoch ends; undefined before the first has ended. */
  left(): number | undefined;
  /** An epoch ended; returns how long it took. */
  lap(epoch: number): number;
}

export function stopwatch(epochs: number, now: () => number = () => performance.now() / 1000): Stopwatch {
  let phase = { name: '', epoch: 0, startedAt: now(), firstDone: 0, done: 0, units: 0 };
  let lapStart = now();
  const laps: number[] = [];
  const perSecond = () => {
    const rate = (phase.done - phase.firstDone) / (now() - phase.startedAt);
    return Number.isFinite(rate) && rate > 0 ? rate : undefined;
  };
  return {
    perSecond,
    leftInPhase() {
      const rate = perSecond();
      return rate === undefined ? undefined : (phase.units - phase.done) / rate;
    },
    tick({ epoch, phase: kind, done, units, learning }) {
      const name = `${epoch} ${kind} ${learning}`;
      if (name !== phase.name) phase = { name, epoch, startedAt: now(), firstDone: done, done, units };
      phase.done = done;
    },
    inPhase: () => now() - phase.startedAt,
    left() {
      if (laps.length === 0) return undefined;
      const mean = laps.reduce((sum, lap) => sum + lap, 0) / laps.length;
      return Math.max(0, mean * (epochs - phase.epoch + 1) - (now() - lapStart));
    },
    lap(epoch) {
      const seconds = now() - lapStart;
      lapStart = now();
      // Epoch 0 only prepares: it says nothing about how long the others take.
      if (epoch > 0) laps.push(seconds);
      return seconds;
    },
  };
}

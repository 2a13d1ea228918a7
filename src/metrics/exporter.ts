/**
 * Keeps one sink of numbers up to date while the run goes on, and never holds the run up: sending happens beside it, a
 * failure is told once and tried again after a while, and what could not be sent stays for the next time the run is played.
 */
import type { Marks } from './marks.ts';
import type { EndStatus, MetricRow, ScalarSink } from './scalars.ts';

export interface ExporterOptions {
  sink: ScalarSink;
  marks: Marks;
  /** Metric points after a row, in the order of writing. */
  rows: (after: number, limit: number) => MetricRow[];
  /** Something the user should know. */
  tell: (problem: string) => void;
  now: () => number;
}

export interface Exporter {
  /** There may be something new. Returns at once. */
  poke(): void;
  /** Sends the rest and says how the run ended; gives up after one failure. */
  end(status: EndStatus): Promise<void>;
}

/** Of MLflow's 1,000 metrics in one request. */
const BATCH_ROWS = 500;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

export function exporter({ sink, marks, rows, tell, now }: ExporterOptions): Exporter {
  let working: Promise<void> = Promise.resolve();
  let busy = false;
  let waitMs = FIRST_WAIT_MS;
  let notBefore = 0;
  let told = false;

  const sendAll = async () => {
    for (;;) {
      const mark = marks.get(sink.id);
      const found = rows(mark.row, BATCH_ROWS).filter(({ row }) => row <= (mark.sending?.upTo ?? row));
      if (found.length === 0) return;
      // Before it is sent: a kill in between must not make two points of one.
      const sending = mark.sending ?? { upTo: found.at(-1)!.row, timeMs: now() };
      marks.set(sink.id, { ...mark, sending });
      const { sending: _sent, ...after } = await sink.send(found, mark, sending.timeMs);
      marks.set(sink.id, after);
      waitMs = FIRST_WAIT_MS;
    }
  };

  const attempt = async (work: () => Promise<void>, rest: string) => {
    try {
      await work();
    } catch (error) {
      notBefore = now() + waitMs;
      waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
      if (!told) tell(`${sink.id}: ${error instanceof Error ? error.message : String(error)}. ${rest}`);
      told = true;
    }
  };

  return {
    poke() {
      if (busy || now() < notBefore) return;
      busy = true;
      working = attempt(sendAll, 'The run goes on, and what is missing is sent later.').finally(() => {
        busy = false;
      });
    },
    async end(status) {
      await working;
      const finish = async () => {
        await sendAll();
        await sink.end?.(status);
      };
      await attempt(finish, 'Resume the run to send what is missing, even when it is finished.');
    },
  };
}

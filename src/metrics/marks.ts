/**
 * How far each sink has got, in `sinks.json` in the run's folder: a resumed run sends what is new and nothing twice. The file
 * is beside the store because it is about the world outside, not about the run.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Mark {
  /** Row of the last metric point that is safely there. */
  row: number;
  /** How many points per optimizer step of each key were sent: their place on the axis, which goes on over epochs. */
  steps: Record<string, number>;
  /** Rows up to this one were being sent: if they must be sent again, then the same rows with the same time. */
  sending?: { upTo: number; timeMs: number };
  /** Length of the file that goes with the mark, where the sink is a file. */
  bytes?: number;
}

export interface Marks {
  get(sink: string): Mark;
  set(sink: string, mark: Mark): void;
}

export function openMarks(folder: string): Marks {
  const file = join(folder, 'sinks.json');
  const marks = read(file);
  return {
    get: (sink) => marks[sink] ?? { row: 0, steps: {} },
    set(sink, mark) {
      marks[sink] = mark;
      writeFileSync(`${file}.part`, JSON.stringify(marks));
      renameSync(`${file}.part`, file);
    },
  };
}

function read(file: string): Record<string, Mark> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // None yet, or one that was damaged: everything is sent again.
    return {};
  }
}

/** A run's metrics as a TensorBoard event file in its folder: `tensorboard --logdir runs` shows every run. */
import { appendFileSync, mkdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { fileHeader, scalarRecord } from './event-file.ts';
import { place, type ScalarSink } from './scalars.ts';

export interface TensorboardOptions {
  /** The run's folder. */
  folder: string;
  /** When the run was created, in milliseconds since 1970: part of the file's name, so that a resumed run finds it. */
  createdAt: number;
}

/**
 * The mark holds the length of the file that goes with it. What a killed process wrote beyond that is cut off and written
 * again; a file that was removed is written anew from the first point.
 */
export function tensorboardSink({ folder, createdAt }: TensorboardOptions): ScalarSink {
  const directory = join(folder, 'tensorboard');
  const file = join(directory, `events.out.tfevents.${Math.floor(createdAt / 1000)}.genenv`);
  return {
    id: 'tensorboard',
    async send(rows, mark, timeMs) {
      const known = mark.bytes ?? 0;
      const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      if (size < known) return { row: 0, steps: {} };
      mkdirSync(directory, { recursive: true });
      if (size > known) truncateSync(file, known);
      const wallTime = timeMs / 1000;
      const { points, next } = place(rows, mark);
      const scalars = points.map(({ key, step, value }) => scalarRecord({ tag: key, step, value, wallTime }));
      const data = Buffer.concat([...(known === 0 ? [fileHeader(createdAt / 1000)] : []), ...scalars]);
      appendFileSync(file, data);
      return { ...next, bytes: known + data.length };
    },
  };
}

/**
 * The answers of an evaluation, one a line as they come: `predictions.jsonl`, which `genenv score` reads as it is. A crash
 * costs at most the last second, and half a line at the end is cut off when the file is opened again.
 */
import { closeSync, createReadStream, existsSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import type { Json } from '../core/types.ts';
import { readLines } from './read-lines.ts';

export interface Prediction {
  id: string;
  output: Json;
}

export interface PredictionFile extends Disposable {
  append(prediction: Prediction): void;
}

/** What is written becomes safe this often, or after so many lines. */
const SYNC_MS = 1000;
const SYNC_LINES = 64;

/** The answers that are there, each id once. */
export async function* readPredictions(file: string): AsyncGenerator<Prediction> {
  if (!existsSync(file)) return;
  const seen = new Set<string>();
  for await (const line of readLines(createReadStream(file, { highWaterMark: 1 << 20 }))) {
    const prediction = 'text' in line ? parse(line.text) : undefined;
    if (!prediction || seen.has(prediction.id)) continue;
    seen.add(prediction.id);
    yield prediction;
  }
}

function parse(text: string): Prediction | undefined {
  try {
    const value = JSON.parse(text) as Partial<Prediction> | null;
    return typeof value?.id === 'string' && value.output !== undefined ? (value as Prediction) : undefined;
  } catch {
    // Torn by a crash: the question is asked again.
    return undefined;
  }
}

export async function openPredictions(file: string): Promise<PredictionFile> {
  const whole = await wholeLines(file);
  const out = openSync(file, 'a');
  ftruncateSync(out, whole);
  let unsafe = 0;
  let syncedAt = performance.now();
  const sync = () => {
    if (unsafe > 0) fsyncSync(out);
    unsafe = 0;
    syncedAt = performance.now();
  };
  return {
    append(prediction) {
      writeSync(out, `${JSON.stringify(prediction)}\n`);
      unsafe++;
      if (unsafe >= SYNC_LINES || performance.now() - syncedAt >= SYNC_MS) sync();
    },
    [Symbol.dispose]() {
      sync();
      closeSync(out);
    },
  };
}

/** Bytes up to the end of the last line that has one. */
async function wholeLines(file: string): Promise<number> {
  if (!existsSync(file)) return 0;
  let [bytes, end] = [0, 0];
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
    const last = (chunk as Buffer).lastIndexOf(0x0a);
    if (last >= 0) end = bytes + last + 1;
    bytes += (chunk as Buffer).length;
  }
  return end;
}

/** Saved outputs judged by a benchmark's official protocol, line by line. Whatever a line holds, it costs only itself. */
import type { Exam, ExamVerdict } from '../core/exam.ts';
import type { Json, JsonObject } from '../core/types.ts';
import type { Line } from './read-lines.ts';

export type Scored = Judged | Unjudged;

export interface Judged extends ExamVerdict {
  line: number;
}

/** A line that could not be judged, and why. */
export interface Unjudged {
  line: number;
  id: string | null;
  error: string;
}

/** `readJson` is for benchmarks that see more in numbers than JSON.parse keeps. */
export async function* scoreLines(
  exam: Pick<Exam, 'judge'>,
  lines: AsyncIterable<Line>,
  readJson: (text: string) => Json = JSON.parse,
): AsyncGenerator<Scored> {
  const judge = judgeOnce(exam);
  for await (const line of lines) {
    if ('problem' in line) yield { line: line.number, id: null, error: line.problem };
    else {
      const read = readLine(line.text, readJson);
      yield await ('error' in read ? { line: line.number, id: null, ...read } : judge(line.number, read.value));
    }
  }
}

/** The benchmark's own ground truth, as if it had been saved. */
export async function* scoreGold(exam: Pick<Exam, 'judge' | 'gold'>): AsyncGenerator<Scored> {
  const judge = judgeOnce(exam);
  let line = 0;
  for (const gold of await exam.gold()) yield await judge(++line, gold);
}

/** Every id counts once: judging an answer twice, or two answers to one question, would bend the score. */
function judgeOnce(exam: Pick<Exam, 'judge'>): (number: number, line: JsonObject) => Promise<Scored> {
  const seen = new Map<string, number>();
  return async (number, line) => {
    const id = idOf(line);
    if (id === undefined) return { line: number, id: null, error: 'has no id: {"id": "…", "output": …} is needed' };
    const before = seen.get(id);
    if (before !== undefined) {
      return { line: number, id: brief(id), error: `duplicate: this id was judged on line ${before} already` };
    }
    try {
      const verdict = await exam.judge({ ...line, id });
      seen.set(id, number);
      return { line: number, ...verdict };
    } catch (error) {
      return { line: number, id: brief(id), error: reasonOf(error) };
    }
  };
}

/** Numbers are ids too, where a benchmark counts its questions. */
function idOf(line: JsonObject): string | undefined {
  const id = Object.hasOwn(line, 'id') ? line.id : undefined;
  if (typeof id === 'number' && Number.isFinite(id)) return String(id);
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function readLine(text: string, readJson: (text: string) => Json): { value: JsonObject } | { error: string } {
  let value: Json;
  try {
    value = readJson(text);
  } catch (error) {
    return { error: `is not JSON: ${brief(error instanceof Error ? error.message : String(error))}` };
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? { value: value as JsonObject } : { error: 'is not a JSON object' };
}

function reasonOf(error: unknown): string {
  // What nests too deeply for the stack cannot be compared; nobody can mean it as an answer either.
  if (error instanceof RangeError) return 'is nested too deeply to be judged';
  return error instanceof Error ? error.message : String(error);
}

const BRIEF = 400;
const brief = (text: string) => (text.length > BRIEF ? `${text.slice(0, BRIEF)}…` : text);

/** A user's corpus of passages, read line by line: JSONL, or plain text with an empty line between passages. */
import { createReadStream } from 'node:fs';
import { DataError } from '../data.ts';
import type { Passage } from './bm25.ts';

/** Longer lines are no passages. */
const MAX_LINE = 1_000_000;

/** JSONL where the name ends in `.jsonl`; anything else is plain text. */
export async function readCorpus(path: string): Promise<Passage[]> {
  const passages = path.endsWith('.jsonl') ? await readRows(path) : await readParagraphs(path);
  if (passages.length === 0) throw new DataError(`${path} holds no passage.`);
  return passages;
}

async function readRows(path: string): Promise<Passage[]> {
  const passages: Passage[] = [];
  let number = 0;
  for await (const line of linesOf(path)) {
    number++;
    if (line.trim() === '') continue;
    const passage = asPassage(parse(line));
    if (!passage)
      throw new DataError(
        `${path}:${number} is no passage. Write {"title": "…", "text": "…"} a line; "contents" with the title on its first line will do too.`,
      );
    passages.push(passage);
  }
  return passages;
}

/** Paragraphs of several lines begin with their title. */
async function readParagraphs(path: string): Promise<Passage[]> {
  const passages: Passage[] = [];
  let lines: string[] = [];
  const close = () => {
    if (lines.length > 0) passages.push(titled(lines));
    lines = [];
  };
  for await (const line of linesOf(path)) {
    const text = line.trim();
    if (text === '') close();
    else lines.push(text);
  }
  close();
  return passages;
}

const titled = (lines: readonly string[]): Passage =>
  lines.length === 1 ? { title: '', text: lines[0]! } : { title: lines[0]!, text: lines.slice(1).join(' ') };

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function asPassage(row: unknown): Passage | undefined {
  if (typeof row !== 'object' || row === null) return undefined;
  const field = (name: string): string | undefined => {
    const value = Object.hasOwn(row, name) ? (row as Record<string, unknown>)[name] : undefined;
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  };
  const text = field('text') ?? field('snippet');
  if (text !== undefined) return { title: field('title') ?? '', text };
  const lines = field('contents')?.split('\n');
  // Dumps for retrievers quote the title.
  return lines && titled([lines[0]!.replace(/^"|"$/g, ''), ...lines.slice(1)].filter((line) => line.trim() !== ''));
}

/** Only line feeds end lines: JSON may hold every other separator. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 20 })) {
      const lines = (rest + (chunk as string)).split('\n');
      rest = lines.pop()!;
      yield* lines;
      if (rest.length > MAX_LINE) throw new DataError(`${path} has a line of more than ${MAX_LINE} characters.`);
    }
  } catch (error) {
    if (error instanceof DataError) throw error;
    throw new DataError(`Cannot read the corpus ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (rest !== '') yield rest;
}

/**
 * A thread that knows tokenizers: ids in, texts out. Reading one takes a second and tens of megabytes, which the server that
 * streams to pages must not stand still for.
 */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import type { JsonObject } from '../core/types.ts';
import { tokenTexts } from '../tokens/token-texts.ts';
import { loadTokenizer, type Tokenizer } from '../tokens/tokenizer.ts';

export interface TokenQuestion {
  id: number;
  folder: string;
  lists: number[][];
}

export type TokenAnswer = { id: number } & ({ texts: string[][] } | { why: string });

/** The largest vocabularies fill some 40 MB. */
const LARGEST_FILE = 96 << 20;
/** Both players of the run that is looked at. */
const MOST_KEPT = 2;

const known = new Map<string, { stamp: string; tokenizer: Tokenizer }>();

async function tokenizerIn(folder: string): Promise<Tokenizer> {
  const file = join(folder, 'tokenizer.json');
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new Error(`The run’s tokenizer is not there any more: ${file}`);
  if (found.size > LARGEST_FILE) throw new Error(`${file} has ${found.size} bytes; at most ${LARGEST_FILE} are read.`);
  const stamp = `${found.size} ${found.mtimeMs}`;
  const kept = known.get(folder);
  const tokenizer =
    kept?.stamp === stamp ? kept.tokenizer : loadTokenizer(JSON.parse(await readFile(file, 'utf8')) as JsonObject);
  known.delete(folder);
  known.set(folder, { stamp, tokenizer });
  if (known.size > MOST_KEPT) known.delete(known.keys().next().value!);
  return tokenizer;
}

parentPort?.on('message', async ({ id, folder, lists }: TokenQuestion) => {
  const reply = (answer: TokenAnswer) => parentPort?.postMessage(answer);
  try {
    const tokenizer = await tokenizerIn(folder);
    reply({ id, texts: lists.map((ids) => tokenTexts(tokenizer, ids)) });
  } catch (error) {
    reply({ id, why: error instanceof Error ? error.message : String(error) });
  }
});

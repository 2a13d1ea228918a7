/** A text file to build a tokenizer from, line by line. */
import { readFileSync } from 'node:fs';
import { UsageError } from './errors.ts';
import { visible } from './visible.ts';

export function readCorpus(path: string): string[] {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)).split('\n').filter(Boolean);
  } catch (error) {
    throw new UsageError(`Cannot read the corpus ${visible(path)}: ${error instanceof Error ? error.message : error}.`);
  }
}

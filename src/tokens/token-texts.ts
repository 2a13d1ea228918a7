/**
 * The text that each token of a sequence adds. Decoded one by one tokens lose the space before a word, and tokens that are
 * part of a character have no text at all; so each is decoded with those before it.
 */
import type { Tokenizer } from './tokenizer.ts';

/** Decoders look at neighbours, not further. */
const CONTEXT = 3;
/** Bytes of one character: a token that completes none after so many is not waiting for more. */
const LONGEST_CHARACTER = 4;

/** As many texts as ids; empty for a token that is completed by the next one, and for an id the tokenizer does not know. */
export function tokenTexts(
  { decode, vocabulary }: Pick<Tokenizer, 'decode' | 'vocabulary'>,
  ids: readonly number[],
): string[] {
  const known = ids.map((id) => Number.isInteger(id) && id >= 0 && id < vocabulary);
  const texts: string[] = [];
  let done = 0;
  for (let i = 0; i < ids.length; i++) {
    if (!known[i]) {
      texts.push('');
      done = i + 1;
      continue;
    }
    let from = done;
    while (from > 0 && done - from < CONTEXT && known[from - 1]) from--;
    const before = from === done ? '' : decode(ids.slice(from, done));
    const after = decode(ids.slice(from, i + 1));
    const isWhole = !after.endsWith('\ufffd') || i + 1 - done >= LONGEST_CHARACTER;
    texts.push(isWhole ? added(before, after) : '');
    if (isWhole) done = i + 1;
  }
  return texts;
}

/** What is new; where a decoder changes what came before (a space it strips at the start, say), what is after the shared part. */
function added(before: string, after: string): string {
  if (after.startsWith(before)) return after.slice(before.length);
  let shared = 0;
  while (shared < before.length && before[shared] === after[shared]) shared++;
  return after.slice(shared);
}

/** What changed from one text to another, by words: pieces that both have, that only the first has, and only the second. */
import { align } from '../../core/align.ts';

export interface Change {
  kind: 'same' | 'gone' | 'new';
  text: string;
}

/** Words, numbers and signs each for themselves; white space goes with what it follows. */
const words = (text: string): string[] => text.match(/[\p{L}\p{N}_]+\s*|[^\p{L}\p{N}_]\s*/gu) ?? [];
const lines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Longer texts are compared line by line: by words it would take a square of their length. */
const MOST_WORDS = 900;

export function changes(before: string, after: string): Change[] {
  const cut = Math.max(words(before).length, words(after).length) > MOST_WORDS ? lines : words;
  const found: Change[] = [];
  const add = (kind: Change['kind'], text: string) => {
    const last = found.at(-1);
    if (last?.kind === kind) last.text += text;
    else found.push({ kind, text });
  };
  for (const { left, right } of align(cut(before), cut(after), (a, b) => a === b)) {
    if (left !== undefined && right !== undefined && left === right) add('same', left);
    else {
      if (left !== undefined) add('gone', left);
      if (right !== undefined) add('new', right);
    }
  }
  return found;
}

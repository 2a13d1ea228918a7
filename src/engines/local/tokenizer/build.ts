/** Tokenizers made from a corpus: whole words for closed worlds, byte pairs for everything else. */
import type { JsonObject } from '../../../core/types.ts';
import { learnMerges } from './byte-pairs.ts';

export interface TokenizerOptions {
  kind: 'words' | 'bytePairs';
  /** Largest number of ids, the special ones included. */
  vocabulary: number;
}

/** One id for each turn's opening, one for every turn's end. */
export const SPECIAL_TOKENS: readonly string[] = [
  '<unk>',
  '<|end|>',
  '<|system|>',
  '<|user|>',
  '<|assistant|>',
  '<|tool|>',
];

/**
 * Words with the space before them, single digits, single signs: joined again they give the text back. A text is read as
 * if a space stood before it, so that a word is the same word at its start.
 */
const WORDS = ' ?\\p{L}+| ?\\p{N}| ?[^\\s\\p{L}\\p{N}]|\\s';

export function buildTokenizer(corpus: Iterable<string>, options: TokenizerOptions): JsonObject {
  const room = options.vocabulary - SPECIAL_TOKENS.length;
  if (!Number.isInteger(room) || room < 1) {
    throw new RangeError(
      `a vocabulary of ${options.vocabulary} leaves no room beside ${SPECIAL_TOKENS.length} special tokens`,
    );
  }
  return options.kind === 'words' ? wordLevel(corpus, room) : bytePairs(corpus, room);
}

function wordLevel(corpus: Iterable<string>, room: number): JsonObject {
  const counts = new Map<string, number>();
  const pattern = new RegExp(WORDS, 'gu');
  for (const text of corpus) {
    for (const [word] of ` ${text}`.matchAll(pattern)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const words = [...counts].sort(byCount).slice(0, room);
  return tokenizerJson({
    normalizer: { type: 'Prepend', prepend: ' ' },
    preTokenizer: { type: 'Split', pattern: { Regex: WORDS }, behavior: 'Isolated', invert: false },
    decoder: { type: 'Sequence', decoders: [{ type: 'Fuse' }, { type: 'Strip', content: ' ', start: 1, stop: 0 }] },
    model: { type: 'WordLevel', vocab: numbered(words.map(([word]) => word)), unk_token: '<unk>' },
  });
}

function bytePairs(corpus: Iterable<string>, room: number): JsonObject {
  if (room < 256) throw new RangeError(`byte pairs need a vocabulary of at least ${256 + SPECIAL_TOKENS.length}`);
  const { alphabet, merges } = learnMerges(corpus, room - 256);
  return tokenizerJson({
    preTokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      vocab: numbered([...alphabet, ...merges.map(([a, b]) => a + b)]),
      merges: merges.map(([a, b]) => [a, b]),
    },
  });
}

interface Parts {
  normalizer?: JsonObject;
  preTokenizer: JsonObject;
  decoder: JsonObject;
  model: JsonObject;
}

function tokenizerJson(parts: Parts): JsonObject {
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: SPECIAL_TOKENS.map((content, id) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: parts.normalizer ?? null,
    pre_tokenizer: parts.preTokenizer,
    post_processor: null,
    decoder: parts.decoder,
    model: parts.model,
  };
}

/** The special tokens first, then the rest in order. */
function numbered(tokens: readonly string[]): JsonObject {
  return Object.fromEntries([...new Set([...SPECIAL_TOKENS, ...tokens])].map((token, id) => [token, id]));
}

/** Most frequent first; equal counts in code-unit order, so that a corpus decides its tokenizer. */
export function byCount(a: [string, number], b: [string, number]): number {
  return b[1] - a[1] || (a[0] < b[0] ? -1 : 1);
}

/** Text to ids and back, from a tokenizer.json of Hugging Face's format: ours or any other. */
import { Tokenizer as Library } from '@huggingface/tokenizers';
import type { JsonObject } from '../core/types.ts';
import { encodePieces } from './piece-memory.ts';

export interface Tokenizer {
  /** The tokenizer.json itself, to be saved beside weights. */
  readonly json: JsonObject;
  /** One more than the largest id. */
  readonly vocabulary: number;
  /** Ids of ordinary text: what looks like a special token in it is not one. */
  encode(text: string): number[];
  /** Ids of text that a template wrote: special tokens in it are what they look like. */
  encodeMarked(text: string): number[];
  decode(ids: Iterable<number>): string;
  /** The id of a special token, where there is one. */
  special(token: string): number | undefined;
  /** The special token with this id, where it is one. */
  markOf(id: number): string | undefined;
  /** The text with its special tokens broken, so that a template can carry it without obeying it. */
  defuse(text: string): string;
}

interface AddedToken {
  id: number;
  content: string;
  /** Whether it is markup; tokens that are not (<think>, say) may well be written by hand. */
  special: boolean;
  /** Whether it is looked for before anything of a text is changed. */
  early: boolean;
  /** Whether the text before it is the same with and without it: it takes no spaces along. */
  cuts: boolean;
}

export function loadTokenizer(json: JsonObject): Tokenizer {
  const added = addedTokens(json);
  const vocabulary = vocabularySize(json, added);
  let library: Library;
  try {
    library = new Library(json, {});
  } catch (error) {
    throw new Error(`tokenizer.json is not usable: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
  const specials = new Map(added.map((token) => [token.content, token.id]));
  const marks = new Map(added.map((token) => [token.id, token.content]));
  const markup = added.filter(({ special }) => special);
  const unknown = ['<unk>', '[UNK]', '<|endoftext|>']
    .map((token) => specials.get(token))
    .find((id) => id !== undefined);
  const encodeMarked = encodePieces(
    (text) => {
      if (text === '') return [];
      const { ids } = library.encode(text, { add_special_tokens: false });
      return ids.map((id: number | undefined) => {
        const known = id ?? unknown;
        if (known === undefined)
          throw new Error('text has characters this tokenizer does not know, and it has no <unk>');
        return known;
      });
    },
    added.filter(({ early }) => early),
  );
  return {
    json,
    vocabulary,
    special: (token) => specials.get(token),
    markOf: (id) => marks.get(id),
    encode: (text) => encodeMarked(broken(text, added)),
    encodeMarked,
    defuse: (text) => broken(text, markup),
    decode(ids) {
      const list = [...ids];
      // The library refuses to decode nothing.
      if (list.length === 0) return '';
      return library.decode(list, { skip_special_tokens: false, clean_up_tokenization_spaces: false });
    },
  };
}

/** Text written by a model or a user must not be able to end its own turn. */
function broken(text: string, tokens: readonly AddedToken[]): string {
  for (const { content } of tokens) {
    if (content.length > 1 && text.includes(content)) {
      text = text.replaceAll(content, `${content[0]} ${content.slice(1)}`);
    }
  }
  return text;
}

function addedTokens(json: JsonObject): AddedToken[] {
  const list = Array.isArray(json.added_tokens) ? json.added_tokens : [];
  return list.map((entry) => {
    // Checked field by field: the file comes from outside.
    const { id, content, special, lstrip, normalized, single_word } = (entry ?? {}) as Record<string, unknown>;
    if (!Number.isInteger(id) || typeof content !== 'string') {
      throw new TypeError('tokenizer.json: every added token needs an id and its content');
    }
    const early = json.normalizer == null || !(normalized ?? special !== true);
    const cuts = lstrip !== true && single_word !== true;
    return { id: id as number, content, special: special !== false, early, cuts };
  });
}

function vocabularySize(json: JsonObject, added: readonly AddedToken[]): number {
  const model = json.model as { vocab?: unknown } | undefined;
  const vocab = model?.vocab;
  if (typeof vocab !== 'object' || vocab === null) throw new TypeError('tokenizer.json has no model.vocab');
  const ids = Array.isArray(vocab) ? vocab.map((_, index) => index) : Object.values(vocab as Record<string, number>);
  let largest = -1;
  for (const id of ids) largest = Math.max(largest, id);
  for (const { id } of added) largest = Math.max(largest, id);
  return largest + 1;
}

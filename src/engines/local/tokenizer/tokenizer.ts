/** Text to ids and back, from a tokenizer.json of Hugging Face's format: ours or any other. */
import { Tokenizer as Library } from '@huggingface/tokenizers';
import type { JsonObject } from '../../../core/types.ts';

export interface Tokenizer {
  /** The tokenizer.json itself, to be saved beside weights. */
  readonly json: JsonObject;
  /** One more than the largest id. */
  readonly vocabulary: number;
  /** Ids of ordinary text: what looks like a special token in it is not one. */
  encode(text: string): number[];
  decode(ids: Iterable<number>): string;
  /** The id of a special token, where there is one. */
  special(token: string): number | undefined;
}

interface AddedToken {
  id: number;
  content: string;
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
  const unknown = ['<unk>', '[UNK]', '<|endoftext|>']
    .map((token) => specials.get(token))
    .find((id) => id !== undefined);
  return {
    json,
    vocabulary,
    special: (token) => specials.get(token),
    encode(text) {
      if (text === '') return [];
      const { ids } = library.encode(defuse(text, added), { add_special_tokens: false });
      return ids.map((id: number | undefined) => {
        const known = id ?? unknown;
        if (known === undefined)
          throw new Error('text has characters this tokenizer does not know, and it has no <unk>');
        return known;
      });
    },
    decode(ids) {
      const list = [...ids];
      // The library refuses to decode nothing.
      if (list.length === 0) return '';
      return library.decode(list, { skip_special_tokens: false, clean_up_tokenization_spaces: false });
    },
  };
}

/** Text written by a model or a user must not be able to end its own turn. */
function defuse(text: string, added: readonly AddedToken[]): string {
  for (const { content } of added) {
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
    const { id, content } = (entry ?? {}) as { id?: unknown; content?: unknown };
    if (!Number.isInteger(id) || typeof content !== 'string') {
      throw new TypeError('tokenizer.json: every added token needs an id and its content');
    }
    return { id: id as number, content };
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

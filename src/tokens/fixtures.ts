/** Tokenizers, templates and folders for tests: small ones of our own, with the marks of the families. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { JsonObject } from '../core/types.ts';
import type { Chat } from './chat.ts';
import type { RendererOptions } from './renderer.ts';
import { templateChat } from './template-chat.ts';
import { loadTokenizer, type Tokenizer } from './tokenizer.ts';

export const TEMPLATES = ['brackets', 'channels', 'headers', 'python', 'tags'] as const;
export type TemplateName = (typeof TEMPLATES)[number];

const FIXTURES = new URL('../../test/fixtures/templates/', import.meta.url);

export const templateSource = (name: TemplateName): string => readFileSync(new URL(`${name}.jinja`, FIXTURES), 'utf8');

export const readGolden = (): {
  now: string;
  cases: { variables: JsonObject; renderings: Record<TemplateName, { text?: string; error?: string }> }[];
} => JSON.parse(readFileSync(new URL('golden.json', FIXTURES), 'utf8'));

/** The marks each template writes, and whether they are markup. */
const MARKS: Record<TemplateName, { special: string[]; words: string[] }> = {
  tags: {
    special: ['<|endoftext|>', '<|im_start|>', '<|im_end|>'],
    words: ['<think>', '</think>', '<tool_call>', '</tool_call>'],
  },
  headers: {
    special: ['<s>', '<|end_of_text|>', '<|start_header_id|>', '<|end_header_id|>', '<|eot_id|>', '<|python_tag|>'],
    words: [],
  },
  brackets: {
    special: ['<s>', '</s>', '[INST]', '[/INST]', '[TOOL_CALLS]', '[AVAILABLE_TOOLS]', '[/AVAILABLE_TOOLS]'],
    words: ['[TOOL_RESULTS]', '[/TOOL_RESULTS]'],
  },
  channels: {
    special: ['<|endoftext|>', '<|start|>', '<|end|>', '<|message|>', '<|channel|>', '<|constrain|>', '<|return|>', '<|call|>'],
    words: [],
  },
  python: { special: ['<|endoftext|>'], words: [] },
};

const EOS: Record<TemplateName, string> = {
  tags: '<|im_end|>',
  headers: '<|eot_id|>',
  brackets: '</s>',
  channels: '<|return|>',
  python: '<|endoftext|>',
};

/** Bytes, and a few merges: enough that one text has several spellings in ids. */
export function byteTokenizer(name: TemplateName): JsonObject {
  const bytes = Array.from({ length: 256 }, (_, byte) => byteName(byte));
  const merges = ['h e', 'l l', 'he ll', 'hell o', 'Ġ t', 'Ċ Ċ', 'a n', '" :', 'Ġ "'].map((pair) => pair.split(' '));
  const tokens = [...bytes, ...merges.map((pair) => pair.join(''))];
  const { special, words } = MARKS[name];
  const added = [...special, ...words].map((content, i) => ({
    id: tokens.length + i,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: i < special.length,
  }));
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: added,
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    post_processor: null,
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges,
    },
  };
}

/** The format's printable name of each byte: itself where printable, else a character above 255. */
function byteName(byte: number): string {
  const printable = (b: number) => (b >= 33 && b <= 126) || (b >= 161 && b <= 255 && b !== 173);
  if (printable(byte)) return String.fromCharCode(byte);
  let before = 0;
  for (let b = 0; b < byte; b++) if (!printable(b)) before++;
  return String.fromCharCode(256 + before);
}

export const NOW: Date = new Date(2026, 2, 7);

export function fixtureChat(name: TemplateName, options: RendererOptions = {}): { chat: Chat; tokenizer: Tokenizer } {
  const tokenizer = loadTokenizer(byteTokenizer(name));
  const folder = {
    folder: name,
    tokenizer: tokenizer.json,
    templates: new Map([['default', templateSource(name)]]),
    specialTokens: { bos_token: '<s>', eos_token: EOS[name] },
    endIds: [],
    files: {},
  };
  return { chat: templateChat(folder, tokenizer, { now: NOW, ...options })!, tokenizer };
}

/** A folder with these files. */
export function newFolder(files: Record<string, string | JsonObject>): string {
  const folder = mkdtempSync(join(tmpdir(), 'genenv-tokens-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

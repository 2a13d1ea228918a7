/** What a model folder says about talking to its model: tokenizer, templates, special tokens, ids that end a turn. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Json, JsonObject } from '../core/types.ts';

export interface ChatFolder {
  folder: string;
  tokenizer: JsonObject;
  /** By name; `default` where there is but one. Empty where the folder has none. */
  templates: ReadonlyMap<string, string>;
  /** bos_token, eos_token and so on, as templates read them. */
  specialTokens: Readonly<Record<string, string>>;
  /** Ids that end a sample, from the generation settings. */
  endIds: readonly number[];
  /** The files all this was read from, tokenizer.json aside, and their text: they go along when the model is written anew. */
  files: Readonly<Record<string, string>>;
}

const TOKENIZER_CONFIG = 'tokenizer_config.json';
const SPECIAL_TOKENS = 'special_tokens_map.json';
const TEMPLATE = 'chat_template.jinja';
const OLD_TEMPLATE = 'chat_template.json';
const NAMED_TEMPLATES = 'additional_chat_templates';
const GENERATION = 'generation_config.json';

/** The largest vocabularies fill some 40 MB; everything else is small. */
const LARGEST_TOKENIZER = 256 << 20;
const LARGEST_FILE = 16 << 20;

export async function readChatFolder(folder: string): Promise<ChatFolder> {
  const tokenizerPath = join(folder, 'tokenizer.json');
  const tokenizer = parseObject(tokenizerPath, await readLimited(tokenizerPath, LARGEST_TOKENIZER));
  if (!tokenizer) {
    throw new Error(`${folder} has no tokenizer.json. Models without one can be converted with Python's transformers.`);
  }
  const names = [TOKENIZER_CONFIG, SPECIAL_TOKENS, TEMPLATE, OLD_TEMPLATE, GENERATION, ...(await namedTemplates(folder))];
  const files: Record<string, string> = {};
  for (const name of names) {
    const text = await readLimited(join(folder, name), LARGEST_FILE);
    if (text !== undefined) files[name] = text;
  }
  const json = (name: string) => parseObject(join(folder, name), files[name]) ?? {};
  const model = parseObject(join(folder, 'config.json'), await readLimited(join(folder, 'config.json'), LARGEST_FILE));
  const ends = [...idsOf(json(GENERATION).eos_token_id), ...idsOf(model?.eos_token_id)];
  return {
    folder,
    tokenizer,
    templates: templatesOf(files, json(TOKENIZER_CONFIG).chat_template, json(OLD_TEMPLATE).chat_template),
    specialTokens: specialTokens({ ...json(SPECIAL_TOKENS), ...json(TOKENIZER_CONFIG) }),
    endIds: [...new Set(ends)],
    files,
  };
}

/** A file of its own wins over the entry in tokenizer_config.json, which may be one template or a list of named ones. */
function templatesOf(files: Record<string, string>, entry: Json | undefined, old: Json | undefined): Map<string, string> {
  const templates = new Map<string, string>();
  if (typeof entry === 'string') templates.set('default', entry);
  else if (Array.isArray(entry)) {
    for (const item of entry) {
      const { name, template } = (item ?? {}) as { name?: Json; template?: Json };
      if (typeof name === 'string' && typeof template === 'string') templates.set(name, template);
    }
  }
  if (typeof old === 'string') templates.set('default', old);
  for (const [path, text] of Object.entries(files)) {
    if (path === TEMPLATE) templates.set('default', text);
    else if (path.startsWith(`${NAMED_TEMPLATES}/`)) templates.set(basename(path, '.jinja'), text);
  }
  return templates;
}

async function namedTemplates(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, NAMED_TEMPLATES)).catch(() => []);
  return names.filter((name) => name.endsWith('.jinja')).map((name) => `${NAMED_TEMPLATES}/${name}`).sort();
}

/** Written as text, or as an object with its content. */
function specialTokens(config: JsonObject): Record<string, string> {
  const tokens: Record<string, string> = {};
  for (const [key, value] of Object.entries(config)) {
    if (!/^(bos|eos|unk|pad|sep|cls|mask)_token$/.test(key)) continue;
    const content = typeof value === 'string' ? value : (value as { content?: Json } | null)?.content;
    if (typeof content === 'string') tokens[key] = content;
  }
  return tokens;
}

const idsOf = (value: Json | undefined): number[] =>
  (Array.isArray(value) ? value : [value]).filter((id): id is number => Number.isInteger(id));

/** Undefined where there is no such file. */
async function readLimited(path: string, limit: number): Promise<string | undefined> {
  try {
    const { size } = await stat(path);
    if (size > limit) throw new Error(`${path} has ${size} bytes; at most ${limit} are read`);
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function parseObject(path: string, text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  let parsed: Json;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not JSON: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  throw new Error(`${path} holds no JSON object`);
}

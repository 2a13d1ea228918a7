/** From a model folder to how its conversations become ids, for engines whose models live on a server. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from './core/types.ts';
import type { ChatTokens } from './engines/tinker/index.ts';
import { EngineError } from './open-engine.ts';

export interface OpenedChat extends ChatTokens {
  encode(text: string): number[];
}

export async function openChat(folder: string): Promise<OpenedChat> {
  const { chatOf, loadTokenizer } = await import('./engines/local/index.ts');
  const path = join(folder, 'tokenizer.json');
  let json: JsonObject;
  try {
    json = JSON.parse(await readFile(path, 'utf8')) as JsonObject; // loadTokenizer checks what it reads.
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new EngineError(`${path} could not be read (${why}). Point engine.tokenizer at the model's folder.`);
  }
  const tokenizer = loadTokenizer(json);
  const chat = chatOf(tokenizer);
  return {
    prompt: chat.prompt,
    ends: [chat.end],
    decode: (ids) => tokenizer.decode(ids),
    encode: (text) => tokenizer.encode(text),
  };
}

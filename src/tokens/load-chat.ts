/** A model folder, opened to talk to its model. */
import type { Chat } from './chat.ts';
import { readChatFolder } from './model-folder.ts';
import type { RendererOptions } from './renderer.ts';
import { templateChat } from './template-chat.ts';
import { loadTokenizer, type Tokenizer } from './tokenizer.ts';

export interface LoadedChat {
  tokenizer: Tokenizer;
  /** Absent where the folder has no chat template. */
  chat?: Chat;
  /** The files this was read from, tokenizer.json aside, and their text. */
  files: Readonly<Record<string, string>>;
}

export async function loadChat(folder: string, options?: RendererOptions): Promise<LoadedChat> {
  const read = await readChatFolder(folder);
  const tokenizer = loadTokenizer(read.tokenizer);
  const chat = templateChat(read, tokenizer, options);
  return { tokenizer, files: read.files, ...(chat ? { chat } : {}) };
}

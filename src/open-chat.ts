/** From a model folder to how its conversations become ids, for engines whose models live on a server. */
import type { ChatTokens } from './engines/tinker/index.ts';
import { EngineError } from './open-engine.ts';

export interface OpenedChat extends ChatTokens {
  encode(text: string): number[];
}

/** By the folder's own template, or by the plain formats of the local engine where it has none. */
export async function openChat(folder: string): Promise<OpenedChat> {
  const { chatOf } = await import('./engines/local/index.ts');
  const { loadChat } = await import('./tokens/index.ts');
  try {
    const { tokenizer, chat = chatOf(tokenizer) } = await loadChat(folder);
    return { prompt: chat.prompt, stops: chat.stops, read: chat.read, encode: (text) => tokenizer.encode(text) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new EngineError(`${why} Point engine.tokenizer at the folder of the model that the server has.`);
  }
}

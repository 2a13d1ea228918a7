/** Public names: tokenizers, chat templates, and what models write. */
export type { Chat } from './chat.ts';
export { type LoadedChat, loadChat } from './load-chat.ts';
export { type ChatFolder, readChatFolder } from './model-folder.ts';
export { callFormat, readReply } from './read-reply.ts';
export { type Renderer, type RendererOptions, rendererOf } from './renderer.ts';
export type { CallFormat, Reply } from './reply.ts';
export { TemplateError } from './template.ts';
export { templateChat } from './template-chat.ts';
export { loadTokenizer, type Tokenizer } from './tokenizer.ts';

/** A chat that speaks as its model's own template does. */
import { type Chat, withoutStop } from './chat.ts';
import type { ChatFolder } from './model-folder.ts';
import { promptMemory } from './prompt-memory.ts';
import { callFormat, readReply } from './read-reply.ts';
import { type Renderer, type RendererOptions, rendererOf } from './renderer.ts';
import { promptIds, type Splicing } from './splice.ts';
import type { TemplateMessage } from './template-messages.ts';
import type { Tokenizer } from './tokenizer.ts';

/** Ends of a turn that models were taught beside the one in their settings; they count where the template writes them. */
const KNOWN_ENDS = ['<|im_end|>', '<|eot_id|>', '<|eom_id|>', '<|return|>', '<|call|>'];

/** Some 30 MB: the latest prompts of a thousand rollouts of a few thousand tokens. */
const REMEMBERED = 8_000_000;

/** Undefined where the folder has no template. */
export function templateChat(folder: ChatFolder, tokenizer: Tokenizer, options?: RendererOptions): Chat | undefined {
  const renderer = rendererOf(folder, options);
  if (!renderer) return undefined;
  const { eos_token: eos } = folder.specialTokens;
  const end = endAfter(renderer, tokenizer, []) ?? (eos === undefined ? undefined : tokenizer.special(eos));
  if (end === undefined) {
    throw new Error(`${folder.folder}: neither the chat template nor eos_token in tokenizer_config.json ends a turn`);
  }
  const known = KNOWN_ENDS.filter((mark) => renderer.source.includes(mark)).map((mark) => tokenizer.special(mark));
  const named = eos === undefined ? [] : [tokenizer.special(eos)];
  const inside = (id: number | undefined): id is number => id !== undefined && id >= 0 && id < tokenizer.vocabulary;
  const stops = [...new Set([end, ...folder.endIds, ...known, ...named])].filter(inside);
  const written = (id: number) => {
    const mark = tokenizer.markOf(id);
    return mark !== undefined && (renderer.source.includes(mark) || (mark === eos && renderer.source.includes('eos_token')));
  };
  const format = callFormat(renderer.source);
  const body = (tokens: Int32Array) => withoutStop(tokens, stops);
  const read = (tokens: Int32Array) => readReply(format, tokenizer.decode(body(tokens)));
  // A turn that another one follows may end otherwise than the last one does.
  const followed = endAfter(renderer, tokenizer, [{ role: 'user', content: 'another question' }]) ?? end;
  const closing = new Set([end, followed, ...stops.filter(written)]);
  const splicing: Splicing = { tokenizer, renderer, closing, read, body, memory: promptMemory(REMEMBERED) };
  return { end, stops, read, prompt: (messages, tools) => promptIds(splicing, messages, tools) };
}

const SAID = 'a rather unlikely answer';

/** The first special token after what the assistant said. */
function endAfter(renderer: Renderer, tokenizer: Tokenizer, later: readonly TemplateMessage[]): number | undefined {
  const question = { role: 'user', content: 'a question' } as const;
  let text: string;
  try {
    text = renderer.render([question, { role: 'assistant', content: SAID }, ...later], [], false);
  } catch {
    return undefined;
  }
  const at = text.lastIndexOf(SAID);
  if (at === -1) return undefined;
  return tokenizer.encodeMarked(text.slice(at + SAID.length)).find((id) => tokenizer.markOf(id) !== undefined);
}

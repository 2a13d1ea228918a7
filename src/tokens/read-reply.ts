/** One reader for every family: which one it is follows from the template. */
import { readHarmony } from './harmony.ts';
import { readHermes } from './hermes.ts';
import { readLlama } from './llama.ts';
import { readMistral } from './mistral.ts';
import { type CallFormat, type Calls, type Reply, splitThoughts } from './reply.ts';

/** What a template writes calls with is what its model was taught to write. */
export function callFormat(template: string): CallFormat {
  if (template.includes('<|channel|>') && template.includes('<|message|>')) return 'harmony';
  if (template.includes('[TOOL_CALLS]')) return 'mistral';
  if (template.includes('<tool_call>')) return 'hermes';
  if (template.includes('<|python_tag|>') || template.includes('<|start_header_id|>')) return 'llama';
  return 'none';
}

const READERS: Record<Exclude<CallFormat, 'harmony'>, (text: string) => Calls> = {
  hermes: readHermes,
  llama: readLlama,
  mistral: readMistral,
  none: (text) => ({ content: text, calls: [] }),
};

/** `text` is without the token that ended it, and with all others. */
export function readReply(format: CallFormat, text: string): Reply {
  if (format === 'harmony') return readHarmony(text);
  const [open, close] = format === 'mistral' ? ['[THINK]', '[/THINK]'] : ['<think>', '</think>'];
  const { reasoning, rest } = splitThoughts(text, open!, close!);
  return { ...(reasoning === undefined ? {} : { reasoning }), rest, ...READERS[format](rest) };
}

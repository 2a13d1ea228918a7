import { rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../core/types.ts';
import { byteTokenizer, newFolder, templateSource } from './fixtures.ts';
import { loadChat } from './load-chat.ts';

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function load(files: Record<string, string | JsonObject>, options?: Parameters<typeof loadChat>[1]) {
  const folder = newFolder({ 'tokenizer.json': byteTokenizer('tags'), ...files });
  made.push(folder);
  return loadChat(folder, options);
}

const hello = [{ role: 'user' as const, content: 'hello' }];
const text = async (
  files: Record<string, string | JsonObject>,
  tools = 0,
  options?: Parameters<typeof loadChat>[1],
) => {
  const { tokenizer, chat } = await load(files, options);
  const tool = { name: 'open', description: '', parameters: {} };
  return tokenizer.decode(
    chat!.prompt(
      hello,
      Array.from({ length: tools }, () => tool),
    ),
  );
};
const END = "{% if messages[-1].role == 'assistant' %}{{ messages[-1].content }}<|im_end|>{% endif %}";

describe('a model folder', () => {
  it('has its template in a file, which wins over the settings', async () => {
    const files = { 'chat_template.jinja': `file${END}`, 'tokenizer_config.json': { chat_template: `settings${END}` } };
    expect(await text(files)).toBe('file');
    expect(await text({ 'tokenizer_config.json': { chat_template: `settings${END}` } })).toBe('settings');
    expect(await text({ 'chat_template.json': { chat_template: `old${END}` } })).toBe('old');
  });

  it('may have several templates, one of them for tools', async () => {
    const named = [
      { name: 'default', template: `plain${END}` },
      { name: 'tool_use', template: `tools${END}` },
    ];
    expect(await text({ 'tokenizer_config.json': { chat_template: named } })).toBe('plain');
    expect(await text({ 'tokenizer_config.json': { chat_template: named } }, 1)).toBe('tools');
    const files = { 'chat_template.jinja': `plain${END}`, 'additional_chat_templates/tool_use.jinja': `tools${END}` };
    expect(await text(files, 1)).toBe('tools');
    expect((await load(files)).files).toEqual(files);
  });

  it('gives its special tokens to the template, and what the user sets', async () => {
    const template = `{{ bos_token }}{{ eos_token }}{{ pad_token is defined }}{{ enable_thinking }}${END}`;
    const files = {
      'chat_template.jinja': template,
      'tokenizer_config.json': { bos_token: { content: '<|im_start|>' }, eos_token: '<|im_end|>', pad_token: null },
    };
    expect(await text(files, 0, { variables: { enable_thinking: false } })).toBe('<|im_start|><|im_end|>FalseFalse');
  });

  it('says which ids end a turn: the template, the settings, the generation settings', async () => {
    const { chat, tokenizer } = await load({
      'chat_template.jinja': templateSource('tags'),
      'generation_config.json': { eos_token_id: [tokenizerId('<|endoftext|>'), 999_999] },
    });
    expect(chat!.end).toBe(tokenizer.special('<|im_end|>'));
    expect(chat!.stops).toEqual([tokenizer.special('<|im_end|>'), tokenizer.special('<|endoftext|>')]);
    expect(chat!.read(Int32Array.of(...tokenizer.encode('hello'), chat!.stops[1]!)).content).toBe('hello');
  });

  it('without a template has no chat', async () => {
    expect((await load({})).chat).toBeUndefined();
  });

  it('that is broken is refused with the file that is', async () => {
    await expect(load({ 'tokenizer_config.json': '{' })).rejects.toThrow(/tokenizer_config\.json is not JSON/);
    await expect(load({ 'chat_template.jinja': '{% for %}' })).rejects.toThrow(/the chat template cannot be read/);
    await expect(load({ 'chat_template.jinja': '{{ messages | min }}' })).rejects.toThrow(/is not supported here/);
    await expect(load({ 'chat_template.jinja': 'hello' })).rejects.toThrow(/neither the chat template nor eos_token/);
    await expect(loadChat(newFolder({}))).rejects.toThrow(/has no tokenizer\.json/);
  });
});

function tokenizerId(token: string): number {
  const added = byteTokenizer('tags').added_tokens as { id: number; content: string }[];
  return added.find(({ content }) => content === token)!.id;
}

/** A model folder with a chat template of its own, sampled and written anew. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sequences } from '../../core/sequences.ts';
import type { Message, Turn } from '../../core/types.ts';
import { byteTokenizer, templateSource } from '../../tokens/fixtures.ts';
import { type LocalEngine, localEngine } from './engine.ts';
import { saveModelFolder } from './files/hugging-face.ts';
import { openModel } from './model/source.ts';
import type { LocalSampleRequest } from './sampler.ts';

let folder: string;
let engine: LocalEngine;
const chatFiles = {
  'chat_template.jinja': templateSource('tags'),
  'tokenizer_config.json': JSON.stringify({ eos_token: '<|im_end|>' }),
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'genenv-template-'));
  const size = { width: 16, layers: 1, heads: 2, context: 512 };
  const model = await openModel({ kind: 'new', size, tokenizer: { json: byteTokenizer('tags') } }, 3);
  await saveModelFolder(join(folder, 'model'), { ...model, tokenizer: model.tokenizer.json, chatFiles });
  engine = await localEngine({
    model: { kind: 'folder', path: join(folder, 'model') },
    seed: 1,
    checkpoints: join(folder, 'checkpoints'),
    threads: 1,
  });
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

it('is spoken to as its template says, and its sampled turns stay what they were', async () => {
  const { tokenizer, chat } = engine.players.agent;
  const sampler = await engine.sampler('agent');
  const messages: Message[] = [{ role: 'user', content: 'hello' }];
  const turns: Turn[] = [];
  for (const then of ['go on', 'and on', '']) {
    const request = { messages, tools: [], n: 1, maxTokens: 8, temperature: 1, seed: 7 };
    // Bytes of words only: a model this young would write anything.
    const allowed = new Uint8Array(tokenizer.vocabulary).fill(1, 32, 127);
    const { prompt, samples } = await sampler.sample({ ...request, allowed } as LocalSampleRequest);
    const { tokens, logprobs, text } = samples[0]!;
    expect(text).toBe(tokenizer.decode(tokens));
    turns.push({ prompt, tokens, logprobs });
    messages.push({ role: 'assistant', content: text, tokens }, { role: 'user', content: then });
  }
  expect(tokenizer.decode(turns[0]!.prompt)).toBe('<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n');
  expect(sequences(turns)).toHaveLength(1);
  expect(chat.stops).toEqual([tokenizer.special('<|im_end|>')]);
});

it('keeps its template when it is written anew', async () => {
  await engine.exportModel('agent', join(folder, 'exported'));
  for (const [name, text] of Object.entries(chatFiles)) {
    expect(await readFile(join(folder, 'exported', name), 'utf8')).toBe(text);
  }
});

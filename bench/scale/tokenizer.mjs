/** A model folder without a model: byte pairs learnt from the world's own prompts, and a chat template with tools. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errandsBenchmark } from '../../dist/benchmarks/errands/index.js';
import { buildTokenizer } from '../../dist/engines/local/tokenizer/build.js';

const MARKS = ['<|endoftext|>', '<|im_start|>', '<|im_end|>'];
const WORDS = ['<think>', '</think>', '<tool_call>', '</tool_call>'];

export async function writeTokenizer(folder, vocabulary = 2048) {
  const tasks = await errandsBenchmark({ baseTasks: 200 }).base();
  const shown = tasks[0].tools.map((tool) => JSON.stringify({ type: 'function', function: tool }));
  // Often enough that their words are learnt: some four characters a token, as with the vocabularies of real models.
  const corpus = [
    ...tasks.map(({ prompt }) => prompt.at(-1).content),
    ...Array.from({ length: 8 }, () => shown).flat(),
  ];
  const json = buildTokenizer(corpus, { kind: 'bytePairs', vocabulary });
  const first = Math.max(...Object.values(json.model.vocab)) + 1;
  const added = [...MARKS, ...WORDS].map((content, i) => ({
    ...json.added_tokens[0],
    id: first + i,
    content,
    special: i < MARKS.length,
  }));
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'tokenizer.json'),
    JSON.stringify({ ...json, added_tokens: [...json.added_tokens, ...added] }),
  );
  writeFileSync(join(folder, 'tokenizer_config.json'), JSON.stringify({ eos_token: '<|im_end|>' }));
  const template = fileURLToPath(new URL('../../test/fixtures/templates/tags.jinja', import.meta.url));
  copyFileSync(template, join(folder, 'chat_template.jinja'));
}

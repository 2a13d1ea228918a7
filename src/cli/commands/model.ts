/** Commands for model folders. */
import { type Command, Option } from 'commander';
import { command } from './declare.ts';

export function modelCommands(program: Command): void {
  const model = program.command('model').description('Pull, make, look at and take out models.').exitOverride();

  command(
    model,
    'pull <owner/name>',
    'Fetch a model from the Hugging Face hub: pinned to a commit, checked, resumable.',
    `
  genenv model pull Qwen/Qwen2.5-0.5B-Instruct       into models/Qwen2.5-0.5B-Instruct
  genenv model pull Qwen/Qwen3-8B --files '*.json' --files '*.jinja' --to qwen3    what a server's client needs
  genenv model pull owner/name --revision 7ae5576    a branch, a tag or a commit
  HF_TOKEN opens models behind a licence, HF_ENDPOINT names a mirror.`,
  )
    .option('--revision <name>', 'branch, tag or commit', 'main')
    .addOption(
      new Option('--files <pattern>', 'only files like this, with * and ** (repeatable)').argParser(
        (value: string, all: string[] | undefined) => [...(all ?? []), ...value.split(',').filter(Boolean)],
      ),
    )
    .option('--to <folder>', 'where to (default: models/<name>)')
    .action(async (name, options) => (await import('../model-pull.ts')).pullCommand(name, options));

  command(
    model,
    'new <folder>',
    'Make an untrained model with a tokenizer built from your text.',
    `
  genenv model new tiny --corpus text.txt
  genenv model new small --corpus text.txt --tokenizer bytePairs --vocabulary 8192 --width 256 --layers 6`,
  )
    .requiredOption('--corpus <file>', 'UTF-8 text to build the tokenizer from')
    .addOption(
      new Option('--tokenizer <kind>', 'kind of tokenizer').choices(['words', 'bytePairs']).default('bytePairs'),
    )
    .option('--vocabulary <n>', 'ids at most', '4096')
    .option('--width <n>', 'width', '128')
    .option('--layers <n>', 'layers', '4')
    .option('--heads <n>', 'attention heads', '4')
    .option('--context <n>', 'longest sequence', '512')
    .option('--seed <n>', 'seed of the weights', '1')
    .action(async (folder, options) => (await import('../model.ts')).newModel(folder, options));

  command(
    model,
    'info <folder>',
    'Say what a model folder holds.',
    `
  genenv model info tiny`,
  ).action(async (folder, options) => (await import('../model.ts')).modelInfo(folder, options));

  command(
    model,
    'export <run> <folder>',
    'Write a trained player as a Hugging Face folder.',
    `
  genenv model export brisk-otter agent-model
  genenv model export brisk-otter simulator --player environment`,
  )
    .addOption(new Option('--player <name>', 'whose weights').choices(['agent', 'environment']).default('agent'))
    .action(async (run, folder, options) => (await import('../model.ts')).exportModelCommand(run, folder, options));
}

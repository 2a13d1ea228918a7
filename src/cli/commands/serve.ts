/** Commands that speak over the network: measuring another's server, and being one. */
import { type Command, Option } from 'commander';
import { command, repeatable } from './declare.ts';

export function serveCommands(program: Command): void {
  command(
    program,
    'probe <url>',
    'Measure what a Tinker or OpenAI-compatible server can do.',
    `
  genenv probe http://localhost:8000                 a Tinker server: how it trains, samples and keeps versions
  genenv probe https://host --key-env TINKER_API_KEY --model Qwen/Qwen2.5-7B-Instruct
  genenv probe http://localhost:11434 --model qwen2.5:7b --json`,
  )
    .option('--key-env <name>', 'environment variable with the key (default: TINKER_API_KEY or OPENAI_API_KEY)')
    .option('--model <name>', "the model's name on the server (default: the only one it has)")
    .addOption(new Option('--protocol <name>', 'what it speaks (default: found out)').choices(['tinker', 'openai']))
    .option('--rank <n>', "rank of the probe's adapters: the one you will train with", '32')
    .action(async (url, options) => (await import('../probe.ts')).probe(url, options));

  command(
    program,
    'serve',
    'Serve models of the local engine over the Tinker protocol, for clients on this machine.',
    `
  genenv model new tiny --corpus text.txt && genenv serve --model tiny
  genenv serve --corpus text.txt --width 128 --layers 4    a new model, made once and kept in the folder
  genenv serve --model agent=a --model environment=b       two bases, under names of your own
  GENENV_KEY=... genenv serve --model tiny --key-env GENENV_KEY --port 4182`,
  )
    .option('--port <n>', 'port; 0 is any free one', '4182')
    .option('--host <address>', 'address to listen on; others than loopback let the network in', '127.0.0.1')
    .addOption(repeatable('--allow-host <name>', 'another name the server goes by (repeatable)'))
    .option('--key-env <name>', 'environment variable that holds the key (default: a new key is printed)')
    .addOption(
      repeatable('--model <[name=]folder>', 'model folder to serve, under its own name or another (repeatable)'),
    )
    .option('--corpus <file>', 'UTF-8 text to build the tokenizer of a new model from')
    .addOption(
      new Option('--tokenizer <kind>', 'kind of tokenizer').choices(['words', 'bytePairs']).default('bytePairs'),
    )
    .option('--vocabulary <n>', 'ids of a new model at most', '4096')
    .option('--width <n>', 'width of a new model', '128')
    .option('--layers <n>', 'layers of a new model', '4')
    .option('--heads <n>', 'attention heads of a new model', '4')
    .option('--context <n>', "longest sequence (default: a folder's own, 512 for a new model)")
    .option('--seed <n>', 'seed of new weights and adapters', '1')
    .option('--threads <n>', 'threads to use (default: as many as the machine has)')
    .option('--folder <folder>', 'where checkpoints and new models go', 'serve')
    .option('--max-models <n>', 'models in training at once', '8')
    .option('--max-samplers <n>', 'frozen weights held to sample from', '16')
    .option('--max-sessions <n>', 'sessions at once', '256')
    .option('--max-results <n>', 'results kept for clients to read', '4096')
    .option('--max-body-mb <n>', 'largest body of a request, unpacked', '64')
    .option('--max-tokens <n>', "longest sequence of a request (default: what a model's context allows)")
    .option('--session-minutes <n>', 'end a session after this long without a sign of life', '10')
    .action(async (options) => (await import('../serve.ts')).serveCommand(options));
}

#!/usr/bin/env node
/** The command line. Only commander is loaded until a command runs, so that --help answers at once. */
import { Command, CommanderError, Option } from 'commander';
import { VERSION } from '../version.ts';
import { exitCodeOf, report } from './errors.ts';

const program = new Command('genenv')
  .description('Trains an agent together with the simulator that writes its tasks.')
  .version(VERSION, '-V, --version', 'print the version')
  .helpOption('-h, --help', 'show help')
  .showHelpAfterError('(add --help for usage and examples)')
  .configureHelp({ showGlobalOptions: false })
  .exitOverride()
  .addHelpText(
    'after',
    `
Examples:
  genenv train                          co-evolve two players in the built-in world
  genenv train run.yaml --seed 7        your own configuration
  genenv resume brisk-otter             go on where a run was stopped or killed
  genenv ui                             see it: charts, tasks and rollouts in your browser
  genenv show brisk-otter               what it amounted to
  genenv compare --arms genenv,base     several arms, several seeds, one budget
  genenv serve --model tiny             train it from other programs, over the Tinker protocol
  genenv doctor run.yaml                what a configuration will cost and where it will fail
  genenv data pull bfcl                 a benchmark's data, from its public source
  genenv eval bfcl run.yaml             examine a model on it

Every command has its own --help with examples. Documentation: docs/ in this package.`,
  );

command(
  'train [config]',
  'Start a run: train an agent together with the simulator that writes its tasks.',
  `
  genenv train                                       two small models in the built-in world
  genenv train --preset quick                        the same, shorter; full is longer
  genenv train run.yaml --name first --epochs 20     your configuration (genenv init writes one), with changes
  genenv train --preset paper --set curriculum.alpha=0.4
  genenv train --json --quiet > events.jsonl         one event a line, for programs`,
)
  .addOption(presetOption())
  .addOption(engineOption())
  .option(
    '--variant <name>',
    'method: genenv, genenv-random, genenv-static, teacher-offline or base (default: genenv; compare --list-arms explains them)',
  )
  .option('--epochs <n>', "epochs to run (default: the preset's)")
  .option('--seed <n>', 'seed of everything random (default: 1)')
  .option('--name <name>', 'name of the run (default: a new one)')
  .option('--threads <n>', 'threads of the local engine (default: as many as the machine has)')
  .addOption(setOption())
  .addOption(controlOption())
  .action(async (config, options) => (await import('./train.ts')).train(config, options));

command(
  'resume <run>',
  'Go on with a run that was stopped or killed, from its last commit.',
  `
  genenv resume brisk-otter
  genenv resume brisk-otter --epochs 20              train a finished run further`,
)
  .option('--epochs <n>', 'epochs to run in all (default: as configured)')
  .option('--concurrency <n>', 'engine requests in flight (default: as configured)')
  .addOption(controlOption())
  .action(async (run, options) => (await import('./train.ts')).resume(run, options));

command(
  'control <run> [action] [values...]',
  'Pause, stop or change a run while it goes on (started with --control).',
  `
  genenv control brisk-otter                         how it stands
  genenv control brisk-otter pause --token T         hold it after the step in progress; resume lets it go on
  genenv control brisk-otter stop                    end it after this phase (token in GENENV_CONTROL_TOKEN)
  genenv control brisk-otter set alpha=0.4 epochs=30
  genenv control brisk-otter set agent.learningRate=1e-4 environment.learningRate=5e-4
  genenv control brisk-otter ban "sum of two"        no task of this structure any more`,
)
  .option('--token <token>', 'printed when the run was started with --control (default: GENENV_CONTROL_TOKEN)')
  .option('--who <name>', 'who asks, for the record (default: your user name)')
  .option('--wait <seconds>', 'how long to wait for the answer of the run', '10')
  .action(async (run, action, values, options) => (await import('./control.ts')).control(run, action, values, options));

command(
  'compare [config]',
  'Train by several methods (arms) with several seeds under one budget, and report how they differ.',
  `
  genenv compare --arms genenv,genenv-random --seeds 5           paired by seed, with intervals and a report
  genenv compare run.yaml --arms genenv,no-filter,no-kl --seeds 11,12,13 --name ablation
  genenv compare --engine scripted --epochs 5 --parallel 2       two runs at a time
  genenv compare --resume ablation                               go on after Ctrl-C or kill -9
  genenv compare --list-arms                                     every arm, and what is different in it`,
)
  .option(
    '--arms <names>',
    'methods, comma-separated; the others are compared with the first (default: genenv,genenv-random,genenv-static,base)',
  )
  .option('--seeds <seeds>', 'how many (5), or which ones (11,12,13) (default: 5)')
  .option('--first-seed <n>', 'the first, where --seeds says how many (default: 101)')
  .addOption(presetOption())
  .addOption(engineOption())
  .option('--epochs <n>', "epochs of every run (default: the preset's)")
  .addOption(setOption())
  .option('--parallel <n>', 'how many runs at a time (default: 1)')
  .option('--name <name>', 'name of the comparison and its folder (default: a new one); one that was begun goes on')
  .option('--resume <folder>', 'go on with a comparison, by its name or folder; its settings are known')
  .option('--list-arms', 'print every arm and what is different in it')
  .action(async (config, options) => (await import('./compare.ts')).compare(config, options));

command(
  'ui [run]',
  'Open the dashboard: charts, tasks and rollouts of all runs, live while they play.',
  `
  genenv ui                                          the runs in ./runs, on this machine only
  genenv ui brisk-otter --open                       one of them, in your browser
  genenv ui --port 8080 --host 0.0.0.0               for other machines too; the link it prints holds a token
  genenv ui brisk-otter --control --token T          steer it from the page too (started with train --control)`,
)
  .option('--port <n>', 'port (default: 4180, or the next free one)')
  .option('--host <address>', 'address to listen on (default: this machine only)')
  .option('--open', 'open it in the browser')
  .option('--control', 'let the page pause, stop and change runs that were started with --control')
  .option('--token <token>', 'the token of the run, for --control (default: GENENV_CONTROL_TOKEN, or the page asks)')
  .action(async (run, options) => (await import('./ui.ts')).ui(run, options));

command(
  'runs',
  'List the runs in the runs folder.',
  `
  genenv runs
  genenv runs --json`,
).action(async (options) => (await import('./runs.ts')).runs(options));

command(
  'show <run> [id]',
  'Show a run, the passport of a task, or a rollout.',
  `
  genenv show brisk-otter                            epochs, pools, ledger, notes
  genenv show brisk-otter --tasks [--search "bell"]  its tasks, newest last
  genenv show brisk-otter t-3f9a…                    a task: lineage, verdicts, p̂ over epochs
  genenv show brisk-otter t-3f9a…/3/0                rollout 0 of that task in epoch 3
  genenv show brisk-otter --digest                   SHA-256 of what was learned and how`,
)
  .option('--digest', 'print a SHA-256 over pools, metrics and model states')
  .option('--tasks', 'list tasks')
  .option('--search <text>', 'with --tasks: only tasks whose prompt or id matches')
  .option('--epoch <n>', 'with --tasks: only tasks written in this epoch')
  .option('--limit <n>', 'with --tasks: at most this many', '20')
  .action(async (run, id, options) => (await import('./show.ts')).show(run, id, options));

command(
  'export <run>',
  'Write a run as JSONL or Parquet files.',
  `
  genenv export brisk-otter                          all tables as JSONL into brisk-otter-export/
  genenv export brisk-otter --format parquet --out data
  genenv export brisk-otter --tables tasks,env-sft`,
)
  .addOption(new Option('--format <format>', 'file format').choices(['jsonl', 'parquet']).default('jsonl'))
  .option('--tables <names>', 'comma-separated: tasks, traces, env-sft, metrics (default: all)')
  .option('--out <folder>', 'where to (default: <run>-export)')
  .action(async (run, options) => (await import('./export.ts')).exportCommand(run, options));

command(
  'doctor [config]',
  'Check a configuration without spending a rollout.',
  `
  genenv doctor
  genenv doctor run.yaml --set curriculum.rollouts=1
  genenv doctor --preset paper --json`,
)
  .addOption(presetOption())
  .addOption(engineOption())
  .addOption(setOption())
  .action(async (config, options) => (await import('./doctor.ts')).doctor(config, options));

command(
  'init',
  'Write a configuration to start from.',
  `
  genenv init                                        asks a few questions
  genenv init --yes --out run.yaml                   writes the defaults`,
)
  .option('--out <file>', 'where to', 'genenv.yaml')
  .option('--yes', 'ask nothing')
  .action(async (options) => (await import('./init.ts')).init(options));

command(
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
  .action(async (url, options) => (await import('./probe.ts')).probe(url, options));

command(
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
  .addOption(repeatable('--model <[name=]folder>', 'model folder to serve, under its own name or another (repeatable)'))
  .option('--corpus <file>', 'UTF-8 text to build the tokenizer of a new model from')
  .addOption(new Option('--tokenizer <kind>', 'kind of tokenizer').choices(['words', 'bytePairs']).default('bytePairs'))
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
  .action(async (options) => (await import('./serve.ts')).serveCommand(options));

command(
  'eval <benchmark> [config]',
  'Examine a model on a benchmark: bfcl, api-bank, alfworld, travelplanner or bamboogle.',
  `
  genenv eval api-bank server.yaml                   the engine of a configuration
  genenv eval bfcl --run brisk-otter                 the agent of a run
  genenv eval bfcl server.yaml --suite ast --limit 50
  genenv eval bfcl server.yaml --name first          again with the same name: asks only what is left`,
)
  .option('--engine <kind>', 'who answers')
  .option('--run <run>', 'examine the agent of this run, as its last commit left it')
  .option('--suite <name>', "which of the benchmark's protocols (default: the first)")
  .option('--judge <config>', 'bamboogle: let the engine of this configuration judge, instead of exact match')
  .option('--limit <n>', 'only the first so many questions')
  .option('--concurrency <n>', 'questions in flight')
  .option('--temperature <t>', 'sampling temperature; 0 is greedy', '0')
  .option('--max-tokens <n>', 'longest reply; a protocol may set less', '4096')
  .option('--seed <n>', 'seed of the replies, where they are sampled')
  .option('--name <name>', 'name of the evaluation (default: a new one); one that was begun goes on')
  .addOption(setOption())
  .action(async (benchmark, config, options) => (await import('./eval.ts')).evalCommand(benchmark, config, options));

command(
  'score <benchmark>',
  "Judge saved outputs by a benchmark's official protocol: one verdict a line, a summary last.",
  `
  genenv score bfcl --predictions out.jsonl          lines of {"id": …, "output": …}
  genenv score bfcl --suite ast --predictions -      from standard input
  genenv score api-bank --gold                       the benchmark's own ground truth
  A line may bring its own target; then no data set is needed.`,
)
  .option('--predictions <file>', 'JSONL file of outputs; - is standard input')
  .option('--gold', "judge the benchmark's own ground truth")
  .option('--suite <name>', "which of the benchmark's protocols (default: the first)")
  .option('--judge <config>', 'bamboogle: let the engine of this configuration judge, instead of exact match')
  .addOption(setOption())
  .action(async (benchmark, options) => (await import('./score.ts')).score(benchmark, options));

const data = program.command('data').description("Fetch, list and check the benchmarks' data.").exitOverride();

command(
  'pull [benchmarks...]',
  'Fetch data from its public sources; what has arrived is kept, and checked.',
  `
  genenv data pull                                   everything
  genenv data pull bfcl api-bank`,
  data,
).action(async (names, options) => (await import('./data.ts')).pullData(names, options));

command(
  'ls [benchmarks...]',
  'List the data of the benchmarks and where it is.',
  `
  genenv data ls`,
  data,
).action(async (names, options) => (await import('./data.ts')).listData(names, options));

command(
  'verify [benchmarks...]',
  'Check every file by its checksum.',
  `
  genenv data verify
  genenv data verify bfcl --json`,
  data,
).action(async (names, options) => (await import('./data.ts')).verifyData(names, options));

const model = program.command('model').description('Pull, make, look at and take out models.').exitOverride();

command(
  'pull <owner/name>',
  'Fetch a model from the Hugging Face hub: pinned to a commit, checked, resumable.',
  `
  genenv model pull Qwen/Qwen2.5-0.5B-Instruct       into models/Qwen2.5-0.5B-Instruct
  genenv model pull Qwen/Qwen3-8B --files '*.json' --files '*.jinja' --to qwen3    what a server's client needs
  genenv model pull owner/name --revision 7ae5576    a branch, a tag or a commit
  HF_TOKEN opens models behind a licence, HF_ENDPOINT names a mirror.`,
  model,
)
  .option('--revision <name>', 'branch, tag or commit', 'main')
  .addOption(
    new Option('--files <pattern>', 'only files like this, with * and ** (repeatable)').argParser(
      (value: string, all: string[] | undefined) => [...(all ?? []), ...value.split(',').filter(Boolean)],
    ),
  )
  .option('--to <folder>', 'where to (default: models/<name>)')
  .action(async (name, options) => (await import('./model-pull.ts')).pullCommand(name, options));

command(
  'new <folder>',
  'Make an untrained model with a tokenizer built from your text.',
  `
  genenv model new tiny --corpus text.txt
  genenv model new small --corpus text.txt --tokenizer bytePairs --vocabulary 8192 --width 256 --layers 6`,
  model,
)
  .requiredOption('--corpus <file>', 'UTF-8 text to build the tokenizer from')
  .addOption(new Option('--tokenizer <kind>', 'kind of tokenizer').choices(['words', 'bytePairs']).default('bytePairs'))
  .option('--vocabulary <n>', 'ids at most', '4096')
  .option('--width <n>', 'width', '128')
  .option('--layers <n>', 'layers', '4')
  .option('--heads <n>', 'attention heads', '4')
  .option('--context <n>', 'longest sequence', '512')
  .option('--seed <n>', 'seed of the weights', '1')
  .action(async (folder, options) => (await import('./model.ts')).newModel(folder, options));

command(
  'info <folder>',
  'Say what a model folder holds.',
  `
  genenv model info tiny`,
  model,
).action(async (folder, options) => (await import('./model.ts')).modelInfo(folder, options));

command(
  'export <run> <folder>',
  'Write a trained player as a Hugging Face folder.',
  `
  genenv model export brisk-otter agent-model
  genenv model export brisk-otter simulator --player environment`,
  model,
)
  .addOption(new Option('--player <name>', 'whose weights').choices(['agent', 'environment']).default('agent'))
  .action(async (run, folder, options) => (await import('./model.ts')).exportModelCommand(run, folder, options));

/** A command with the options every command has. */
function command(usage: string, description: string, examples: string, parent: Command = program): Command {
  return parent
    .command(usage)
    .description(description)
    .option('--runs-dir <folder>', 'folder that holds the runs', 'runs')
    .option('--json', 'JSON on stdout and nothing else, for programs')
    .option('--quiet', 'show no progress')
    .addHelpText('after', `\nExamples:${examples}`);
}

function presetOption(): Option {
  return new Option('--preset <name>', 'settings to start from: quick, robust, full or paper (default: robust)');
}

function engineOption(): Option {
  return new Option(
    '--engine <kind>',
    'what samples and trains: local (models on this machine), scripted (tables, no model), tinker (a server, see docs/tinker.md) or replay (a recording) (default: local)',
  );
}

function controlOption(): Option {
  return new Option(
    '--control',
    'let genenv control steer the run while it goes on; prints a token (or takes it from GENENV_CONTROL_TOKEN)',
  );
}

function setOption(): Option {
  return repeatable('--set <setting=value>', 'change one setting, e.g. curriculum.alpha=0.4 (repeatable)');
}

function repeatable(flags: string, description: string): Option {
  const collect = (value: string, all: string[] | undefined) => [...(all ?? []), value];
  return new Option(flags, description).argParser(collect);
}

// A reader that has seen enough (`genenv runs | head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  // Commander has already printed its own message, or the help that was asked for.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    report(error);
    process.exitCode = exitCodeOf(error);
  }
}

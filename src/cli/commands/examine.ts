/** Commands that examine: a model on a benchmark, and outputs that somebody saved. */
import type { Command } from 'commander';
import { command, setOption } from './declare.ts';

export function examineCommands(program: Command): void {
  command(
    program,
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
    .action(async (benchmark, config, options) => (await import('../eval.ts')).evalCommand(benchmark, config, options));

  command(
    program,
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
    .action(async (benchmark, options) => (await import('../score.ts')).score(benchmark, options));
}

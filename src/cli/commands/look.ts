/** Commands that look at runs: in a browser, in a list, one by one, and as files. */
import { type Command, Option } from 'commander';
import { command } from './declare.ts';

export function lookCommands(program: Command): void {
  command(
    program,
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
    .action(async (run, options) => (await import('../ui.ts')).ui(run, options));

  command(
    program,
    'runs',
    'List the runs in the runs folder.',
    `
  genenv runs
  genenv runs --json`,
  ).action(async (options) => (await import('../runs.ts')).runs(options));

  command(
    program,
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
    .action(async (run, id, options) => (await import('../show.ts')).show(run, id, options));

  command(
    program,
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
    .action(async (run, options) => (await import('../export.ts')).exportCommand(run, options));
}

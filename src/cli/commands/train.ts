/** Commands that train: one run, one that goes on, one that is steered, and several that are compared. */
import type { Command } from 'commander';
import { command, controlOption, engineOption, presetOption, setOption } from './declare.ts';

export function trainCommands(program: Command): void {
  command(
    program,
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
    .action(async (config, options) => (await import('../train.ts')).train(config, options));

  command(
    program,
    'resume <run>',
    'Go on with a run that was stopped or killed, from its last commit.',
    `
  genenv resume brisk-otter
  genenv resume brisk-otter --epochs 20              train a finished run further`,
  )
    .option('--epochs <n>', 'epochs to run in all (default: as configured)')
    .option('--concurrency <n>', 'engine requests in flight (default: as configured)')
    .addOption(controlOption())
    .action(async (run, options) => (await import('../train.ts')).resume(run, options));

  command(
    program,
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
    .action(async (run, action, values, options) =>
      (await import('../control.ts')).control(run, action, values, options),
    );

  command(
    program,
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
    .action(async (config, options) => (await import('../compare.ts')).compare(config, options));
}

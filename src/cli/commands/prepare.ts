/** Commands for what comes before a run: a configuration to start from, and what is to be expected of one. */
import type { Command } from 'commander';
import { command, engineOption, presetOption, setOption } from './declare.ts';

export function prepareCommands(program: Command): void {
  command(
    program,
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
    .action(async (config, options) => (await import('../doctor.ts')).doctor(config, options));

  command(
    program,
    'init',
    'Write a configuration to start from.',
    `
  genenv init                                        asks a few questions
  genenv init --yes --out run.yaml                   writes the defaults`,
  )
    .option('--out <file>', 'where to', 'genenv.yaml')
    .option('--yes', 'ask nothing')
    .action(async (options) => (await import('../init.ts')).init(options));
}

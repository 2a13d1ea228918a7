/**
 * The command line as one tree of commands, and how it ends. Only commander is loaded until a command runs, so that
 * --help answers at once.
 */
import { Command, CommanderError } from 'commander';
import { VERSION } from '../version.ts';
import { dataCommands } from './commands/data.ts';
import { examineCommands } from './commands/examine.ts';
import { lookCommands } from './commands/look.ts';
import { modelCommands } from './commands/model.ts';
import { prepareCommands } from './commands/prepare.ts';
import { serveCommands } from './commands/serve.ts';
import { trainCommands } from './commands/train.ts';
import { exitCodeOf, report } from './errors.ts';

/** Runs a command line and leaves how it went in the exit code of the process. */
export async function runProgram(args: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync(args, { from: 'user' });
  } catch (error) {
    // Commander has already printed its own message, or the help that was asked for.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else {
      report(error);
      process.exitCode = exitCodeOf(error);
    }
  }
}

function createProgram(): Command {
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
  // In the order of the help.
  for (const declare of [
    trainCommands,
    lookCommands,
    prepareCommands,
    serveCommands,
    examineCommands,
    dataCommands,
    modelCommands,
  ])
    declare(program);
  return program;
}

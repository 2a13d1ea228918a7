/** Commands for the benchmarks' data. */
import type { Command } from 'commander';
import { command } from './declare.ts';

export function dataCommands(program: Command): void {
  const data = program.command('data').description("Fetch, list and check the benchmarks' data.").exitOverride();

  command(
    data,
    'pull [benchmarks...]',
    'Fetch data from its public sources; what has arrived is kept, and checked.',
    `
  genenv data pull                                   everything
  genenv data pull bfcl api-bank`,
  ).action(async (names, options) => (await import('../data.ts')).pullData(names, options));

  command(
    data,
    'ls [benchmarks...]',
    'List the data of the benchmarks and where it is.',
    `
  genenv data ls`,
  ).action(async (names, options) => (await import('../data.ts')).listData(names, options));

  command(
    data,
    'verify [benchmarks...]',
    'Check every file by its checksum.',
    `
  genenv data verify
  genenv data verify bfcl --json`,
  ).action(async (names, options) => (await import('../data.ts')).verifyData(names, options));
}

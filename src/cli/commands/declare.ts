/** How a command is declared, and the options that several of them share. */
import { type Command, Option } from 'commander';

/** A command with the options every command has. */
export function command(parent: Command, usage: string, description: string, examples: string): Command {
  return parent
    .command(usage)
    .description(description)
    .option('--runs-dir <folder>', 'folder that holds the runs', 'runs')
    .option('--json', 'JSON on stdout and nothing else, for programs')
    .option('--quiet', 'show no progress')
    .addHelpText('after', `\nExamples:${examples}`);
}

export function presetOption(): Option {
  return new Option('--preset <name>', 'settings to start from: quick, robust, full or paper (default: robust)');
}

export function engineOption(): Option {
  return new Option(
    '--engine <kind>',
    'what samples and trains: local (models on this machine), scripted (tables, no model), tinker (a server, see docs/tinker.md) or replay (a recording) (default: local)',
  );
}

export function controlOption(): Option {
  return new Option(
    '--control',
    'let genenv control steer the run while it goes on; prints a token (or takes it from GENENV_CONTROL_TOKEN)',
  );
}

export function setOption(): Option {
  return repeatable('--set <setting=value>', 'change one setting, e.g. curriculum.alpha=0.4 (repeatable)');
}

export function repeatable(flags: string, description: string): Option {
  const collect = (value: string, all: string[] | undefined) => [...(all ?? []), value];
  return new Option(flags, description).argParser(collect);
}

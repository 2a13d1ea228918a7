/** `genenv init`: a configuration to start from. It never overwrites anything. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { UsageError } from './errors.ts';
import { exampleSeeds } from './example-seeds.ts';
import { type Answers, USUAL } from './init-answers.ts';
import { configFile, schemaFor } from './init-file.ts';
import { command, nextSteps, USUAL_PLACE } from './next-step.ts';
import type { CommonOptions } from './options.ts';
import { paint, say, sayJson } from './say.ts';
import { visible } from './visible.ts';

export interface InitOptions extends CommonOptions {
  out: string;
  yes?: boolean;
}

export async function init(options: InitOptions): Promise<void> {
  refuseExisting(options.out);
  // Nobody is there to answer a pipe, and with --json stdout is no place for questions.
  const asks = process.stdin.isTTY && !options.yes && !options.json;
  const answers = asks ? await (await import('./init-questions.ts')).askAnswers() : USUAL;
  const written = writeFiles(options.out, answers);
  if (options.json) sayJson(written);
  else say(...page(written, options));
}

export interface Written {
  config: string;
  /** The example that was put where there were no seeds yet. */
  seeds: string | null;
}

export function writeFiles(out: string, answers: Answers): Written {
  const folder = dirname(out);
  mkdirSync(folder, { recursive: true });
  writeNew(out, configFile(answers, out, schemaFor(folder)));
  if (answers.seeds === null) return { config: out, seeds: null };
  const seeds = resolve(folder, answers.seeds);
  if (existsSync(seeds)) return { config: out, seeds: null };
  mkdirSync(dirname(seeds), { recursive: true });
  writeNew(seeds, exampleSeeds());
  return { config: out, seeds: relative('', seeds) };
}

/** `wx` fails where a file has appeared in the meantime. */
function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    refuseExisting(file);
    throw error;
  }
}

function refuseExisting(file: string): void {
  if (!existsSync(file)) return;
  throw new UsageError(
    `${visible(file)} already exists, and init overwrites nothing. Choose another name with --out, or remove it first.`,
  );
}

function page({ config, seeds }: Written, options: InitOptions): string[] {
  const wrote = (file: string, what: string) => `  wrote ${paint('bold', visible(file))}, ${what}`;
  return [
    '',
    wrote(config, 'a configuration with comments'),
    ...(seeds === null ? [] : [wrote(seeds, 'four example tasks to replace by your own')]),
    ...nextSteps(
      [command(USUAL_PLACE, 'doctor', config), 'what it will cost, and where it will fail'],
      [command(options, 'train', config), 'start it'],
    ),
  ];
}

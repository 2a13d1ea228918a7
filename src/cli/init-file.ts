/** The file that `genenv init` writes: a whole configuration in one screen, each line saying what it is for. */
import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Answers } from './init-answers.ts';
import { command, USUAL_PLACE } from './next-step.ts';

export function configFile({ seeds, preset, variant, epochs, seed }: Answers, file: string, schema: string): string {
  // A name with a line break in it must not end the comment.
  const next = (verb: string) => command(USUAL_PLACE, verb, file);
  return `# yaml-language-server: $schema=${schema}
#
# One run of GenEnv. Every setting is optional, and docs/config.md lists all of them.
#   ${next('doctor')}    what it will cost, and where it will fail
#   ${next('train')}     start it

preset: ${preset} # robust closes the holes of the paper, which paper keeps; quick and full: other sizes of robust
variant: ${variant} # genenv trains both players; the others are there to compare with
epochs: ${epochs} # turns of the co-evolution loop
seed: ${seed} # decides every random choice

${seeds === null ? BUILT_IN : fileBenchmark(seeds)}

curriculum:
  alpha: 0.5 # the simulator is rewarded for tasks solved this often
  kMin: 0.1 # and its tasks count as calibrated within alpha ± kMin
  variations: 4 # tasks written per seed and epoch
  rollouts: 8 # attempts of the agent at each task
`;
}

const BUILT_IN = `engine: local # two small transformers, sampled and trained in this process
benchmark: errands # for tasks of your own: { name: file, seeds: tasks.jsonl }`;

const fileBenchmark = (seeds: string) => `engine: scripted # a stand-in that only speaks the language of the toy world
# engine: { kind: local, model: path/to/model } # a model folder that knows the language of your tasks
benchmark:
  name: file
  seeds: ${yamlText(seeds)} # one task a line: docs/tasks.md
  # validation: held-out.jsonl # nothing is evaluated without it`;

/** Plain where YAML reads it as text for sure; JSON's quotes are YAML's too. */
const yamlText = (text: string) => (/^[A-Za-z][\w./-]*\.jsonl?$/.test(text) ? text : JSON.stringify(text));

/**
 * Where an editor finds the schema that came with this package. Relative where both lie in the working folder (the package
 * in its node_modules), so that the project can be shared; an address elsewhere.
 */
export function schemaFor(folder: string): string {
  const schema = fileURLToPath(new URL('../../schema/genenv.schema.json', import.meta.url));
  const isHere = (path: string) => !/^\.\.(?:[/\\]|$)/.test(relative('', path)) && !isAbsolute(relative('', path));
  if (!isHere(schema) || !isHere(folder)) return pathToFileURL(schema).href;
  return relative(folder, schema).split(sep).join('/');
}

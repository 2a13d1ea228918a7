/** Where the tokenizer of a run's player is, by the run's own configuration; or why there is none to be had. */
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Player } from '../core/types.ts';

export function tokenizerFolder(
  { engine, writer }: Pick<Config, 'engine' | 'writer'>,
  runFolder: string,
  player: Player,
): { folder: string } | { why: string } {
  if (writer && player === 'environment') {
    return { why: `A server (${writer.model}) wrote the tasks, and its tokenizer is not known here.` };
  }
  switch (engine.kind) {
    case 'local':
      return { folder: engine.model ?? join(runFolder, 'models', player) };
    case 'tinker':
      return { folder: (player === 'environment' ? engine.environmentTokenizer : undefined) ?? engine.tokenizer };
    case 'scripted':
      return { why: 'The tokens of the scripted engine are choices from a table: they have no text.' };
    case 'replay':
      return { why: 'A replayed run has the ids of its recording, and not their tokenizer.' };
    case 'openai':
      return { why: 'The tokenizer is the server’s.' };
    default:
      return engine satisfies never;
  }
}

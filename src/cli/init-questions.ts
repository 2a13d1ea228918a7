/** The questions of `genenv init`. What is typed is checked by the loader itself, while it can still be corrected. */
import type { Readable, Writable } from 'node:stream';
import { intro, isCancel, select, text } from '@clack/prompts';
import { ConfigError, loadConfig, presets } from '../config.ts';
import { Interrupted } from './errors.ts';
import { type Answers, USUAL } from './init-answers.ts';

export interface Terminal {
  input?: Readable;
  output?: Writable;
}

/** @throws Interrupted on Ctrl-C, at any question. */
export async function askAnswers(terminal: Terminal = {}): Promise<Answers> {
  intro('A configuration to start from', terminal);
  const kind = await answered(
    select({
      ...terminal,
      message: 'Which tasks does the agent start from?',
      options: [
        {
          value: 'errands',
          label: 'The built-in errands world',
          hint: 'no download: two small models learn to carry out requests',
        },
        { value: 'file', label: 'My own tasks', hint: 'a JSONL file, one task a line' },
      ],
    }),
  );
  const seeds =
    kind === 'errands'
      ? null
      : await answered(
          text({
            ...terminal,
            message: 'Where are they? An example is written where there is no such file.',
            initialValue: 'seeds.jsonl',
            validate: (typed) => (typed?.trim() ? undefined : 'A path, such as seeds.jsonl'),
          }),
        );
  const preset = await answered(
    select({
      ...terminal,
      message: 'Which settings to start from?',
      options: [
        { value: 'robust' as const, label: 'robust', hint: 'the idea of the paper, its holes closed' },
        { value: 'quick' as const, label: 'quick', hint: 'the same, shorter' },
        { value: 'full' as const, label: 'full', hint: 'the same, longer' },
        { value: 'paper' as const, label: 'paper', hint: 'its hyperparameters to the letter' },
      ],
    }),
  );
  const variant = await answered(
    select({
      ...terminal,
      message: 'Which variant?',
      options: [
        { value: 'genenv' as const, label: 'genenv', hint: 'both players learn' },
        { value: 'genenv-random' as const, label: 'genenv-random', hint: 'the simulator never learns' },
        { value: 'genenv-static' as const, label: 'genenv-static', hint: 'variations written once' },
        { value: 'teacher-offline' as const, label: 'teacher-offline', hint: 'a teacher writes once' },
        { value: 'base' as const, label: 'base', hint: 'no synthetic data' },
      ],
    }),
  );
  const epochs = await askNumber('epochs', 'How many epochs?', presets[preset].epochs, terminal);
  const seed = await askNumber('seed', 'Which seed for everything random?', USUAL.seed, terminal);
  return { seeds: seeds?.trim() ?? null, preset, variant, epochs, seed };
}

async function askNumber(setting: 'epochs' | 'seed', message: string, usual: number, terminal: Terminal) {
  const read = (typed: string) => loadConfig({ flags: { [setting]: typed } }).config[setting];
  const validate = (typed = '') => {
    try {
      if (typed.trim() === '') return 'A number, please';
      read(typed);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return error.problems[0]?.message;
    }
  };
  return read(await answered(text({ ...terminal, message, initialValue: String(usual), validate })));
}

async function answered<T>(question: Promise<T>): Promise<Exclude<T, symbol>> {
  const answer = await question;
  if (isCancel(answer)) throw new Interrupted('Nothing was written.');
  // What is left is an answer: clack's only symbol is the one for cancelling.
  return answer as Exclude<T, symbol>;
}

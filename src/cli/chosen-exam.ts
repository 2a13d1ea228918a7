/** From what was typed to a benchmark, its settings and one of its exams. */

import { closest } from '../config/suggest.ts';
import { type Config, loadConfig } from '../config.ts';
import type { Ask, Exam } from '../core/exam.ts';
import { dataFolder } from '../data/folder.ts';
import { EXAMINED, type ExaminedConfig, type ExaminedName, openExams } from '../exams.ts';
import { UsageError } from './errors.ts';
import { visible } from './visible.ts';

export function examined(name: string): ExaminedName {
  const found = EXAMINED.find((known) => known === name);
  if (found) return found;
  const near = closest(name, EXAMINED);
  const hint = near === undefined ? `There are ${EXAMINED.join(', ')}.` : `Did you mean "${near}"?`;
  throw new UsageError(`There is no benchmark "${visible(name)}" with an examination. ${hint}`);
}

/** The settings of a benchmark alone, for commands that run no engine. */
export const benchmarkSettings = (benchmark: ExaminedName, set: string[] | undefined): ExaminedConfig =>
  settingsOf(loadConfig({ flags: { benchmark, engine: 'scripted' }, set }).config);

/** The configuration's benchmark; it was chosen by a flag, so it is one of these. */
export const settingsOf = ({ benchmark }: Config): ExaminedConfig => benchmark as ExaminedConfig;

export async function chosenExam(config: ExaminedConfig, suite: string | undefined, judge?: Ask): Promise<Exam> {
  if (judge && config.name !== 'bamboogle') {
    throw new UsageError(`--judge is for bamboogle: ${config.name} has rules of its own, which no model bends.`);
  }
  const exams = await openExams(config, dataFolder(config.name), judge);
  const names = Object.keys(exams);
  const chosen = suite ?? names[0]!;
  const exam = Object.hasOwn(exams, chosen) ? exams[chosen] : undefined;
  if (exam) return exam;
  const near = closest(chosen, names);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  throw new UsageError(`${config.name} has no suite "${visible(chosen)}": it has ${names.join(', ')}.${hint}`);
}

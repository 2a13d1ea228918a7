/**
 * `npm run -s vectors -- <benchmark> <file>`: judges a file of test vectors and says where we disagree with the official
 * checker. The last line is one JSON object.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dataFolder, isUsersOwn } from '../data/folder.ts';
import { judgeVectors } from '../eval/vectors.ts';
import { dataSetOf, type ExaminedName } from '../exams.ts';
import { examined } from './chosen-exam.ts';
import { exitCodeOf, report, UsageError } from './errors.ts';
import { sayJson } from './say.ts';
import { visible } from './visible.ts';

try {
  const [benchmark, file] = process.argv.slice(2);
  if (benchmark === undefined || file === undefined) {
    throw new UsageError('Say which vectors: npm run -s vectors -- <benchmark> <file>');
  }
  if (!existsSync(file)) throw new UsageError(`There is no file ${visible(file)}.`);
  const name = examined(benchmark);
  const result = await judgeVectors(name, file, await dataFor(name, file));
  sayJson(result);
  if (result.disagreements.length > 0 || result.total === 0) process.exitCode = 1;
} catch (error) {
  report(error);
  process.exitCode = exitCodeOf(error);
}

/** Vectors often lie among the data they were made from, beside the file or beside this checkout. */
async function dataFor(benchmark: ExaminedName, file: string): Promise<string> {
  if (isUsersOwn()) return dataFolder(benchmark);
  const { files, made = [] } = await dataSetOf(benchmark);
  const paths = [...files.map(({ path }) => path), ...made];
  const places = [dirname(file), join('..', 'shared', 'data', benchmark)];
  return places.find((place) => paths.some((path) => existsSync(join(place, path)))) ?? dataFolder(benchmark);
}

/**
 * What scoring costs on one core: saved lines read and judged by each benchmark's first suite, half of them right, and the
 * steps a second that the ALFWorld simulator plays. Absolute times depend on the machine, so each is also given as a
 * multiple of a reference measured in the same run: JSON.parse and JSON.stringify of the same lines.
 *
 *   GENENV_DATA=… npm run bench:score
 */
import { dataFolder } from '../dist/data/folder.js';
import { readLines } from '../dist/eval/read-lines.js';
import { scoreLines } from '../dist/eval/score.js';
import { EXAMINED, jsonReader, openExams } from '../dist/exams.js';

const LINES = { travelplanner: 1000 };
const MOST_SECONDS = 2;

const results = {};
for (const name of EXAMINED) {
  const [exam] = Object.values(await openExams({ name }, dataFolder(name)));
  const gold = await exam.gold();
  const lines = Array.from({ length: LINES[name] ?? 10_000 }, (_, i) => lineOf(gold, i));
  const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const readJson = await jsonReader(name);
  await score(exam, Buffer.from(`${JSON.stringify(gold[0])}\n`), readJson); // Reads the data and warms up the JIT.
  const reference = cpuSeconds(() => roundTrip(bytes));
  const { seconds, correct } = await measure(() => score(exam, bytes, readJson));
  results[name] = {
    suite: exam.name,
    lines: lines.length,
    correct,
    seconds: round(seconds),
    ratioToJson: round(seconds / reference),
    fastEnough: seconds < MOST_SECONDS,
  };
}
console.log(JSON.stringify(results, null, 2));
if (Object.values(results).some(({ fastEnough }) => !fastEnough)) process.exitCode = 1;

/** Every line is a question of its own, because a line twice is no verdict; its target comes from the question it copies. */
function lineOf(gold, i) {
  const line = gold[i % gold.length];
  return { ...line, output: i % 2 === 0 ? line.output : spoiled(line.output) };
}

function spoiled(output) {
  return typeof output === 'string' ? output.slice(0, Math.floor(output.length / 2)) : null;
}

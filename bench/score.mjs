/**
 * What scoring costs on one core: saved lines read and judged by each benchmark's first suite, half of them right, and the
 * steps a second that the ALFWorld simulator plays. Absolute times depend on the machine, so each is also given as a
 * multiple of a reference measured in the same run: JSON.parse and JSON.stringify of the same lines.
 *
 *   GENENV_DATA=… npm run bench:score
 */
import { EXAM_SPLITS, readGames } from '../dist/benchmarks/alfworld/data.js';
import { step } from '../dist/benchmarks/alfworld/play.js';
import { initialState } from '../dist/benchmarks/alfworld/state.js';
import { dataFolder } from '../dist/data/folder.js';
import { readLines } from '../dist/eval/read-lines.js';
import { scoreLines } from '../dist/eval/score.js';
import { EXAMINED, jsonReader, openExams } from '../dist/exams.js';

const LINES = { travelplanner: 1000 };
const MOST_SECONDS = 2;
const LEAST_STEPS_PER_SECOND = 100_000;

const results = {};
for (const name of EXAMINED) {
  const [exam] = Object.values(await openExams({ name }, dataFolder(name)));
  const gold = await exam.gold();
  const readJson = await jsonReader(name);
  // A question counts once, so a file holds each at most once, and it takes several files to make up the number.
  const files = filesOf(gold, LINES[name] ?? 10_000);
  await score(exam, [Buffer.from(JSON.stringify(gold[0]))], readJson); // Reads the data.
  const reference = await cpuSeconds(async () => files.forEach(roundTrip));
  let correct = 0;
  const seconds = await cpuSeconds(async () => {
    correct = await score(exam, files, readJson);
  });
  results[name] = {
    suite: exam.name,
    lines: LINES[name] ?? 10_000,
    correct,
    seconds: round(seconds),
    ratioToJson: round(seconds / reference),
    ok: seconds < MOST_SECONDS,
  };
}
results.simulator = await simulate();
console.log(JSON.stringify(results, null, 2));
if (Object.values(results).some(({ ok }) => !ok)) process.exitCode = 1;

/** All walkthroughs of the validation games, over and over, with what the agent reads after every step. */
async function simulate() {
  const games = (await Promise.all(EXAM_SPLITS.map((split) => readGames(dataFolder('alfworld'), split)))).flat();
  let steps = 0;
  const seconds = await cpuSeconds(async () => {
    for (let round = 0; round < 100; round++) {
      for (const { world, walkthrough } of games) {
        const state = initialState(world);
        for (const command of walkthrough) step(world, state, command);
        steps += walkthrough.length;
      }
    }
  });
  const perSecond = Math.round(steps / seconds);
  return { steps, seconds: round(seconds), perSecond, ok: perSecond >= LEAST_STEPS_PER_SECOND };
}

/** Every second answer is cut in half, so that wrong ones are measured too. */
function filesOf(gold, lines) {
  const files = [];
  for (let made = 0; made < lines; made += gold.length) {
    const rows = gold.slice(0, lines - made).map((line, i) => JSON.stringify((made + i) % 2 ? spoiled(line) : line));
    files.push(Buffer.from(rows.join('\n')));
  }
  return files;
}

function spoiled({ output, ...line }) {
  return { ...line, output: typeof output === 'string' ? output.slice(0, Math.floor(output.length / 2)) : null };
}

async function score(exam, files, readJson) {
  let correct = 0;
  for (const file of files) {
    for await (const scored of scoreLines(exam, readLines([file]), readJson)) {
      if ('error' in scored) throw new Error(`line ${scored.line}: ${scored.error}`);
      if (scored.correct) correct++;
    }
  }
  return correct;
}

function roundTrip(file) {
  for (const line of file.toString().split('\n')) JSON.stringify(JSON.parse(line));
}

async function cpuSeconds(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function round(value) {
  return Number(value.toPrecision(3));
}

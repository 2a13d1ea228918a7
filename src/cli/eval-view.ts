/** What an evaluation looks like while it happens: a line that moves on a terminal, a line now and then without one. */
import type { Exam } from '../core/exam.ts';
import type { Evaluated, Progress } from '../eval/evaluate.ts';
import type { ExamResult } from '../eval/result.ts';
import { VERSION } from '../version.ts';
import { progressBar } from './bars.ts';
import { count, counted, duration, percent } from './format.ts';
import { command, nextSteps } from './next-step.ts';
import type { CommonOptions } from './options.ts';
import { resultTable } from './result-table.ts';
import { openScreen } from './screen.ts';
import { wrap } from './text-width.ts';
import { brief, visible } from './visible.ts';

export interface EvalView {
  progress(progress: Progress): void;
  stopping(): void;
  /** It broke off; this command goes on with it. */
  failed(resume: string): void;
  result(result: ExamResult, evaluated: Evaluated, resume: string): void;
  close(): void;
}

/** How long nobody may say anything before that is said. */
const SILENCE_S = 30;

interface Shown {
  folder: string;
  benchmark: string;
  exam: Exam;
  who: string;
}

export function openEvalView(options: CommonOptions, { folder, benchmark, exam, who }: Shown): EvalView {
  const screen = openScreen(options.json ? process.stderr : process.stdout, options.quiet === true);
  const { say, paint } = screen;
  const pace = paceOf();
  let told = 0;
  let lastAnswer = performance.now();
  // A server that is slow or gone is waited for: better to say so than to stand still.
  const waiting = setInterval(() => {
    const silent = (performance.now() - lastAnswer) / 1000;
    if (silent >= SILENCE_S) say(paint('dim', `  no answer for ${duration(silent)}; still waiting`));
  }, SILENCE_S * 1000).unref();

  say(`\n  ${paint('bold', `genenv ${VERSION}`)}  ${benchmark} · ${exam.name} · ${visible(who)}`);
  for (const line of wrap(exam.about, screen.width() - 3)) say(paint('dim', `  ${line}`));
  say(paint('dim', `  ${visible(folder)}\n`));

  return {
    progress(progress) {
      const { questions, answered, failed } = progress;
      const done = answered + failed;
      lastAnswer = performance.now();
      const timing = pace(done);
      if (screen.live) screen.move(() => line(progress, timing()));
      else if (done > 0 && Math.floor((4 * done) / questions) > told) {
        told = Math.floor((4 * done) / questions);
        say(line(progress, timing()));
      }
    },
    stopping: () =>
      say(`  ${paint('yellow', 'stopping')}  waiting for the answers under way. Ctrl-C again stops at once.`),
    failed: (resume) => say(`\n  The answers so far are safe. Go on with:  ${paint('bold', resume)}`),
    result(result, { failures, truncated, complete }, resume) {
      screen.close();
      for (const row of ['', ...resultTable(result)]) say(row);
      if (truncated > 0) say(`\n  Replies cut off at the limit of tokens: ${count(truncated)}.`);
      if (failures.length > 0) {
        const [first] = failures;
        say(`\n  ${counted(failures.length, 'question')} failed, the first with: ${brief(first!.reason)}`);
      }
      const judge = command(
        options,
        'score',
        benchmark,
        '--suite',
        exam.name,
        '--predictions',
        `${folder}/predictions.jsonl`,
      );
      for (const row of nextSteps(...(complete ? [] : [[resume, 'ask what is left'] as const]), [
        judge,
        'the verdict on every answer',
      ])) {
        say(row);
      }
    },
    close() {
      clearInterval(waiting);
      screen.close();
    },
  };
}

function line({ questions, answered, correct, failed }: Progress, { rate, left }: Timing): string {
  return [
    `  ${progressBar((answered + failed) / Math.max(1, questions))}`,
    `${count(answered)}/${count(questions)}`,
    ...(answered > 0 ? [`${percent(correct / answered)} right`] : []),
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
    ...(rate === undefined ? [] : [`${rate.toFixed(rate < 10 ? 1 : 0)}/s`]),
    ...(left === undefined ? [] : [`${duration(left(questions - answered - failed))} left`]),
  ].join('  ');
}

interface Timing {
  rate: number | undefined;
  left: ((questions: number) => number) | undefined;
}

/** From the questions this process has seen go by; those answered earlier took no time. */
function paceOf(now: () => number = () => performance.now() / 1000): (done: number) => () => Timing {
  const started = now();
  let first: number | undefined;
  return (done) => {
    first ??= done;
    const seen = done - first;
    return () => {
      const rate = seen > 0 ? seen / (now() - started) : undefined;
      return { rate, left: rate === undefined ? undefined : (questions) => questions / rate };
    };
  };
}

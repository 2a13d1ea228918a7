/** What an exam came to, as people read it: each metric with its interval, and what the paper reports, labelled as its own. */
import type { ExamResult, MetricResult } from '../eval/result.ts';
import { count, counted, NONE } from './format.ts';
import { paint, tableWidth } from './say.ts';
import { type Column, table } from './table.ts';
import { textWidth } from './text-width.ts';

export function resultTable(result: ExamResult): string[] {
  const { metrics, questions, unanswered, paper } = result;
  if (metrics.length === 0) return ['  Nothing was judged.'];
  const rows = Object.entries(paper);
  const width = Math.max(0, ...rows.map(([model]) => textWidth(model)));
  return [
    ...table(COLUMNS, metrics, tableWidth()),
    ...(questions !== null && unanswered ? ['', `  ${unansweredNote(unanswered, questions)}`] : []),
    ...(rows.length === 0
      ? []
      : [
          '',
          paint('dim', "  The paper's own numbers, for its models and by its protocol:"),
          ...rows.map(([model, score]) =>
            paint('dim', `    ${model.padEnd(width)}  ${score.toFixed(1).padStart(5)} %`),
          ),
        ]),
  ];
}

const unansweredNote = (unanswered: number, questions: number) =>
  `${counted(unanswered, 'question')} of ${count(questions)} ${unanswered === 1 ? 'has' : 'have'} no verdict and ${unanswered === 1 ? 'is' : 'are'} in no number above.`;

const COLUMNS: readonly Column<MetricResult>[] = [
  { title: 'metric', cell: ({ name }) => name, paint: (text) => paint('bold', text) },
  { title: 'n', cell: ({ n }) => count(n), align: 'right' },
  { title: 'score', cell: ({ score }) => `${hundredths(score)} %`, align: 'right' },
  { title: '95 % interval', cell: ({ interval }) => (interval ? interval.map(hundredths).join(' – ') : NONE) },
];

/** Two digits behind the point, as the benchmarks report them. */
const hundredths = (share: number) => (100 * share).toFixed(2);

/** The last lines of a run: what happened, what it cost, where the report is, what to type next. */
import type { Config } from '../config.ts';
import type { Ledger } from '../core/journal.ts';
import type { Summary } from '../run.ts';
import { compact, counted, decimal, duration, fromTo, NONE, percent } from './format.ts';
import { command, nextSteps } from './next-step.ts';
import { visible } from './visible.ts';

export function closing(summary: Summary, { curriculum: { alpha, kMin } }: Config, runsDir: string): string[] {
  const { generatedSuccess: generated, validation, test, responseLength, ledger, run, status, epochs } = summary;
  const band = `${decimal(alpha - kMin)}–${decimal(alpha + kMin)}`;
  const went =
    status === 'finished'
      ? `Finished ${counted(epochs, 'epoch')}`
      : `Stopped after ${epochs} whole ${epochs === 1 ? 'epoch' : 'epochs'}`;
  return [
    '',
    `  ${went} in ${duration(summary.seconds)}.`,
    '',
    line('success on generated tasks', fromTo(generated), inBandNote(generated.shareInBand, band)),
    line('useful groups', fromTo(summary.usefulGroups), 'share of tasks solved sometimes'),
    line('validation', fromTo(validation), validation.best === null ? '' : `best ${decimal(validation.best)}`),
    ...(test === null ? [] : [line('test', decimal(test))]),
    line('response length', lengths(responseLength), 'tokens a rollout'),
    line('diversity of tasks', fromTo(summary.diversity), '1 is all different'),
    line('attempted', `${compact(ledger.tasks)} tasks in ${compact(ledger.rollouts)} rollouts`),
    line(
      'written',
      `${compact(ledger.agentTokens)} tokens by the agent, ${compact(ledger.environmentTokens)} by the simulator`,
    ),
    line('rejected', `${compact(ledger.rejectedGenerations)} of ${compact(ledger.generations)} generations`),
    ...(summary.writer ? [line('asked of the server', bill(summary.writer))] : []),
    ...(summary.report ? [line('report', visible(summary.report))] : []),
    ...(status === 'finished'
      ? nextSteps(
          [command({ runsDir }, 'ui', run), 'see it in the browser'],
          [command({ runsDir }, 'show', run), 'epoch by epoch, here'],
          [command({ runsDir }, 'compare', '--preset', 'quick', '--seeds', '3'), 'against simpler methods'],
          [command({ runsDir }, 'export', run), 'tasks, traces, training set'],
        )
      : nextSteps(
          [command({ runsDir }, 'resume', run), 'go on where it stopped'],
          [command({ runsDir }, 'ui', run), 'see it in the browser'],
        )),
  ];
}

const line = (what: string, value: string, note = '') =>
  `    ${what.padEnd(28)}${note === '' || value === NONE ? value : `${value.padEnd(14)}${note}`}`;

const bill = ({ requests, promptTokens, completionTokens, cost }: NonNullable<Summary['writer']>) =>
  [
    `${compact(requests)} requests`,
    `${compact(promptTokens)} + ${compact(completionTokens)} tokens`,
    ...(cost === undefined ? [] : [`cost ${decimal(cost)}`]),
  ].join(', ');

const inBandNote = (share: number | null, band: string) =>
  share === null ? '' : `${percent(share)} of epochs in ${band}`;

const lengths = ({ first, last }: { first: number | null; last: number | null }) =>
  first === null || last === null ? NONE : `${decimal(first, 1)} → ${decimal(last, 1)}`;

/** The ledger in one line, for the one that moves. */
export const spent = ({ tasks, rollouts, agentTokens, environmentTokens, rejectedGenerations }: Ledger): string =>
  `${compact(tasks)} tasks · ${compact(rollouts)} rollouts · ${compact(agentTokens)} + ${compact(environmentTokens)} tokens · ${compact(rejectedGenerations)} rejected`;

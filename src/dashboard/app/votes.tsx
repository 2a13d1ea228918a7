/** Solver votes: what the attempts at a task answered, most frequent first, with the label among them. */
import type { JSX } from 'preact';
import type { Json, ToolCall } from '../../core/types.ts';
import type { Vote } from '../../core/votes.ts';
import { counted } from '../../report/number.ts';
import type { TaskView, VotePage } from '../api.ts';
import { to } from './address.ts';
import { useAnswer } from './answer.ts';
import { Panel } from './panel.tsx';
import { Scroll } from './scroll.tsx';
import { Answered } from './states.tsx';
import { callText, targetText } from './task-body.tsx';
import { jsonText, Line } from './text.tsx';

interface Props {
  run: string;
  task: TaskView;
  /** Asked again when it changes. */
  version: number;
}

export function SolverVotes({ run, task, version }: Props): JSX.Element {
  const answer = useAnswer<VotePage>(to('api', 'runs', run, 'tasks', task.id, 'votes'), version);
  return (
    <Panel
      title="Solver votes"
      about="The answers that attempts at this task gave, over all epochs; equal answers are one. Where most solvers agree on something that is not the label, the label may be wrong."
    >
      <Answered answer={answer} what="Counting the answers">
        {(page) => <Counted task={task} page={page} />}
      </Answered>
    </Panel>
  );
}

function Counted({ task, page }: { task: TaskView; page: VotePage }): JSX.Element {
  const { votes, others, answered, silent, against, skipped } = page;
  if (answered === 0) return <p class="absent">Nobody has given an answer yet.</p>;
  const isLabelGiven = votes.some(({ right }) => right);
  return (
    <>
      {against && (
        <p class="banner inside" role="status">
          <b>Most solvers disagree with the label.</b> {against.count} of {counted(answered, 'answer')} agree on
          something else: is the label right?
        </p>
      )}
      <Scroll label="Answers">
        <table class="list votes">
          <thead>
            <tr>
              <th scope="col">answer</th>
              <th scope="col">share</th>
              <th scope="col">by epoch</th>
            </tr>
          </thead>
          <tbody>
            {votes.map((vote, i) => (
              <Answer key={i} vote={vote} answered={answered} />
            ))}
            {!isLabelGiven && (
              <tr class="right">
                <th scope="row" class="words">
                  <b>label</b>{' '}
                  <code>
                    <Line text={targetText(task.eval)} most={400} />
                  </code>
                </th>
                <td>
                  <Share count={0} of={answered} />
                </td>
                <td class="soft">nobody</td>
              </tr>
            )}
          </tbody>
        </table>
      </Scroll>
      <p class="soft">
        {counted(answered, 'answer')}
        {others > 0 ? `, ${others} of them rarer ones` : ''}
        {silent > 0 ? `; ${counted(silent, 'attempt')} gave none that could be judged` : ''}
        {skipped > 0 ? `; ${counted(skipped, 'earlier group')} not counted` : ''}
      </p>
    </>
  );
}

const Share = ({ count, of }: { count: number; of: number }) => (
  <>
    {(count / of).toFixed(2)}{' '}
    <small class="soft">
      {count}/{of}
    </small>
  </>
);

/** Calls as they are written everywhere else, anything else as it is. */
function answerText(answer: Json): string {
  if (typeof answer === 'string') return answer;
  const isCall = (one: Json) =>
    typeof one === 'object' &&
    one !== null &&
    !Array.isArray(one) &&
    typeof one.name === 'string' &&
    isObject(one.args);
  if (!Array.isArray(answer) || answer.length === 0 || !answer.every(isCall)) return jsonText(answer);
  return (answer as unknown as ToolCall[]).map(callText).join('\n');
}

const isObject = (value: Json | undefined) => typeof value === 'object' && value !== null && !Array.isArray(value);

const MOST_EPOCHS = 8;

function Answer({ vote: { answer, count, right, epochs }, answered }: { vote: Vote; answered: number }): JSX.Element {
  const shown = epochs.slice(-MOST_EPOCHS);
  return (
    <tr class={right ? 'right' : ''}>
      <th scope="row" class="words">
        {right && (
          <>
            <b>label</b>{' '}
          </>
        )}
        <code>
          <Line text={answerText(answer)} most={400} />
        </code>
      </th>
      <td>
        <Share count={count} of={answered} />
      </td>
      <td class="soft">
        {shown.length < epochs.length ? '… ' : ''}
        {shown.map(([epoch, times]) => `${epoch}: ${times}`).join(', ')}
      </td>
    </tr>
  );
}

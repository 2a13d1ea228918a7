/** The attempts at a task in an epoch, side by side: what was said, what was called, how sure the agent was, and the reward. */

import type { JSX } from 'preact';
import { rate } from '../../../report/number.ts';
import type { RolloutPage, TraceView } from '../../api.ts';
import { to, withQuery } from '../address.ts';
import { useAnswer } from '../answer.ts';
import { Rewarded } from '../reward.tsx';
import { query, setQuery } from '../route.ts';
import { Scroll } from '../scroll.tsx';
import { Answered } from '../states.tsx';
import { Calls, TaskBody } from '../task-body.tsx';
import { Block, Line } from '../text.tsx';
import { TokenKey, TokenStrip, WithTokenTexts } from '../tokens.tsx';

export function RolloutsPage({ run, task }: { run: string; task: string }): JSX.Element {
  const path = withQuery(to('api', 'runs', run, 'tasks', task, 'rollouts'), {
    epoch: query.value.get('epoch'),
    role: query.value.get('role'),
  });
  const answer = useAnswer<RolloutPage>(path);
  return (
    <Answered answer={answer} what="Reading the rollouts">
      {(page) => (
        <WithTokenTexts
          path={withQuery(to('api', 'runs', run, 'tasks', task, 'rollouts', 'text'), {
            epoch: page.epoch,
            role: page.role,
          })}
        >
          <Rollouts run={run} page={page} />
        </WithTokenTexts>
      )}
    </Answered>
  );
}

const USUAL = 3;

/** A success, a failure and another where there are such: that is what one wants to see beside each other. */
function usual(traces: readonly TraceView[]): number[] {
  const won = traces.find(({ success }) => success);
  const lost = traces.find(({ success }) => !success);
  const chosen = [won, lost, ...traces].filter((trace) => trace !== undefined);
  return [...new Set(chosen.map(({ index }) => index))].slice(0, USUAL).sort((a, b) => a - b);
}

function Rollouts({ run, page }: { run: string; page: RolloutPage }): JSX.Element {
  const { task, epoch, role, traces, groups } = page;
  const asked = query.value.get('pick');
  const picked = asked === null ? usual(traces) : asked.split(',').map(Number);
  const shown = traces.filter(({ index }) => picked.includes(index));
  const judged = traces.filter(({ valid }) => valid);
  const solved = judged.filter(({ success }) => success).length;
  const toggle = (index: number) => {
    const next = picked.includes(index) ? picked.filter((one) => one !== index) : [...picked, index];
    setQuery({ pick: next.sort((a, b) => a - b).join(',') || '-' });
  };
  return (
    <>
      <div class="heading">
        <h1>Rollouts</h1>
        <p>
          of <a href={to('r', run, 'task', task.id)}>{task.id}</a> in{' '}
          <a href={to('r', run, 'epoch', epoch)}>epoch {epoch}</a> as {role}: {solved} of {judged.length} solved
          {traces.length > judged.length ? `, ${traces.length - judged.length} could not be judged` : ''}
        </p>
        {groups.length > 1 && (
          <p class="pager">
            {groups.map((group) => {
              const isHere = group.epoch === epoch && group.role === role;
              return (
                <a
                  key={`${group.epoch} ${group.role}`}
                  href={withQuery(to('r', run, 'task', task.id, 'rollouts'), { epoch: group.epoch, role: group.role })}
                  aria-current={isHere ? 'page' : undefined}
                >
                  epoch {group.epoch}, {group.role}
                </a>
              );
            })}
          </p>
        )}
      </div>
      <details>
        <summary>What the task asks</summary>
        <TaskBody task={task} />
      </details>
      <fieldset class="bar picks">
        <legend>Side by side</legend>
        {traces.map((trace) => (
          <label key={trace.index} class={outcomeClass(trace)}>
            <input type="checkbox" checked={picked.includes(trace.index)} onChange={() => toggle(trace.index)} />#
            {trace.index} {trace.valid ? rate(trace.reward) : '–'}
          </label>
        ))}
      </fieldset>
      <TokenKey />
      <Scroll label="Rollouts side by side" kind="side-by-side">
        {shown.map((trace) => (
          <Rollout key={trace.index} trace={trace} page={page} />
        ))}
        {shown.length === 0 && <p class="absent">Tick a rollout to see it.</p>}
      </Scroll>
    </>
  );
}

const outcomeClass = ({ valid, success }: TraceView) => (valid ? (success ? 'won' : 'lost') : 'void');

function Rollout({ trace, page }: { trace: TraceView; page: RolloutPage }): JSX.Element {
  const { index, policy, messages, turns, stop, error } = trace;
  // The texts of tokens come for all turns of all rollouts, in this order.
  const before = page.traces.slice(0, page.traces.indexOf(trace)).reduce((sum, one) => sum + one.turns.length, 0);
  let turn = 0;
  return (
    <article class={`panel rollout ${outcomeClass(trace)}`} aria-label={`Rollout ${index}`}>
      <h2>
        #{index} {trace.valid ? (trace.success ? 'solved' : 'not solved') : 'not judged'}
      </h2>
      <p class="soft">
        <Line text={policy} most={40} /> · ended by {stop}
      </p>
      {error !== null && (
        <p class="rejected">
          <Line text={error} most={400} />
        </p>
      )}
      <ol class="messages">
        {messages.map((message, i) => {
          const place = message.role === 'assistant' ? turn++ : -1;
          const spoken = turns[place];
          return (
            <li key={i} class={`message ${message.role}`}>
              <span class="role">{message.role === 'tool' ? 'observation' : message.role}</span>
              <Block text={message.content} />
              {message.toolCalls && message.toolCalls.length > 0 && <Calls calls={message.toolCalls} />}
              {spoken && <TokenStrip turn={spoken} list={before + place} />}
            </li>
          );
        })}
      </ol>
      <Rewarded trace={trace} spec={page.task.eval} threshold={page.threshold} />
    </article>
  );
}

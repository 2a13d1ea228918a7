/** The reward of a rollout, term by term: what was asked for beside what was answered. */
import type { JSX } from 'preact';
import { align } from '../../core/align.ts';
import { canonicalJson } from '../../core/content-id.ts';
import type { EvalSpec, Json, ToolCall } from '../../core/types.ts';
import { rate } from '../../report/number.ts';
import type { RolloutPage, TraceView } from '../api.ts';
import { callText, ruleOf, targetText } from './task-body.tsx';
import { Block, jsonText, Line } from './text.tsx';

interface Props {
  trace: TraceView;
  spec: EvalSpec;
  threshold: RolloutPage['threshold'];
}

export function Rewarded({ trace, spec, threshold }: Props): JSX.Element {
  const { reward, valid, success } = trace;
  return (
    <section class="reward">
      <h3>
        Reward {valid ? rate(reward) : '–'} {success ? '✓' : ''}
      </h3>
      <p class="soft">
        {valid
          ? `R_agent (Eq. 1) from ${ruleOf(spec)}; a success from ${threshold === 'auto' ? 'the benchmark’s own threshold' : threshold}.`
          : 'It could not be judged, so it counts neither in p̂ nor in an update.'}
      </p>
      {spec.kind === 'toolCalls' ? (
        <CallTerms answer={trace.answer} target={spec.target} />
      ) : (
        <Answer trace={trace} spec={spec} />
      )}
    </section>
  );
}

const same = (a: ToolCall, b: ToolCall) => canonicalJson(a as unknown as Json) === canonicalJson(b as unknown as Json);

/** An answer to a task of calls is a list of them, or nothing. */
function callsIn(answer: Json): ToolCall[] {
  const isCall = (one: Json) =>
    typeof one === 'object' && one !== null && !Array.isArray(one) && typeof one.name === 'string';
  return Array.isArray(answer) ? (answer.filter(isCall) as unknown as ToolCall[]) : [];
}

interface Term {
  left: ToolCall | undefined;
  right: ToolCall | undefined;
}

/** A call that is wrong stands beside the one it should have been. */
function terms(answered: readonly ToolCall[], target: readonly ToolCall[]): Term[] {
  const rows: Term[] = [];
  let open: { left: ToolCall[]; right: ToolCall[] } = { left: [], right: [] };
  const settle = () => {
    const { left, right } = open;
    for (let i = 0; i < Math.max(left.length, right.length); i++) rows.push({ left: left[i], right: right[i] });
    open = { left: [], right: [] };
  };
  for (const { left, right } of align(answered, target, same)) {
    if (left && right && same(left, right)) {
      settle();
      rows.push({ left, right });
    } else {
      if (left) open.left.push(left);
      if (right) open.right.push(right);
    }
  }
  settle();
  return rows;
}

function CallTerms({ answer, target }: { answer: Json; target: readonly ToolCall[] }): JSX.Element {
  const text = (call: ToolCall | undefined) => (call ? callText({ ...call, args: call.args ?? {} }) : '');
  return (
    <table class="list terms">
      <thead>
        <tr>
          <th scope="col">answered</th>
          <th scope="col">
            <span class="out">same</span>
          </th>
          <th scope="col">asked for</th>
        </tr>
      </thead>
      <tbody>
        {terms(callsIn(answer), target).map(({ left, right }, i) => {
          const shared = left !== undefined && right !== undefined && same(left, right);
          return (
            <tr key={i} class={shared ? 'same' : 'different'}>
              <td>
                <code>
                  <Line text={text(left)} most={400} />
                </code>
              </td>
              <td>{shared ? '=' : '≠'}</td>
              <td>
                <code>
                  <Line text={text(right)} most={400} />
                </code>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const Answer = ({ trace: { answer }, spec }: { trace: TraceView; spec: EvalSpec }) => (
  <dl class="findings">
    <div>
      <dt>answered</dt>
      <dd>
        <Block text={typeof answer === 'string' ? answer : jsonText(answer)} />
      </dd>
    </div>
    <div>
      <dt>asked for</dt>
      <dd>
        <Block text={targetText(spec)} />
      </dd>
    </div>
  </dl>
);

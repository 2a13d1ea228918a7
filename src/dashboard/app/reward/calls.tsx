/** A reward for calls: each that was made beside the one that was asked for. */
import type { JSX } from 'preact';
import { align } from '../../../core/align.ts';
import { canonicalJson } from '../../../core/content-id.ts';
import type { Json, ToolCall } from '../../../core/types.ts';
import { callText } from '../task-body.tsx';
import { Line } from '../text.tsx';
import { ComparedHead } from './compared-head.tsx';

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

export function CallTerms({ answer, target }: { answer: Json; target: readonly ToolCall[] }): JSX.Element {
  const text = (call: ToolCall | undefined) => (call ? callText({ ...call, args: call.args ?? {} }) : '');
  return (
    <table class="list terms">
      <ComparedHead />
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

/** What a task asks and how it is judged. */
import type { JSX } from 'preact';
import type { EvalSpec, Message, ToolCall } from '../../core/types.ts';
import type { TaskView } from '../api.ts';
import { Block, jsonText, Line } from './text.tsx';

export const callText = ({ name, args }: ToolCall): string =>
  `${name}(${Object.entries(args)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join(', ')})`;

export const Messages = ({ messages }: { messages: readonly Message[] }): JSX.Element => (
  <ol class="messages">
    {messages.map((message, i) => (
      <li key={i} class={`message ${message.role}`}>
        <span class="role">{message.role}</span>
        <Block text={message.content} />
        {message.toolCalls && message.toolCalls.length > 0 && <Calls calls={message.toolCalls} />}
      </li>
    ))}
  </ol>
);

export const Calls = ({ calls }: { calls: readonly ToolCall[] }): JSX.Element => (
  <ul class="calls">
    {calls.map((call, i) => (
      <li key={i}>
        <code>
          <Line text={callText(call)} most={600} />
        </code>
      </li>
    ))}
  </ul>
);

/** How an answer is judged, in one sentence. */
export function ruleOf(spec: EvalSpec): string {
  switch (spec.kind) {
    case 'toolCalls':
      return spec.order === 'any' ? 'these calls, in any order' : 'these calls, in this order';
    case 'json':
      return 'exactly this value';
    case 'text':
      return {
        exact: 'exactly this text',
        f1: 'words shared with this text (F1)',
        rougeL: 'longest common sequence with this text (ROUGE-L)',
      }[spec.metric];
    case 'script':
      return 'this checker script, in the sandbox';
    case 'world':
      return `the world “${spec.world}” reaching this goal`;
    default:
      return spec satisfies never;
  }
}

export function targetText(spec: EvalSpec): string {
  switch (spec.kind) {
    case 'toolCalls':
      return spec.target.map(callText).join('\n');
    case 'json':
      return jsonText(spec.target);
    case 'text':
      return spec.target;
    case 'script':
      return spec.source;
    case 'world':
      return jsonText(spec.goal);
    default:
      return spec satisfies never;
  }
}

export function TaskBody({ task }: { task: TaskView }): JSX.Element {
  const features = Object.entries(task.features);
  return (
    <>
      <Messages messages={task.prompt} />
      <h3>Judged by {ruleOf(task.eval)}</h3>
      <Block text={targetText(task.eval)} />
      {task.tools.length > 0 && (
        <details>
          <summary>{task.tools.length} tools</summary>
          <ul class="tools-list">
            {task.tools.map(({ name, description, parameters }, i) => (
              <li key={i}>
                <code>
                  <Line text={name} />
                </code>{' '}
                <Line text={description} />
                <Block text={jsonText(parameters)} />
              </li>
            ))}
          </ul>
        </details>
      )}
      <p class="soft">
        shape <Line text={task.structure} />
        {features.length > 0 && (
          <>
            {' · '}
            <Line text={features.map(([name, value]) => `${name} ${value}`).join(' · ')} />
          </>
        )}
      </p>
    </>
  );
}

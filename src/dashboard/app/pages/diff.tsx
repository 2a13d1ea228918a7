/** Two tasks side by side, with what the edit changed. */
import type { ComponentChildren, JSX } from 'preact';
import type { PassportPage, TaskView } from '../../api.ts';
import { to } from '../address.ts';
import { useAnswer } from '../answer.ts';
import { Rate } from '../bars.tsx';
import { type Change, changes } from '../difference.ts';
import { Panel } from '../panel.tsx';
import { query } from '../route.ts';
import { Answered, Empty } from '../states.tsx';
import { targetText } from '../task-body.tsx';
import { jsonText, pieces } from '../text.tsx';

export function DiffPage({ run }: { run: string }): JSX.Element {
  const [a, b] = [query.value.get('a'), query.value.get('b')];
  const path = (id: string | null) => (id === null ? null : to('api', 'runs', run, 'tasks', id));
  const [first, second] = [useAnswer<PassportPage>(path(a)), useAnswer<PassportPage>(path(b))];
  if (a === null || b === null) {
    return (
      <Empty title="Choose two tasks">
        <p>
          On <a href={to('r', run, 'tasks')}>the list of tasks</a>, choose one and then another; or open a task and
          follow “what the edit changed”.
        </p>
      </Empty>
    );
  }
  return (
    <>
      <h1>Two tasks side by side</h1>
      <Answered answer={first}>
        {(left) => <Answered answer={second}>{(right) => <Diff run={run} left={left} right={right} />}</Answered>}
      </Answered>
    </>
  );
}

const PARTS: readonly [name: string, text: (task: TaskView) => string][] = [
  ['What it asks', ({ prompt }) => prompt.map(({ role, content }) => `${role}: ${content}`).join('\n')],
  ['Target', ({ eval: spec }) => targetText(spec)],
  ['Tools', ({ tools }) => tools.map((tool) => jsonText(tool)).join('\n')],
  ['Shape and features', ({ structure, features }) => `${structure}\n${jsonText(features)}`],
];

function Diff({ run, left, right }: { run: string; left: PassportPage; right: PassportPage }): JSX.Element {
  return (
    <>
      <div class="pair">
        <Head run={run} page={left} />
        <Head run={run} page={right} />
      </div>
      {PARTS.map(([name, text]) => {
        const [before, after] = [text(left.task), text(right.task)];
        if (before === after) {
          return (
            <Panel key={name} title={name}>
              <p class="absent">The same in both.</p>
            </Panel>
          );
        }
        const found = changes(before, after);
        return (
          <Panel key={name} title={name}>
            <div class="pair">
              <Side found={found} without="new" />
              <Side found={found} without="gone" />
            </div>
          </Panel>
        );
      })}
    </>
  );
}

function Head({ run, page: { task, outcomes } }: { run: string; page: PassportPage }): JSX.Element {
  const last = outcomes.at(-1);
  return (
    <p>
      <a href={to('r', run, 'task', task.id)}>{task.id}</a> · {task.origin}
      {task.epoch > 0 ? `, epoch ${task.epoch}` : ''} {last && <Rate k={last.successes} n={last.attempts} />}
    </p>
  );
}

const Side = ({ found, without }: { found: readonly Change[]; without: Change['kind'] }) => (
  <div class="block">
    {found
      .filter(({ kind }) => kind !== without)
      .map(({ kind, text }, i) => {
        const shown = <Shown text={text} />;
        if (kind === 'gone') return <del key={i}>{shown}</del>;
        return kind === 'new' ? <ins key={i}>{shown}</ins> : <span key={i}>{shown}</span>;
      })}
  </div>
);

const Shown = ({ text }: { text: string }): JSX.Element => {
  const parts: ComponentChildren[] = pieces(text).map((piece, i) =>
    piece.hidden ? (
      <span key={i} class="hidden-character">
        {piece.text}
      </span>
    ) : (
      piece.text
    ),
  );
  return <>{parts}</>;
};

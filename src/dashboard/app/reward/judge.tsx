/** A reward that a world gave: what its judge looked at, as it was written down when the rollout ended. */
import type { JSX } from 'preact';
import type { EvalSpec, Json, RewardTerm } from '../../../core/types.ts';
import { rate } from '../../../report/number.ts';
import { targetText } from '../task-body.tsx';
import { Block, jsonText, Line } from '../text.tsx';

interface Props {
  answer: Json;
  spec: EvalSpec;
  terms: readonly RewardTerm[];
}

export const JudgeTerms = ({ answer, spec, terms }: Props): JSX.Element => (
  <>
    {terms.length > 0 ? (
      <Judged terms={terms} />
    ) : (
      <p class="soft">The judge gave a score and said nothing of its parts.</p>
    )}
    <details open={terms.length === 0}>
      <summary>The last answer, and the goal</summary>
      <Block text={typeof answer === 'string' ? answer : jsonText(answer)} />
      <hr />
      <Block text={targetText(spec)} />
    </details>
  </>
);

function Judged({ terms }: { terms: readonly RewardTerm[] }): JSX.Element {
  const applied = terms.filter(({ score }) => score !== null);
  const passed = applied.filter(({ score }) => score === 1).length;
  return (
    <>
      <p>
        The judge: {passed} of {applied.length} passed
        {terms.length > applied.length ? `, ${terms.length - applied.length} did not apply` : ''}
      </p>
      <table class="list terms judged">
        <thead>
          <tr>
            <th scope="col">looked at</th>
            <th scope="col">
              <span class="out">passed</span>
            </th>
            <th scope="col">said</th>
          </tr>
        </thead>
        <tbody>
          {terms.map(({ name, score, detail }, i) => (
            <tr key={i} class={score === null || score === 1 ? 'same' : 'different'}>
              <td>
                <Line text={name} most={120} />
              </td>
              <td>{score === null ? '–' : score === 1 ? '✓' : score === 0 ? '✗' : rate(score)}</td>
              <td>
                <Line text={detail ?? (score === null ? 'does not apply' : '')} most={320} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

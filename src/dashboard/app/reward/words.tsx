/** A reward for a text: the words that the metric compares, the shared ones marked, and how they make the score. */
import type { JSX } from 'preact';
import { type ComparedWord, textMatch } from '../../../core/text-match.ts';
import type { EvalSpec, Json } from '../../../core/types.ts';
import { rate } from '../../../report/number.ts';
import { Block, jsonText, Line } from '../text.tsx';

type TextSpec = Extract<EvalSpec, { kind: 'text' }>;

const SHOWN = 400;

export function WordTerms({ answer, spec }: { answer: Json; spec: TextSpec }): JSX.Element {
  const match = textMatch(answer ?? '', spec);
  return (
    <>
      <p>{formulaOf(spec.metric, match)}</p>
      <dl class="findings">
        <Side name="answered, normalised" words={match.answer} />
        <Side name="asked for, normalised" words={match.target} />
      </dl>
      <details>
        <summary>Both as they were written</summary>
        <Block text={typeof answer === 'string' ? answer : answer === null ? '' : jsonText(answer)} />
        <hr />
        <Block text={spec.target} />
      </details>
    </>
  );
}

function formulaOf(
  metric: TextSpec['metric'],
  { answer, target, shared, score }: ReturnType<typeof textMatch>,
): string {
  const [got, want] = [answer.length, target.length];
  if (metric === 'exact')
    return score === 1 ? 'The same words in the same order.' : `Not the same words: ${shared} of ${want} in order.`;
  const how = metric === 'f1' ? 'shared' : 'shared in the same order';
  if (got === 0 || want === 0) return `${shared} words ${how}.`;
  return (
    `${shared} words ${how}: precision ${shared}/${got} = ${rate(shared / got)}, recall ${shared}/${want} = ` +
    `${rate(shared / want)}, F1 2·${shared}/(${got} + ${want}) = ${rate(score)}.`
  );
}

const Side = ({ name, words }: { name: string; words: readonly ComparedWord[] }) => (
  <div>
    <dt>{name}</dt>
    <dd class="words-compared">
      {words.length === 0 && <span class="soft">(nothing)</span>}
      {words.slice(0, SHOWN).map(({ word, shared }, i) => (
        <span key={i}>
          {shared ? (
            <mark>
              <Line text={word} most={80} />
            </mark>
          ) : (
            <Line text={word} most={80} />
          )}{' '}
        </span>
      ))}
      {words.length > SHOWN && <span class="soft">… {words.length - SHOWN} more</span>}
    </dd>
  </div>
);

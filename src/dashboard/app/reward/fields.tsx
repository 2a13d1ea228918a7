/** A reward for a value: its fields, right and wrong. Only a value that is right in all of them earns anything. */
import type { JSX } from 'preact';
import { compareFields } from '../../../core/json-fields.ts';
import type { Json } from '../../../core/types.ts';
import { counted } from '../../../report/number.ts';
import { jsonText, Line } from '../text.tsx';
import { ComparedHead } from './compared-head.tsx';

export function FieldTerms({ answer, target }: { answer: Json; target: Json }): JSX.Element {
  const fields = compareFields(answer, target);
  const right = fields.filter(({ same }) => same).length;
  return (
    <>
      <p>
        {right} of {counted(fields.length, 'field')} right
      </p>
      <table class="list terms fields">
        <ComparedHead />
        <tbody>
          {fields.map(({ path, answered, asked, same }) => (
            <tr key={path} class={same ? 'same' : 'different'}>
              <td>
                {path !== '' && (
                  <small class="soft">
                    <Line text={path} most={80} />{' '}
                  </small>
                )}
                <Value value={answered} />
              </td>
              <td>{same ? '=' : '≠'}</td>
              <td>
                <Value value={asked} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const Value = ({ value }: { value: Json | undefined }) =>
  value === undefined ? (
    <span class="soft">nothing</span>
  ) : (
    <code>
      <Line text={jsonText(value)} most={400} />
    </code>
  );

/** What an author saw, what it wrote and what became of it. */
import type { JSX } from 'preact';
import type { Verdict } from '../../core/types.ts';
import type { GenerationView } from '../api.ts';
import { to } from './address.ts';
import { Messages } from './task-body.tsx';
import { Block, jsonText, Line } from './text.tsx';
import { TokenStrip, WhyIds, WithTokenTexts } from './tokens.tsx';

export const verdictText = (verdict: Verdict): string => {
  if (verdict.kind === 'rejected') return `rejected, ${verdict.reason}: ${verdict.detail}`;
  return verdict.repaired === undefined ? 'accepted' : `accepted after a repair: ${verdict.repaired}`;
};

/** What guards found out beyond the verdict itself, such as the votes of solvers; shown as it is. */
function Findings({ verdict }: { verdict: Verdict }): JSX.Element | null {
  const known = new Set(['kind', 'reason', 'detail', 'repaired']);
  const more = Object.entries(verdict).filter(([name]) => !known.has(name));
  if (more.length === 0) return null;
  return (
    <dl class="findings">
      {more.map(([name, value]) => (
        <div key={name}>
          <dt>
            <Line text={name} />
          </dt>
          <dd>
            <Block text={jsonText(value)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface Props {
  run: string;
  generation: GenerationView;
}

export const GenerationBody = ({ run, generation }: Props): JSX.Element => (
  <>
    <Findings verdict={generation.verdict} />
    <h3>What it wrote</h3>
    <Block text={generation.text} />
    <WithTokenTexts path={to('api', 'runs', run, 'generations', generation.id, 'text')}>
      <TokenStrip turn={generation} list={0} />
      <WhyIds />
    </WithTokenTexts>
    <details>
      <summary>What it saw</summary>
      <Messages messages={generation.context} />
    </details>
  </>
);

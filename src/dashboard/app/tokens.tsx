/** How sure a policy was, token by token: a cell each, darker where it was less likely. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { counted, rate } from '../../report/number.ts';

interface Turn {
  tokens: readonly number[];
  logprobs: readonly number[];
}

const SHOWN = 400;
/** Steps of shading: from p above 0.9 to p below one in a hundred. */
const STEPS = [-0.1, -0.5, -1.2, -2.3, -4.6];

const shade = (logprob: number) => STEPS.filter((limit) => logprob < limit).length;

export function TokenStrip({ turn: { tokens, logprobs } }: { turn: Turn }): JSX.Element | null {
  const [all, setAll] = useState(false);
  if (tokens.length === 0) return null;
  const shown = all ? tokens.length : Math.min(SHOWN, tokens.length);
  const mean = logprobs.reduce((a, b) => a + b, 0) / tokens.length;
  return (
    <figure class="tokens">
      <figcaption>
        {counted(tokens.length, 'token')}, mean log-prob {rate(mean)}, least likely {rate(Math.min(...logprobs))}
      </figcaption>
      <div class="strip">
        {tokens.slice(0, shown).map((id, i) => (
          <span
            key={i}
            class={`p${shade(logprobs[i] ?? 0)}`}
            title={`token ${id}, log-prob ${rate(logprobs[i] ?? 0)}, p ${Math.exp(logprobs[i] ?? 0).toPrecision(2)}`}
          >
            {id}
          </span>
        ))}
        {shown < tokens.length && (
          <button type="button" class="link" onClick={() => setAll(true)}>
            {tokens.length - shown} more
          </button>
        )}
      </div>
    </figure>
  );
}

export const TokenKey = (): JSX.Element => (
  <p class="tokens key soft">
    Tokens by probability:
    {['> 0.9', '0.6–0.9', '0.3–0.6', '0.1–0.3', '0.01–0.1', '< 0.01'].map((text, i) => (
      <span key={text} class={`p${i}`}>
        {text}
      </span>
    ))}
  </p>
);

/** How sure a policy was, token by token: a cell each, darker where it was less likely. */
import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { counted, rate } from '../../report/number.ts';
import type { TokenTexts } from '../api.ts';
import { useAnswer } from './answer.ts';
import { Line } from './text.tsx';

interface Turn {
  tokens: readonly number[];
  logprobs: readonly number[];
}

const SHOWN = 400;
/** Steps of shading: from p above 0.9 to p below one in a hundred. */
const STEPS = [-0.1, -0.5, -1.2, -2.3, -4.6];

const shade = (logprob: number) => STEPS.filter((limit) => logprob < limit).length;

/** What the tokens below say, list by list; null until it is known, or where it can't be. */
const Texts = createContext<TokenTexts | null>(null);

/** Asks what the tokens inside say, once they are on the page; until then, and where nobody knows, they are ids. */
export function WithTokenTexts({ path, children }: { path: string; children: ComponentChildren }): JSX.Element {
  const { data } = useAnswer<TokenTexts>(path);
  return <Texts.Provider value={data}>{children}</Texts.Provider>;
}

/** `list`: which of the lists that were asked for this is. */
export function TokenStrip({ turn, list }: { turn: Turn; list: number }): JSX.Element | null {
  const { tokens, logprobs } = turn;
  const [all, setAll] = useState(false);
  const texts = useContext(Texts)?.texts?.[list];
  if (tokens.length === 0) return null;
  const shown = all ? tokens.length : Math.min(SHOWN, tokens.length);
  const mean = logprobs.reduce((a, b) => a + b, 0) / tokens.length;
  return (
    <figure class="tokens">
      <figcaption>
        {counted(tokens.length, 'token')}, mean log-prob {rate(mean)}, least likely{' '}
        {rate(logprobs.reduce((a, b) => Math.min(a, b), 0))}
      </figcaption>
      <div class={texts ? 'strip said' : 'strip'}>
        {tokens.slice(0, shown).map((id, i) => (
          <span
            key={i}
            class={`p${shade(logprobs[i] ?? 0)}`}
            title={`token ${id}, log-prob ${rate(logprobs[i] ?? 0)}, p ${Math.exp(logprobs[i] ?? 0).toPrecision(2)}`}
          >
            {texts ? <Said text={texts[i] ?? ''} /> : id}
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

const Said = ({ text }: { text: string }) =>
  text === '' ? (
    <span class="soft" title="part of a character, or a token the tokenizer does not know">
      ·
    </span>
  ) : (
    <Line text={text} most={80} />
  );

/** What the shades mean, and why there are ids where there are. */
export function TokenKey(): JSX.Element {
  return (
    <p class="tokens key soft">
      Tokens by probability:
      {['> 0.9', '0.6–0.9', '0.3–0.6', '0.1–0.3', '0.01–0.1', '< 0.01'].map((text, i) => (
        <span key={text} class={`p${i}`}>
          {text}
        </span>
      ))}
      <WhyIds />
    </p>
  );
}

export function WhyIds(): JSX.Element | null {
  const why = useContext(Texts)?.why;
  return why ? (
    <small class="soft">
      {' '}
      Ids, not words: <Line text={why} most={300} />
    </small>
  ) : null;
}

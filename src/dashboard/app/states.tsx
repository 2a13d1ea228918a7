/** What a page shows when it has nothing to show yet, or nothing at all. */
import type { ComponentChildren, JSX } from 'preact';
import type { Answer, Refused } from './answer.ts';

export const Loading = ({ what = 'Loading' }: { what?: string }): JSX.Element => (
  <div class="state" role="status" aria-live="polite">
    <span class="spinner" aria-hidden="true" /> {what} …
  </div>
);

export const Failed = ({ error, again }: { error: Refused; again?: () => void }): JSX.Element => (
  <div class="state failed" role="alert">
    <h2>{error.status === 404 ? 'Not here' : 'That did not work'}</h2>
    <p>{error.message}</p>
    {again && (
      <button type="button" onClick={again}>
        Try again
      </button>
    )}
  </div>
);

export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }): JSX.Element => (
  <div class="state">
    <h2>{title}</h2>
    {children}
  </div>
);

/** The page once its answer is there; a failure to ask again leaves the old answer up and says so. */
export function Answered<T>({
  answer,
  what,
  children,
}: {
  answer: Answer<T>;
  what?: string;
  children: (data: T) => ComponentChildren;
}): JSX.Element {
  if (answer.data === null) {
    return answer.error ? (
      <Failed error={answer.error} again={answer.again} />
    ) : (
      <Loading {...(what ? { what } : {})} />
    );
  }
  return (
    <>
      {answer.error && (
        <p class="banner" role="status">
          This is out of date: {answer.error.message}
        </p>
      )}
      {children(answer.data)}
    </>
  );
}

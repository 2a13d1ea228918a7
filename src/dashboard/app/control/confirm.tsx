/** What can't be taken back is asked twice, in a dialog that Escape closes. */
import { signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Refused } from '../answer.ts';
import { Line } from '../text.tsx';
import { type Action, send } from './desk.ts';

interface Question {
  title: string;
  text: ComponentChildren;
  verb: string;
  action: Action;
}

const question = signal<Question | null>(null);

export function askToStop(run: string): void {
  question.value = {
    title: 'Stop the run?',
    text: (
      <>
        It ends when the phase in progress does; everything so far is kept. Going on needs a terminal:{' '}
        <code>genenv resume {run} --control</code>
      </>
    ),
    verb: 'Stop after this phase',
    action: { kind: 'stop' },
  };
}

export function askToBan(structure: string): void {
  question.value = {
    title: 'Ban this shape of task?',
    text: (
      <>
        <span class="block">
          <Line text={structure} />
        </span>
        From the next epoch on none is written, drawn or trained on, and those that exist are quarantined. A ban holds
        for the rest of the run.
      </>
    ),
    verb: 'Ban it',
    action: { kind: 'ban', structure },
  };
}

export function Confirmation(): JSX.Element | null {
  return question.value && <Dialog key={question.value.title} {...question.value} />;
}

function Dialog({ title, text, verb, action }: Question): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    dialog.current?.showModal();
    cancel.current?.focus();
  }, []);
  const confirm = async () => {
    setBusy(true);
    try {
      await send(action);
      dialog.current?.close();
    } catch (reason) {
      setError(reason instanceof Refused ? reason.message : String(reason));
      setBusy(false);
    }
  };
  return (
    <dialog
      ref={dialog}
      onClose={() => {
        question.value = null;
      }}
      aria-labelledby="confirm-title"
      aria-describedby="confirm-text"
    >
      <h2 id="confirm-title">{title}</h2>
      <p id="confirm-text">{text}</p>
      {error !== null && (
        <p class="problem" role="alert">
          {error}
        </p>
      )}
      <p class="bar">
        <button type="button" class="danger" disabled={busy} onClick={confirm}>
          {verb}
        </button>
        <button type="button" ref={cancel} onClick={() => dialog.current?.close()}>
          Cancel
        </button>
      </p>
    </dialog>
  );
}

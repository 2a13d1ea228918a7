/** The settings that can be changed while a run goes on, each with its value, its limits and what waits. */
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { SteeringPage } from '../../api.ts';
import { Refused } from '../answer.ts';
import { send } from './desk.ts';

type Settings = NonNullable<SteeringPage['settings']>;
type Tunable = SteeringPage['waiting'][number]['setting'];

const SETTINGS: readonly { setting: Tunable; name: string; of: (settings: Settings) => number; when: string }[] = [
  { setting: 'alpha', name: 'Target α', of: ({ alpha }) => alpha, when: 'holds from the next epoch on' },
  {
    setting: 'agent.learningRate',
    name: 'Learning rate of the agent',
    of: ({ learningRate }) => learningRate.agent,
    when: 'holds from its next update on',
  },
  {
    setting: 'environment.learningRate',
    name: 'Learning rate of the simulator',
    of: ({ learningRate }) => learningRate.environment,
    when: 'holds from its next update on',
  },
  { setting: 'epochs', name: 'Budget in epochs', of: ({ epochs }) => epochs, when: 'holds from the next phase on' },
];

export function SettingForms({ page }: { page: SteeringPage }): JSX.Element | null {
  const { settings, limits, waiting } = page;
  if (!settings || !limits) return null;
  return (
    <div class="settings">
      {SETTINGS.map(({ setting, name, of, when }) => {
        const next = waiting.findLast((change) => change.setting === setting);
        return (
          <SettingForm
            key={setting}
            setting={setting}
            name={name}
            now={of(settings)}
            hint={`${limits[setting]}; ${when}`}
            next={next ? `${next.value} from ${next.from}` : null}
          />
        );
      })}
    </div>
  );
}

interface FormProps {
  setting: Tunable;
  name: string;
  now: number;
  hint: string;
  next: string | null;
}

function SettingForm({ setting, name, now, hint, next }: FormProps): JSX.Element {
  const id = useId();
  // What is typed; null follows the run.
  const [typed, setTyped] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const change = async (event: Event) => {
    event.preventDefault();
    const text = (typed ?? '').trim().replace(',', '.');
    if (text === '') return setError('Type the new value first.');
    setBusy(true);
    try {
      await send({ kind: 'set', setting, value: Number(text) });
      setTyped(null);
      setError(null);
    } catch (reason) {
      setError(reason instanceof Refused ? reason.message : String(reason));
    }
    setBusy(false);
  };
  return (
    <form onSubmit={change} noValidate>
      <label for={id}>{name}</label>
      <span class="field">
        <input
          id={id}
          inputMode="decimal"
          autocomplete="off"
          value={typed ?? String(now)}
          aria-describedby={`${id}-hint`}
          aria-invalid={error !== null}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <button type="submit" disabled={busy} aria-label={`Set ${name}`}>
          Set
        </button>
      </span>
      <small id={`${id}-hint`} class="soft">
        {hint}
      </small>
      <small>
        now <b>{now}</b>
        {next !== null && <>, then {next}</>}
      </small>
      {error !== null && (
        <small class="problem" role="alert">
          {error}
        </small>
      )}
    </form>
  );
}

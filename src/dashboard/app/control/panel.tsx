/** The controls of a run that goes on: there only where `genenv ui --control` was given. */
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { EpochPage, SteeringPage } from '../../api.ts';
import { to } from '../address.ts';
import { Refused, useAnswer } from '../answer.ts';
import { Panel } from '../panel.tsx';
import { askToBan, askToStop } from './confirm.tsx';
import { chooseName, chosenName, lookAgain, send, steering } from './desk.ts';
import { Events } from './events.tsx';
import { SettingForms } from './settings.tsx';
import { rememberToken } from './token.ts';

type Steered = SteeringPage & { run: string };

export function ControlPanel({ run, epoch }: { run: string; epoch: number | undefined }): JSX.Element | null {
  const page = steering.value;
  if (page?.run !== run) return null;
  return (
    <Panel
      wide
      title="Control"
      about="Changes a run while it goes on. Each action is on record with who asked and when, and takes effect between two steps of the run, so a run that is killed and resumed ends the same."
      note={page.unlocked ? <Name page={page} /> : undefined}
    >
      <Body page={page} epoch={epoch} />
      <Events events={page.events} />
    </Panel>
  );
}

function Body({ page, epoch }: { page: Steered; epoch: number | undefined }): JSX.Element {
  const { status, run } = page;
  const again = <code>genenv resume {run} --control</code>;
  switch (status) {
    case 'finished':
      return <p class="absent">The run is finished: there is nothing left to steer.</p>;
    case 'notRunning':
      return <p class="absent">Nobody plays this run now. Go on with it, and be able to steer it: {again}</p>;
    case 'off':
      return (
        <p class="absent">
          The run was not started with <code>--control</code>: it can be watched, not steered. Stop it with Ctrl-C and
          go on with {again}
        </p>
      );
    default:
      return page.unlocked ? <Controls page={page} epoch={epoch} /> : <Unlock key={run} run={run} />;
  }
}

const STATUS = {
  running: 'The run is going on.',
  paused: 'The run is paused: it waits until you continue it.',
  stopping: 'The run ends when the phase in progress does.',
};

function Controls({ page, epoch }: { page: Steered; epoch: number | undefined }): JSX.Element {
  const { status, run, events } = page;
  const [error, setError] = useState<string | null>(null);
  const isSent = (what: string) => events.some((event) => event.state === 'sent' && event.what === what);
  const act = async (kind: 'pause' | 'resume') => {
    try {
      await send({ kind });
      setError(null);
    } catch (reason) {
      setError(reason instanceof Refused ? reason.message : String(reason));
    }
  };
  const stopping = status === 'stopping' || isSent('stop');
  return (
    <>
      <div class="bar">
        {status === 'paused' ? (
          <button type="button" class="main" disabled={isSent('go on')} onClick={() => act('resume')}>
            {isSent('go on') ? 'Continuing …' : 'Continue'}
          </button>
        ) : (
          <button type="button" class="main" disabled={isSent('pause') || stopping} onClick={() => act('pause')}>
            {isSent('pause') ? 'Pausing …' : 'Pause'}
          </button>
        )}
        <button type="button" class="danger" disabled={stopping} onClick={() => askToStop(run)}>
          {stopping ? 'Stopping …' : 'Stop after this phase …'}
        </button>
        <span role="status">{STATUS[status as keyof typeof STATUS]}</span>
      </div>
      {error !== null && (
        <p class="problem" role="alert">
          {error}
        </p>
      )}
      <details class="steer">
        <summary>Change α, learning rates or the budget, ban a shape of task</summary>
        <SettingForms page={page} />
        <BanForm run={run} epoch={epoch} banned={page.bans.map(({ structure }) => structure)} />
      </details>
    </>
  );
}

/** The shapes of the last epoch are offered; any other can be typed. */
function BanForm({
  run,
  epoch,
  banned,
}: {
  run: string;
  epoch: number | undefined;
  banned: readonly string[];
}): JSX.Element {
  const id = useId();
  const [structure, setStructure] = useState('');
  const shapes = useAnswer<EpochPage>(epoch === undefined ? null : to('api', 'runs', run, 'epochs', epoch), 0, {
    keep: true,
  });
  return (
    <form
      class="ban"
      onSubmit={(event) => {
        event.preventDefault();
        if (structure !== '') askToBan(structure);
      }}
    >
      <label for={id}>Ban a shape of task</label>
      <span class="field">
        <input
          id={id}
          list={`${id}-shapes`}
          autocomplete="off"
          value={structure}
          placeholder="choose or type its structure"
          onInput={(event) => setStructure(event.currentTarget.value)}
        />
        <button type="submit" disabled={structure === ''}>
          Ban …
        </button>
      </span>
      <datalist id={`${id}-shapes`}>
        {shapes.data?.structures
          .filter((row) => !banned.includes(row.structure))
          .map((row) => (
            <option key={row.structure} value={row.structure}>
              {row.tasks} tasks
            </option>
          ))}
      </datalist>
      <small class="soft">or press “ban” beside it, under Shapes of tasks</small>
    </form>
  );
}

function Unlock({ run }: { run: string }): JSX.Element {
  const id = useId();
  const [token, setToken] = useState('');
  const [tried, setTried] = useState('');
  const isWrong = tried !== '' && tried === token;
  return (
    <form
      class="ban"
      onSubmit={async (event) => {
        event.preventDefault();
        if (token === '') return;
        rememberToken(run, token);
        await lookAgain();
        setTried(token);
      }}
    >
      <label for={id}>Token of the run</label>
      <span class="field">
        <input
          id={id}
          type="password"
          autocomplete="off"
          value={token}
          aria-describedby={`${id}-hint`}
          onInput={(event) => setToken(event.currentTarget.value.trim())}
        />
        <button type="submit" disabled={token === ''}>
          Unlock
        </button>
      </span>
      <small id={`${id}-hint`} class="soft">
        It was printed when the run was started with --control, unless GENENV_CONTROL_TOKEN named it.
      </small>
      {isWrong && (
        <small class="problem" role="alert">
          This is not the token of the run.
        </small>
      )}
    </form>
  );
}

const Name = ({ page }: { page: SteeringPage }) => (
  <label>
    on record as{' '}
    <input
      class="short"
      value={chosenName.value}
      placeholder={page.who}
      maxLength={80}
      onInput={(event) => chooseName(event.currentTarget.value)}
    />
  </label>
);

/**
 * Steering a run from another process: what the command line and the dashboard call. The run itself is asked through files
 * in its folder (`src/control`); whether it is alive is asked of its store.
 */
import { basename } from 'node:path';
import { type ControlAction, readAction } from './control/action.ts';
import { ControlError } from './control/errors.ts';
import { checkLimits } from './control/limits.ts';
import { post, type Request } from './control/mailbox.ts';
import { type Answer, type Panel, readPanel } from './control/panel.ts';
import { isToken } from './control/token.ts';
import { isBeingWritten, openReader } from './store/index.ts';
import { completedEpochs } from './summary.ts';

export { type ControlAction, isTunable, TUNABLE, type Tunable } from './control/action.ts';
export { ControlError, type ControlErrorKind } from './control/errors.ts';
export { limitTexts } from './control/limits.ts';
export type { Answer, Settings } from './control/panel.ts';
export { checkToken, newToken } from './control/token.ts';
export { sinceWhen, told, whatChanged } from './control/told.ts';
export { alphaIn, type Change, readChanges } from './control/tuning.ts';

export type ControlState =
  /** Nobody plays the run, or it was not started with `--control`. */
  | { status: 'notRunning' | 'finished' | 'off' }
  | ({ status: 'running' | 'paused' | 'stopping' } & Omit<Panel, 'tokenHash' | 'paused' | 'stopping'>);

/** How a run stands, for whoever wants to steer it. Needs no token: it tells nothing that the run's store does not. */
export function controlState(folder: string): ControlState {
  if (!isBeingWritten(folder)) return { status: isFinished(folder) ? 'finished' : 'notRunning' };
  const panel = readPanel(folder);
  if (!panel) return { status: 'off' };
  const { tokenHash: _hash, paused, stopping, ...shown } = panel;
  return { status: stopping ? 'stopping' : paused ? 'paused' : 'running', ...shown };
}

/**
 * Sends an action to a running run. The run takes it up when the step in progress is done, and answers under the id
 * (`controlAnswer`).
 * @throws ControlError where it is known at once that the run can't or won't.
 */
export function requestControl(
  folder: string,
  token: string,
  action: ControlAction,
  who: string,
): Pick<Request, 'id' | 'who'> {
  const asked = readAction(action);
  const state = controlState(folder);
  const run = basename(folder);
  if (state.status === 'finished')
    throw new ControlError(
      'finished',
      `${run} is finished. Train it further with: genenv resume ${run} --epochs N --control`,
    );
  if (state.status === 'notRunning')
    throw new ControlError('notRunning', `${run} is not running. Go on with it: genenv resume ${run} --control`);
  const panel = readPanel(folder);
  if (!panel)
    throw new ControlError(
      'off',
      `${run} was not started with --control. Stop it with Ctrl-C and go on with: genenv resume ${run} --control`,
    );
  if (!isToken(token, panel.tokenHash))
    throw new ControlError(
      'token',
      `This is not the token of ${run}. It was printed when the run was started with --control.`,
    );
  checkLimits(asked, panel.configured);
  const { id, who: name } = post(folder, token, asked, who);
  return { id, who: name };
}

/** Whether this is the token that a running run was started with. */
export function isTokenOf(folder: string, token: string): boolean {
  const panel = isBeingWritten(folder) ? readPanel(folder) : undefined;
  return panel !== undefined && isToken(token, panel.tokenHash);
}

/** What the run said to a request; undefined until it has. */
export const controlAnswer = (folder: string, id: string): Answer | undefined =>
  readPanel(folder)?.answers.find((answer) => answer.id === id);

function isFinished(folder: string): boolean {
  using reader = openReader(folder);
  const config = reader.meta().config as { epochs?: number } | undefined;
  return reader.cursor() !== undefined && completedEpochs(reader) >= (config?.epochs ?? Number.POSITIVE_INFINITY);
}

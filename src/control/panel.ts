/**
 * What a run that can be steered shows of itself: `control.json` in its folder, written by the run alone. While the run is
 * played its presence says that the run listens; it holds a hash of the token, so only its owner can read it.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cursor } from '../core/journal.ts';
import { ControlError } from './errors.ts';
import { mailboxFile } from './mailbox.ts';
import type { Change, Tuning } from './tuning.ts';

/** The run's word on a request. */
export interface Answer {
  id: string;
  accepted: boolean;
  message: string;
}

export interface Settings extends Omit<Tuning, 'banned'> {
  banned: string[];
}

export interface Panel {
  tokenHash: string;
  paused: boolean;
  /** Will end when the phase in progress does. */
  stopping: boolean;
  /** Where the run was when this was written. */
  at: Cursor | null;
  /** In force. */
  settings: Settings;
  /** As the run was configured: limits are relative to it. */
  configured: Omit<Tuning, 'banned'>;
  /** Accepted, oldest first; those not yet in force wait for their place. */
  changes: readonly Change[];
  /** To the latest requests, oldest first. */
  answers: readonly Answer[];
}

const panelFile = (folder: string) => join(folder, 'control.json');

/** Undefined where the run does not listen; the last words of one that did, when it has ended. */
export function readPanel(folder: string): Panel | undefined {
  let text: string;
  try {
    text = readFileSync(panelFile(folder), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'EACCES')
      throw new ControlError(
        'off',
        'The run was started by another user of this machine: only that user can steer it.',
      );
    throw error;
  }
  return JSON.parse(text);
}

/** Whole or not at all: readers never see half of it. */
export function writePanel(folder: string, panel: Panel): void {
  const part = `${panelFile(folder)}.part`;
  writeFileSync(part, JSON.stringify(panel), { mode: 0o600 });
  renameSync(part, panelFile(folder));
}

/** Says that nobody listens yet, and forgets what an earlier process was asked. */
export function closePanel(folder: string): void {
  for (const file of [panelFile(folder), `${panelFile(folder)}.part`, mailboxFile(folder)])
    rmSync(file, { force: true });
}

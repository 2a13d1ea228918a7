/** What a run says while it happens. One stream feeds the terminal, `--json`, and through the store everything else. */
import type { Ledger, Phase } from './journal.ts';
import type { Player } from './types.ts';

export type RunEvent =
  | { type: 'start'; run: string; resumed: boolean; epoch: number; epochs: number }
  | ({ type: 'phase' } & PhaseProgress)
  | ({ type: 'progress'; ledger: Ledger } & PhaseProgress)
  | { type: 'note'; epoch: number; kind: string; detail: string }
  | { type: 'epoch'; epoch: number; metrics: Record<string, number>; ledger: Ledger }
  | { type: 'end'; run: string; status: 'finished' | 'stopped'; epoch: number };

export interface PhaseProgress {
  epoch: number;
  phase: Phase;
  done: number;
  units: number;
  /** Who is being taught, while models that start from nothing learn the language of their world. */
  learning?: Player;
}

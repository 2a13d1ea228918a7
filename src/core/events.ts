/** What a run says while it happens. One stream feeds the terminal, `--json`, and through the store everything else. */
import type { Ledger, Phase } from './journal.ts';

export type RunEvent =
  | { type: 'start'; run: string; resumed: boolean; epoch: number; epochs: number }
  | { type: 'phase'; epoch: number; phase: Phase; done: number; units: number }
  | { type: 'progress'; epoch: number; phase: Phase; done: number; units: number; ledger: Ledger }
  | { type: 'note'; epoch: number; kind: string; detail: string }
  | { type: 'epoch'; epoch: number; metrics: Record<string, number>; ledger: Ledger }
  | { type: 'end'; run: string; status: 'finished' | 'stopped'; epoch: number };

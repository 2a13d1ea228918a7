/**
 * Which rows train and which are kept. API-Bank is a test set and has no training split; ours goes by dialogue, because a
 * later row of a dialogue shows the gold calls of the earlier ones. Whoever trains on it reports the test rows alone.
 */
import { hashText, hex } from '../../core/hash.ts';
import { LEVELS, type Row } from './data.ts';

export type Split = 'base' | 'validation' | 'test';

/** Of the dialogues of each level. */
const BASE_SHARE = 0.3;
const VALIDATION_SHARE = 0.1;

/** The split of each dialogue: the first by the hash of their names, so that it depends on nothing else. */
export function splitDialogues(rows: readonly Row[]): ReadonlyMap<string, Split> {
  const splits = new Map<string, Split>();
  for (const level of LEVELS) {
    const names = new Set(rows.filter((row) => row.level === level).map(({ dialogue }) => dialogue));
    const order = [...names].sort((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1));
    const base = Math.round(BASE_SHARE * order.length);
    const validation = base + Math.round(VALIDATION_SHARE * order.length);
    for (const [i, name] of order.entries())
      splits.set(name, i < base ? 'base' : i < validation ? 'validation' : 'test');
  }
  return splits;
}

const hashOf = (dialogue: string): string => hex(hashText(`api-bank split: ${dialogue}`));

/**
 * Which rows train and which are kept. API-Bank is a test set and has no training split; ours goes by dialogue, because a
 * later row of a dialogue shows the gold calls of the earlier ones. Whoever trains on it reports the test rows alone.
 */
import { hashText, hex } from '../../core/hash.ts';
import { LEVELS, type Row } from './data.ts';
import { loose } from './said.ts';

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

/** What is said in the rows that are held out, but for capitals and punctuation: nothing that is trained on may say it. */
export function heldOutTexts(rows: readonly Row[]): ReadonlySet<string> {
  const splits = splitDialogues(rows);
  return new Set(rows.filter(({ dialogue }) => splits.get(dialogue) !== 'base').map(({ user }) => loose(user)));
}

const hashOf = (dialogue: string): string => hex(hashText(`api-bank split: ${dialogue}`));

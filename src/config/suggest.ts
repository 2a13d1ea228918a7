/** What somebody meant who wrote a name that is not a setting. */
import { type Settings, settings } from './settings.ts';

/** Names from the paper and from habit, where they differ from ours. */
const alsoKnownAs = new Map(
  Object.entries({
    α: 'alpha',
    β: 'beta',
    λ: 'lambda',
    n: 'variations',
    g: 'rollouts',
    lr: 'learningRate',
    scope: 'successScope',
    threshold: 'successThreshold',
  }),
);

/** One sentence that helps, for an unknown `key` written inside `section` ('' for the top level). */
export function suggestSetting(section: string, key: string): string {
  const known = settings();
  const here = keysOf(known, section);
  const wanted = alsoKnownAs.get(key.toLowerCase()) ?? key;
  const sibling = closest(wanted, here);
  if (sibling !== undefined) return `Did you mean "${sibling}"?`;

  if (section === '' && known.all.has(key)) {
    const [outer, inner] = key.split('.');
    return `Write "${inner}:" on its own line, indented under "${outer}:".`;
  }
  const elsewhere = [...known.all.values()].filter((setting) => setting.section !== section);
  const name = closest(wanted, [...new Set(elsewhere.map((setting) => setting.key))]);
  const paths = elsewhere.filter((setting) => setting.key === name).map(({ path }) => `"${path}"`);
  if (paths.length > 0) return `Did you mean ${paths.join(' or ')}?`;

  return section === '' ? `Settings and sections: ${here.join(', ')}.` : `Settings of ${section}: ${here.join(', ')}.`;
}

function keysOf(known: Settings, section: string): string[] {
  const keys = [...known.all.values()].filter((setting) => setting.section === section).map(({ key }) => key);
  return section === '' ? [...keys, ...known.sections.keys()] : keys;
}

/** The candidate with the fewest edits, if they are few for a word this long; case, `_` and `-` do not count. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const wanted = plain(word);
  if (wanted.length > 40) return undefined;
  let best: string | undefined;
  // One slip in three letters; a word of one or two must match as it is.
  let fewest = Math.floor(wanted.length / 3) + 1;
  for (const candidate of candidates) {
    const edits = editDistance(wanted, plain(candidate));
    if (edits < fewest) {
      best = candidate;
      fewest = edits;
    }
  }
  return best;
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[_-]/g, '');
}

/** Levenshtein's distance, with two neighbours swapped as one edit. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let edits = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, beforeLast[j - 2]! + 1);
      row.push(edits);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}

/** Two lists side by side: what they share in order stands in one row, so that a missing step does not shift the rest. */

export interface Pair<T> {
  left?: T;
  right?: T;
}

/** Beyond this many comparisons the lists are set side by side as they are. */
const MOST_COMPARISONS = 1_000_000;

export function align<T>(left: readonly T[], right: readonly T[], same: (a: T, b: T) => boolean): Pair<T>[] {
  if (left.length * right.length > MOST_COMPARISONS) return sideBySide(left, right);
  // longest[i][j]: how much left[i…] and right[j…] have in common.
  const longest = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      longest[i]![j] = same(left[i]!, right[j]!)
        ? 1 + longest[i + 1]![j + 1]!
        : Math.max(longest[i + 1]![j]!, longest[i]![j + 1]!);
    }
  }
  const pairs: Pair<T>[] = [];
  let [i, j] = [0, 0];
  while (i < left.length && j < right.length) {
    if (same(left[i]!, right[j]!)) pairs.push({ left: left[i++]!, right: right[j++]! });
    else if (longest[i + 1]![j]! >= longest[i]![j + 1]!) pairs.push({ left: left[i++]! });
    else pairs.push({ right: right[j++]! });
  }
  return [...pairs, ...left.slice(i).map((one) => ({ left: one })), ...right.slice(j).map((one) => ({ right: one }))];
}

function sideBySide<T>(left: readonly T[], right: readonly T[]): Pair<T>[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, i) => ({
    ...(i < left.length ? { left: left[i]! } : {}),
    ...(i < right.length ? { right: right[i]! } : {}),
  }));
}

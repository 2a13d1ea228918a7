/** The 95 % interval of a share, after Wilson: it stays inside [0, 1] and holds for few questions and for scores near the ends. */

const Z = 1.959964;

/** Null where there is nothing to tell. */
export function wilson(share: number, n: number): [low: number, high: number] | null {
  if (!(n > 0)) return null;
  const z2 = Z * Z;
  const centre = (share + z2 / (2 * n)) / (1 + z2 / n);
  const half = (Z * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n))) / (1 + z2 / n);
  // At the ends one bound is the end itself, but for rounding.
  return [share === 0 ? 0 : Math.max(0, centre - half), share === 1 ? 1 : Math.min(1, centre + half)];
}

/** The colours of the style sheet, for the canvas: one palette for both, told apart by colour-blind readers too. */

export type Colour = 'agent' | 'env' | 'good' | 'extra' | 'gold' | 'sky' | 'grey' | 'solved' | 'partial' | 'unsolved';

export const LOOKS: readonly Colour[] = ['agent', 'env', 'good', 'extra', 'gold', 'sky', 'grey'];
export const DASHES: readonly (readonly number[])[] = [[], [7, 3], [2, 3], [9, 3, 2, 3], [5, 2, 2, 2], [12, 4], [4, 4]];

export const lookOf = (index: number): { colour: Colour; dash: readonly number[] } => ({
  colour: LOOKS[index % LOOKS.length]!,
  dash: DASHES[(index + Math.floor(index / LOOKS.length)) % DASHES.length]!,
});

export function colour(name: Colour | 'ink' | 'soft' | 'rule' | 'paper' | 'band'): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** `#rrggbb` with an opacity. */
export const faded = (hex: string, opacity: number): string =>
  `${hex}${Math.round(opacity * 255)
    .toString(16)
    .padStart(2, '0')}`;

/** The size of the page's letters in pixels: what is drawn grows with what is written. */
export const rem = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 15;

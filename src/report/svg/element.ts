/** SVG and HTML as strings. Attributes and text are escaped here, in one place, so no drawing can forget it. */

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Control characters are no XML, not even as entities: a model that wrote one must not make a figure unreadable. */
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

export const escaped = (text: string): string =>
  text.replace(UNPRINTABLE, '\ufffd').replace(/[&<>"']/g, (character) => ENTITIES[character]!);

type Attributes = Record<string, string | number | undefined>;

/** An element around markup. Text goes through `textElement`. */
export function element(tag: string, attributes: Attributes, ...markup: string[]): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? place(value) : escaped(value!)}"`)
    .join('');
  return markup.length > 0 ? `<${tag}${written}>${markup.join('')}</${tag}>` : `<${tag}${written}/>`;
}

export const textElement = (tag: string, attributes: Attributes, text: string): string =>
  element(tag, attributes, escaped(text));

/** A tenth of a pixel is finer than any screen, and keeps files small. */
export const place = (value: number): string => String(Math.round(value * 10) / 10);

export const path = (points: readonly (readonly [number, number])[]): string =>
  points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${place(x)} ${place(y)}`).join('');

/** No font is at hand to measure with: a letter of a wide one is on average so many times its size wide. */
const LETTER = 0.63;

export const textWidth = (text: string, size = 11): number => LETTER * size * [...text].length;

export function shortened(text: string, letters: number): string {
  const characters = [...text];
  return characters.length <= letters ? text : `${characters.slice(0, letters - 1).join('')}…`;
}

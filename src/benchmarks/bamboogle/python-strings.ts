/** Python's ideas of white space and splitting, which differ from JavaScript's at the edges that metrics stand on. */

/** What `str.isspace` says: the separators of ASCII and U+0085 are in it, the byte-order mark is not. */
const SPACES = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;

function isSpace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x1f);
  if (code < 0x2000) return code === 0x85 || code === 0xa0 || code === 0x1680;
  return code <= 0x200a || MORE_SPACES.includes(code);
}

const MORE_SPACES = [0x2028, 0x2029, 0x202f, 0x205f, 0x3000];

/** `text.strip()`. A scan, because an anchored pattern over trailing space is quadratic. */
export function strip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** `' '.join(text.split())`. */
export const squeeze = (text: string): string => strip(text.replace(SPACES, ' '));

/** `text.split(marker)[1]`: what follows the first marker, up to the next one. Undefined without any. */
export function textAfter(text: string, marker: string): string | undefined {
  const at = text.indexOf(marker);
  return at < 0 ? undefined : textBefore(text.slice(at + marker.length), marker);
}

/** `text.split(marker)[0]`. */
export function textBefore(text: string, marker: string): string {
  const at = text.indexOf(marker);
  return at < 0 ? text : text.slice(0, at);
}

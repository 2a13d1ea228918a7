/**
 * How the official evaluator reads a plan's texts. Each function gives what a regular expression of Python gives (quoted
 * beside it), by scanning once: the texts are a model's, and the expressions backtrack.
 */

/** `^(.*?)\([^)]*\)`: what stands before the first closed parenthesis, else the text. Nothing is trimmed. */
export function stripParen(text: string): string {
  const open = text.indexOf('(');
  // The dot of the expression does not cross a line.
  if (open < 0 || text.indexOf(')', open) < 0) return text;
  const before = text.slice(0, open);
  return before.includes('\n') ? text : before;
}

/** `(.*?),\s*([^,]+)(\(\w[\w\s]*\))?$`: a place is its name, a comma, its city; the last comma splits. */
export function nameCity(text: string): { name: string; city: string } {
  const comma = text.lastIndexOf(',');
  if (comma < 0 || comma === text.length - 1) return { name: '-', city: '-' };
  const start = text.lastIndexOf('\n', comma) + 1;
  return { name: strip(text.slice(start, comma)), city: strip(stripParen(strip(text.slice(comma + 1)))) };
}

/** `from\s+(.+?)\s+to\s+([^,]+)(?=[,\s]|$)`: the first `from A to B`; B goes on to the next comma. */
export function fromTo(text: string): { from: string; to: string } | undefined {
  let link: Link | undefined;
  let next = 0;
  for (let at = text.indexOf('from'); at >= 0; at = text.indexOf('from', next)) {
    next = at + 1;
    const start = spaceEnd(text, at + 4);
    if (start === at + 4) continue;
    // A reaches from its first letter to the nearest ` to B`, if that is on the same line, …
    if (!link || link.space <= start) link = nextLink(text, start);
    const lineBreak = link ? text.lastIndexOf('\n', link.space - 1) : -1;
    if (link && lineBreak < start) return { from: text.slice(start, link.space), to: link.to };
    // … or A is itself a space: `from   to B`.
    const to = destination(text, start);
    for (let a = start - 2; to !== undefined && a > at + 4; a--) {
      if (text[a] !== '\n') return { from: text[a]!, to };
    }
    if (!link) return undefined;
    // Whatever starts before the line break meets it too, but for a `from` that stands right before it.
    next = Math.max(next, spaceStart(text, lineBreak) - 4);
  }
  return undefined;
}

/** Whitespace that is followed by `to B`. */
interface Link {
  space: number;
  to: string;
}

/** The first link whose whitespace begins after this place. */
function nextLink(text: string, after: number): Link | undefined {
  for (let to = text.indexOf('to', after); to >= 0; to = text.indexOf('to', to + 1)) {
    if (!isSpace(text.charCodeAt(to - 1))) continue;
    const space = spaceStart(text, to - 1);
    const b = space > after ? destination(text, to) : undefined;
    if (b !== undefined) return { space, to: b };
  }
  return undefined;
}

/** The B of `to B` that begins here. A lone second space counts as B where nothing else stands before the comma. */
function destination(text: string, to: number): string | undefined {
  if (!text.startsWith('to', to)) return undefined;
  let start = spaceEnd(text, to + 2);
  if (start === to + 2) return undefined;
  if (start === text.length || text[start] === ',') start--;
  if (start === to + 2) return undefined;
  const comma = text.indexOf(',', start);
  return text.slice(start, comma < 0 ? text.length : comma);
}

/** str.strip() */
export function strip(text: string): string {
  const start = spaceEnd(text, 0);
  let end = text.length;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function spaceStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && isSpace(text.charCodeAt(start - 1))) start--;
  return start;
}

function spaceEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && isSpace(text.charCodeAt(end))) end++;
  return end;
}

/** Python's `\s`, which is not JavaScript's: the separators 1C–1F and NEL are in, the byte order mark is not. */
const isSpace = (code: number) =>
  (code >= 0x09 && code <= 0x0d) ||
  (code >= 0x1c && code <= 0x20) ||
  code === 0x85 ||
  code === 0xa0 ||
  code === 0x1680 ||
  (code >= 0x2000 && code <= 0x200a) ||
  code === 0x2028 ||
  code === 0x2029 ||
  code === 0x202f ||
  code === 0x205f ||
  code === 0x3000;

/** From what a model wrote to what it called, by the letter of the protocol: the last block, one JSON value a line. */
import type { Json } from '../../core/types.ts';
import { pythonJson } from './python-json.ts';

const OPEN = '<tool_call>';
const CLOSE = '</tool_call>';

/** Everything in the last block that parses, scalars too; without tags the whole output is the block. */
export function extractCalls(output: string): Json[] {
  const items: Json[] = [];
  const block = lastBlock(output);
  for (let from = 0; from <= block.length; ) {
    const newline = block.indexOf('\n', from);
    const end = newline < 0 ? block.length : newline;
    const item = pythonJson(block.slice(from, end));
    if (item !== undefined) items.push(item);
    from = end + 1;
  }
  // The official scripts keep outputs and calls in UTF-8 files; where half a character cannot be written they keep no call.
  if (LONE_SURROGATE.test(output)) return [];
  return !output.includes('\\u') || items.every(isWellFormed) ? items : [];
}

function lastBlock(output: string): string {
  const open = output.lastIndexOf(OPEN);
  const from = open < 0 ? 0 : open + OPEN.length;
  const close = output.indexOf(CLOSE, from);
  return pythonStrip(output.slice(from, close < 0 ? output.length : close));
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** No deeper than `pythonJson` reads. */
function isWellFormed(value: Json): boolean {
  if (typeof value === 'string') return !LONE_SURROGATE.test(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellFormed);
  return Object.entries(value).every(([key, field]) => !LONE_SURROGATE.test(key) && isWellFormed(field));
}

/** `str.strip`: Python takes the separators U+001C–1F and U+0085 for space, and the byte order mark for none. */
export function pythonStrip(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isSpace(text.charCodeAt(from))) from++;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

const isSpace = (code: number): boolean =>
  code <= 0x20
    ? code === 0x20 || (code >= 0x09 && code <= 0x0d) || code >= 0x1c
    : code >= 0x85 && (code <= 0xa0 ? code === 0x85 || code === 0xa0 : OTHER_SPACE.has(code));

const OTHER_SPACE: ReadonlySet<number> = new Set([
  0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029,
  0x202f, 0x205f, 0x3000,
]);

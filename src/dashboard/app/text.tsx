/**
 * Text that models, files and servers wrote, shown as text. What can't be seen, or would move what is seen (control and
 * bidirectional characters), is shown as an escape in a box of its own.
 */
import { Fragment, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { escaped, HIDDEN } from '../../core/hidden-characters.ts';

export interface Piece {
  text: string;
  hidden: boolean;
}

/** Line breaks and tabs are what text is laid out with; they stay in a block, and are escapes in a line. */
export function pieces(text: string, { line = false } = {}): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (!line && (match[0] === '\n' || match[0] === '\t')) continue;
    if (match.index > from) found.push({ text: text.slice(from, match.index), hidden: false });
    found.push({ text: NAMED[match[0]] ?? escaped(match[0]), hidden: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) found.push({ text: text.slice(from), hidden: false });
  return found;
}

const NAMED: Readonly<Record<string, string>> = { '\n': '↵', '\r': '\\r', '\t': '⇥' };

/** Inside a sentence, a cell or a heading. */
export const Line = ({ text, most = 300 }: { text: string; most?: number }): JSX.Element => (
  <bdi>
    <Pieces of={pieces(text.slice(0, most), { line: true })} />
    {text.length > most ? '…' : ''}
  </bdi>
);

const Pieces = ({ of }: { of: readonly Piece[] }) => (
  <>
    {of.map(({ text, hidden }, i) =>
      hidden ? (
        <span key={i} class="hidden-character" title="a character that can’t be seen">
          {text}
        </span>
      ) : (
        <Fragment key={i}>{text}</Fragment>
      ),
    )}
  </>
);

/** More than this is not read at a glance, and a megabyte of it would stop the page. */
const BLOCK = 6000;

/** A text of its own, line breaks and all. */
export function Block({ text }: { text: string }): JSX.Element {
  const [whole, setWhole] = useState(false);
  const shown = whole ? text : text.slice(0, BLOCK);
  if (text === '') return <p class="soft">(nothing)</p>;
  return (
    <div class="block" dir="auto">
      <Pieces of={pieces(shown)} />
      {shown.length < text.length && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          … {text.length - shown.length} more characters
        </button>
      )}
    </div>
  );
}

/** JSON, indented where it is long. */
export const jsonText = (value: unknown): string => {
  const short = JSON.stringify(value) ?? String(value);
  return short.length > 100 ? JSON.stringify(value, null, 2) : short;
};

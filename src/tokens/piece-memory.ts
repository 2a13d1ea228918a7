/**
 * Ids of what a template wrote, piece by piece between its marks. Prompts of one run share their longest pieces, the tools
 * above all, and to tokenise them is the dearest thing that is done for a prompt: each is done once.
 */

/** A token that stands for itself in a text. */
export interface Mark {
  content: string;
  /** Whether the text before it is the same with and without it. */
  cuts: boolean;
}

/** Shorter pieces cost less than to remember them. */
const SHORTEST = 64;
/** Characters and ids remembered. */
const REMEMBERED = 4_000_000;

/** `encode` takes marks for what they look like, and each stretch between two of them by itself. */
export function encodePieces(
  encode: (text: string) => number[],
  marks: readonly Mark[],
  limit: number = REMEMBERED,
): (text: string) => number[] {
  const cutting = new Set(marks.filter(({ cuts }) => cuts).map(({ content }) => content));
  const pattern = patternOf(marks.map(({ content }) => content));
  const known = new Map<string, number[]>();
  let held = 0;

  const remember = (piece: string, ids: number[]) => {
    known.set(piece, ids);
    held += piece.length + ids.length;
    for (const [oldest, its] of known) {
      if (held <= limit) break;
      known.delete(oldest);
      held -= oldest.length + its.length;
    }
  };

  /** A piece at the start of a text is not the same as that piece elsewhere, unless it begins with a mark. */
  const idsOf = (piece: string): number[] => {
    if (piece.length < SHORTEST) return encode(piece);
    const ids = known.get(piece) ?? encode(piece);
    const isNew = !known.delete(piece);
    if (isNew) remember(piece, ids);
    else known.set(piece, ids);
    return ids;
  };

  return (text) => {
    if (!pattern || text.length < SHORTEST) return encode(text);
    const ids: number[] = [];
    let from = 0;
    const take = (to: number) => {
      if (to > from) for (const id of idsOf(text.slice(from, to))) ids.push(id);
      from = to;
    };
    for (const { 0: mark, index } of text.matchAll(pattern)) if (cutting.has(mark)) take(index);
    take(text.length);
    return ids;
  };
}

/** The longest mark wins where several begin at one place, as it does in the tokenizer. */
function patternOf(marks: readonly string[]): RegExp | undefined {
  const listed = marks.filter((mark) => mark !== '').sort((a, b) => b.length - a.length);
  if (listed.length === 0) return undefined;
  return new RegExp(listed.map((mark) => mark.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|'), 'gu');
}

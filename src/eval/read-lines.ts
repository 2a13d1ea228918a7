/** The lines of a stream, one at a time: a file of predictions may be larger than memory, and a line of it megabytes long. */

export type Line = { number: number; text: string } | { number: number; problem: string };

/** Far beyond what a model writes, and less than a string may hold. */
const LONGEST = 256 * 1024 * 1024;

const NEWLINE = 0x0a;

/** Lines end with \n alone: other separators may stand inside JSON. Blank lines are counted and skipped. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  longest: number = LONGEST,
): AsyncGenerator<Line> {
  let number = 0;
  let pieces: Uint8Array[] = [];
  let length = 0;
  /** The rest of a line that is too long is passed over, not kept. */
  const keep = (piece: Uint8Array) => {
    length += piece.length;
    if (length <= longest) pieces.push(piece);
    else pieces = [];
  };
  const finish = (): Line | undefined => {
    number++;
    const text = length > longest ? undefined : Buffer.concat(pieces).toString('utf8');
    const line =
      text === undefined ? { number, problem: `longer than ${longest} bytes` } : { number, text: body(text) };
    pieces = [];
    length = 0;
    return 'text' in line && line.text === '' ? undefined : line;
  };
  const body = (text: string) => (number === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text).trim();
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      keep(chunk.subarray(start, end));
      const line = finish();
      if (line) yield line;
      start = end + 1;
    }
    keep(chunk.subarray(start));
  }
  const last = length > 0 ? finish() : undefined;
  if (last) yield last;
}

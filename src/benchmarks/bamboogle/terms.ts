/** Text as search terms, in any script: lower case, accents folded, and each sign of a script without spaces on its own. */

/** What a UTF-16 unit is to a term: nothing, a part of it, or all of it. */
const NOTHING = 0;
const PART = 1;
const WHOLE = 2;

const WORD = /[\p{L}\p{N}\p{M}]/u;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

let kinds: Uint8Array | undefined;

/** By table: asking a pattern about every unit of a corpus takes longer than indexing it. */
function kindsOfUnits(): Uint8Array {
  if (kinds) return kinds;
  kinds = new Uint8Array(0x10000);
  for (let code = 0; code < 0x10000; code++) {
    const char = String.fromCharCode(code);
    // Halves of a pair belong together, whatever they stand for.
    const isSurrogate = code >= 0xd800 && code <= 0xdfff;
    if (UNSPACED.test(char)) kinds[code] = WHOLE;
    else if (isSurrogate || WORD.test(char)) kinds[code] = PART;
    else kinds[code] = NOTHING;
  }
  return kinds;
}

export function termsOf(text: string): string[] {
  const terms: string[] = [];
  eachTerm(text, (folded, start, end) => terms.push(folded.slice(start, end)));
  return terms;
}

/** Visits the terms where they stand in the folded text. */
export function eachTerm(text: string, visit: (folded: string, start: number, end: number) => void): void {
  const folded = fold(text);
  const kindOf = kindsOfUnits();
  let start = -1;
  for (let at = 0; at < folded.length; at++) {
    const kind = kindOf[folded.charCodeAt(at)]!;
    if (kind === PART) {
      if (start < 0) start = at;
      continue;
    }
    if (start >= 0) visit(folded, start, at);
    start = -1;
    if (kind === WHOLE) visit(folded, at, at + 1);
  }
  if (start >= 0) visit(folded, start, folded.length);
}

/** Models leave accents out, and so do people. */
function fold(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase();
  const bare = text.normalize('NFKD').replace(/[\u0300-\u036f]+/g, '');
  return bare.normalize('NFC').toLowerCase();
}

/** A small reader of CSV text: quoted fields may hold commas, doubled quotes and line breaks; blank lines are skipped. */

/** The rows as arrays of fields, the header among them. One pass, so that a table of megabytes opens in milliseconds. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  while (at < text.length) {
    const [field, end] = text.charCodeAt(at) === QUOTE ? quotedField(text, at) : plainField(text, at);
    row.push(field);
    const next = text.charCodeAt(end);
    if (next === COMMA) {
      at = end + 1;
      // A comma that ends the text has an empty field behind it.
      if (at < text.length) continue;
      row.push('');
    } else {
      at = end + (next === RETURN && text.charCodeAt(end + 1) === NEWLINE ? 2 : 1);
    }
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return rows;
}

/** The rows after the header, each as a function from column name to field; a missing field is empty. */
export function csvRecords(text: string): ((column: string) => string)[] {
  const [header = [], ...rows] = parseCsv(text);
  const columns = new Map(header.map((name, i) => [name, i]));
  return rows.map((row) => (column) => row[columns.get(column) ?? -1] ?? '');
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const BYTE_ORDER_MARK = 0xfeff;

const isEnd = (code: number) => code === COMMA || code === NEWLINE || code === RETURN;

function plainField(text: string, start: number): [field: string, end: number] {
  let end = start;
  while (end < text.length && !isEnd(text.charCodeAt(end))) end++;
  return [text.slice(start, end), end];
}

/** What follows a closing quote up to the next separator belongs to the field; a quote that never closes takes the rest. */
function quotedField(text: string, start: number): [field: string, end: number] {
  let field = '';
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return [field + text.slice(at), text.length];
    field += text.slice(at, quote);
    if (text.charCodeAt(quote + 1) !== QUOTE) {
      const [tail, end] = plainField(text, quote + 1);
      return [field + tail, end];
    }
    field += '"';
    at = quote + 2;
  }
}

/** A value as Python prints it: earlier calls are shown to the model in this form. */
import type { Json } from '../../core/types.ts';

export function pythonRepr(value: Json): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([key, field]) => `${quoted(key)}: ${pythonRepr(field)}`)
    .join(', ')}}`;
}

const ESCAPES = new Map([
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Single quotes, unless only they are in the text. */
function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = text.replace(UNPRINTABLE, (char) => ESCAPES.get(char) ?? escapeOf(char));
  return quote + (quote === "'" ? body.replaceAll("'", "\\'") : body) + quote;
}

/** The backslash, and what Python holds for unprintable: controls, formats, surrogates, private use, separators. */
const UNPRINTABLE = /\\|[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

function escapeOf(char: string): string {
  const code = char.codePointAt(0)!;
  const digits = code.toString(16);
  if (code < 0x100) return `\\x${digits.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}

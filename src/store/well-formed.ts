/** Exported text is valid everywhere: half a surrogate pair, which has no UTF-8, becomes U+FFFD. All else survives. */

const LONE = /[\ud800-\udfff]/gu;

export const wellFormed = (text: string): string => text.replace(LONE, '\ufffd');

/** JSON.stringify escapes a lone surrogate as \udXXX, which strict parsers refuse. An escaped backslash is passed over. */
export function wellFormedJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!json.includes('\\ud')) return json;
  return json.replace(/\\(?:\\|ud[89a-f][0-9a-f]{2})/g, (found) => (found === '\\\\' ? found : '\ufffd'));
}

/** YAML text into plain values, with the place of every key and value. */
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Pair,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml';
import type { Finding, Place } from './problems.ts';

export type Part = 'key' | 'value';

export interface Parsed {
  value: unknown;
  /** Where the key or the value at a path stands, or the nearest thing around it that exists. */
  placeOf(path: readonly string[], part: Part): Place;
}

/** Parses one document. What is not YAML is added to `findings`, at `file:line:col`. */
export function parseYaml(text: string, file: string, findings: Finding[]): Parsed {
  const lines = new LineCounter();
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { label: `${file}:${line || 1}:${col || 1}`, rank: offset };
  };
  const nowhere: Parsed = { value: undefined, placeOf: () => at(0) };
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = [...document.errors, ...document.warnings].map(
    (error) => [error.pos[0], explain(error, text)] as const,
  );
  if (broken.length === 0) broken.push(...lostAliases(document));
  // Where YAML goes wrong once, yaml may complain many times: the first word on each line is the one to read.
  const told = new Set<number>();
  for (const [offset, message] of broken) {
    const { line } = lines.linePos(offset);
    if (!told.has(line)) findings.push({ place: at(offset), path: '', message });
    told.add(line);
  }
  if (broken.length > 0) return nowhere;
  try {
    // A few aliases are convenience; a hundred are a bomb.
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return { value, placeOf: (path, part) => at(offsetOf(document, path, part)) };
  } catch (error) {
    findings.push({ place: at(0), path: '', message: `the file cannot be read: ${(error as Error).message}` });
    return nowhere;
  }
}

function lostAliases(document: Document.Parsed): [offset: number, message: string][] {
  const lost: [number, string][] = [];
  visit(document, {
    Alias(_, alias) {
      if (!alias.resolve(document))
        lost.push([alias.range?.[0] ?? 0, `*${alias.source} has no anchor &${alias.source} before it`]);
    },
  });
  return lost;
}

function explain(error: YAMLError, text: string): string {
  switch (error.code) {
    case 'TAB_AS_INDENT':
      return 'tabs cannot indent YAML; use spaces';
    case 'DUPLICATE_KEY':
      return `${/^[\w.-]*/.exec(text.slice(error.pos[0], error.pos[0] + 80))?.[0] || 'a key'} is written twice; remove one`;
    case 'MULTIPLE_DOCS':
      return 'a second YAML document starts here; a configuration is one document';
    default:
      if (error.message.includes('call stack')) return 'this is nested too deeply';
      return `this is not valid YAML: ${error.message}`;
  }
}

function offsetOf(document: Document.Parsed, path: readonly string[], part: Part): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range?.[0] ?? 0;
  for (const [depth, key] of path.entries()) {
    const resolved = isAlias(node) ? node.resolve(document) : node;
    const pair = isMap(resolved) ? resolved.items.find((item) => keyText(item) === key) : undefined;
    if (!pair) break;
    const wantsKey = part === 'key' && depth === path.length - 1;
    // An empty value has no place of its own: its key stands in.
    offset = (wantsKey ? undefined : start(pair.value)) ?? start(pair.key) ?? offset;
    node = pair.value;
  }
  return offset;
}

function keyText({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : String(key);
}

function start(node: unknown): number | undefined {
  if (isScalar(node) && node.value === null && node.source === '') return undefined;
  return isNode(node) ? node.range?.[0] : undefined;
}

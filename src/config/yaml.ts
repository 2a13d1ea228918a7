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
  type YAMLMap,
} from 'yaml';
import { enough, type Finding, type Place } from './problems.ts';

export type Part = 'key' | 'value';

export interface Parsed {
  value: unknown;
  /** Where the key or the value at a path stands, or the nearest thing around it that exists. */
  placeOf(path: readonly string[], part: Part): Place;
}

interface Fault {
  offset: number;
  message: string;
}

/** The pairs of every mapping by their key. */
type Index = Map<YAMLMap, Map<string, Pair>>;

/** Parses one document. What is not YAML is added to `findings`, at `file:line:col`. */
export function parseYaml(text: string, file: string, findings: Finding[]): Parsed {
  const lines = new LineCounter();
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { label: `${file}:${line || 1}:${col || 1}`, rank: offset };
  };
  // yaml compares every key with every other to find doubles; structureFaults() finds them in one pass.
  const document = parseDocument(text, {
    lineCounter: lines,
    logLevel: 'error',
    prettyErrors: false,
    uniqueKeys: false,
  });
  const index: Index = new Map();
  const faults = syntaxFaults(document);
  if (faults.length === 0) faults.push(...structureFaults(document, index).slice(0, enough));
  let value: unknown;
  try {
    // A few aliases are convenience; a hundred are a bomb.
    if (faults.length === 0) value = document.toJS({ maxAliasCount: 100 });
  } catch {
    faults.push({ offset: 0, message: 'the aliases of this file multiply too often; write the values out' });
  }
  // Where YAML goes wrong once, yaml may complain many times: the first word on each line is the one to read.
  const told = new Set<number>();
  for (const { offset, message } of faults) {
    const { line } = lines.linePos(offset);
    if (!told.has(line)) findings.push({ place: at(offset), path: '', message });
    told.add(line);
  }
  if (faults.length > 0) return { value: undefined, placeOf: () => at(0) };
  return { value, placeOf: (path, part) => at(offsetOf(document, index, path, part)) };
}

function syntaxFaults(document: Document.Parsed): Fault[] {
  const errors = [...document.errors, ...document.warnings].slice(0, enough);
  return errors.map((error) => ({ offset: error.pos[0], message: explain(error) }));
}

function explain(error: YAMLError): string {
  if (error.code === 'TAB_AS_INDENT') return 'tabs cannot indent YAML; use spaces';
  if (error.code === 'MULTIPLE_DOCS') return 'a second YAML document starts here; a configuration is one document';
  // yaml runs out of stack while it parses, and reports that as an error in the text, which it is.
  if (error.message.includes('call stack')) return 'this is nested too deeply';
  return `this is not valid YAML: ${error.message}`;
}

/** What is well-formed and still unusable: keys written twice and aliases of nothing. Fills `index`. */
function structureFaults(document: Document.Parsed, index: Index): Fault[] {
  const faults: Fault[] = [];
  const anchors = new Set<string>();
  visit(document, {
    Node(_, node) {
      const offset = start(node) ?? 0;
      if (isAlias(node) && !anchors.has(node.source))
        faults.push({ offset, message: `*${node.source} stands for nothing` });
      if (!isAlias(node) && node.anchor) anchors.add(node.anchor);
      if (!isMap(node)) return;
      const pairs = new Map<string, Pair>();
      for (const pair of node.items) {
        const key = keyOf(pair);
        if (pairs.has(key))
          faults.push({ offset: start(pair.key) ?? offset, message: `${key} is written twice; remove one` });
        pairs.set(key, pair);
      }
      index.set(node, pairs);
    },
  });
  return faults;
}

function offsetOf(document: Document.Parsed, index: Index, path: readonly string[], part: Part): number {
  let node: unknown = document.contents;
  let offset = start(node) ?? 0;
  for (const [depth, key] of path.entries()) {
    const map = isAlias(node) ? node.resolve(document) : node;
    const pair = isMap(map) ? index.get(map)?.get(key) : undefined;
    if (!pair) break;
    const wantsKey = part === 'key' && depth === path.length - 1;
    // An empty value has no place of its own: its key stands in.
    offset = (wantsKey ? undefined : start(pair.value)) ?? start(pair.key) ?? offset;
    node = pair.value;
  }
  return offset;
}

function keyOf({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : String(key);
}

function start(node: unknown): number | undefined {
  if (isScalar(node) && node.value === null && node.source === '') return undefined;
  return isNode(node) ? node.range?.[0] : undefined;
}

/**
 * The schema as a flat list of settings, read off its JSON Schema: what the loader looks names up in, the editor's schema
 * and the reference page are written from, and messages take their wording from.
 */
import * as z from 'zod';
import { maxCount } from './schema/ranges.ts';
import { schema } from './schema.ts';

/** The part of JSON Schema that zod writes for our settings. */
export interface Node {
  title?: string;
  type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean';
  description?: string;
  default?: unknown;
  properties?: Record<string, Node>;
  items?: Node;
  oneOf?: Node[];
  anyOf?: Node[];
  enum?: string[];
  const?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

export interface Setting {
  /** `curriculum.alpha`. */
  path: string;
  /** '' for the settings outside any section. */
  section: string;
  key: string;
  node: Node;
}

/** A section whose other settings depend on one of them: `engine` on its kind, `benchmark` on its name. */
export interface Tagged {
  tag: string;
  /** Settings known to each value of the tag. */
  keys: Map<string, string[]>;
}

export interface Settings {
  /** By path, in the order of the schema. */
  all: Map<string, Setting>;
  sections: Map<string, Node>;
  tagged: Map<string, Tagged>;
}

let cached: Settings | undefined;

export function settings(): Settings {
  cached ??= readSettings();
  return cached;
}

/** The input side: settings with a default are optional. */
export function schemaNode(): Node {
  // zod types this as JSON Schema at large; Node is the subset our schema can produce, which the tests walk in full.
  return z.toJSONSchema(schema, { io: 'input' }) as Node;
}

function readSettings(): Settings {
  const found: Settings = { all: new Map(), sections: new Map(), tagged: new Map() };
  const add = (section: string, key: string, node: Node): void => {
    const path = section === '' ? key : `${section}.${key}`;
    if (!found.all.has(path)) found.all.set(path, { path, section, key, node });
  };
  for (const [name, node] of Object.entries(schemaNode().properties ?? {})) {
    if (node.oneOf) {
      found.sections.set(name, node);
      const tagged = readTag(node.oneOf);
      found.tagged.set(name, tagged);
      const { description = '', default: fallback } = node;
      const preferred = (fallback as Record<string, unknown> | undefined)?.[tagged.tag];
      add(name, tagged.tag, { type: 'string', enum: [...tagged.keys.keys()], description, default: preferred });
    }
    for (const { properties } of node.oneOf ?? [node]) {
      if (properties) found.sections.set(name, node);
      for (const [key, leaf] of Object.entries(properties ?? {})) add(name, key, leaf);
    }
    if (!found.sections.has(name)) add('', name, node);
  }
  return found;
}

function readTag(variants: readonly Node[]): Tagged {
  const first = Object.entries(variants[0]?.properties ?? {});
  const tag = first.find(([, node]) => node.const !== undefined)?.[0] ?? '';
  return {
    tag,
    keys: new Map(variants.map(({ properties = {} }) => [properties[tag]?.const ?? '', Object.keys(properties)])),
  };
}

/** What a setting takes, in words: `a number above 0 and below 1`. */
export function accepts(node: Node): string {
  if (node.anyOf) return node.anyOf.map(accepts).join(' or ');
  if (node.const !== undefined) return node.const;
  if (node.enum) return node.enum.length > 1 ? `one of ${node.enum.join(', ')}` : node.enum.join();
  switch (node.type) {
    case 'integer':
      return `a whole number${range(node)}`;
    case 'number':
      return `a number${range(node)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return 'a list';
    case 'object':
      return node.properties ? 'a section of settings' : 'a mapping';
    default:
      return 'text';
  }
}

function range({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Node): string {
  // The top of a count only guards against slips: not worth a word until somebody exceeds it.
  const top = maximum !== undefined && maximum < maxCount ? maximum : undefined;
  if (minimum !== undefined) return top === undefined ? ` from ${minimum}` : ` from ${minimum} to ${top}`;
  const ends = [
    exclusiveMinimum === undefined ? '' : `above ${exclusiveMinimum}`,
    exclusiveMaximum === undefined ? '' : `below ${exclusiveMaximum}`,
    top === undefined ? '' : `up to ${top}`,
  ].filter((end) => end !== '');
  return ends.length === 0 ? '' : ` ${ends.join(' and ')}`;
}

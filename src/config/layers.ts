/**
 * Layers of settings (preset, file, flags) as flat assignments that remember their place, and their merge: the later one
 * wins. Names are checked here, values by the schema.
 */
import { resolve } from 'node:path';
import { enough, type Finding, type Place, show } from './problems.ts';
import { pathSettings } from './schema.ts';
import { settings } from './settings.ts';
import { suggestSetting } from './suggest.ts';
import type { Part } from './yaml.ts';

export interface Assignment {
  path: string;
  value: unknown;
  place: Place;
  /** Where a relative path starts from. */
  folder: string;
}

export interface LayerSource {
  placeOf(path: readonly string[], part: Part): Place;
  /** The folder that relative paths start from. */
  folder: string;
}

/** The settings in `value`, a tree as the user wrote it. `at` is the section it was written for, '' for the whole. */
export function readLayer(value: unknown, at: string, source: LayerSource, findings: Finding[]): Assignment[] {
  if (value === undefined || value === null) return [];
  const outer = at === '' ? [] : [at];
  const known = settings();
  const tagged = known.tagged.get(at);
  if (typeof value === 'string' && tagged) {
    return [{ path: `${at}.${tagged.tag}`, value, place: source.placeOf(outer, 'value'), folder: source.folder }];
  }
  if (typeof value !== 'object' || Array.isArray(value)) {
    const what = at === '' ? 'the configuration' : at;
    const message = `${what} must be a mapping of settings, such as "${at === '' ? 'epochs: 10' : exampleOf(at)}" (got ${show(value)})`;
    findings.push({ place: source.placeOf(outer, 'value'), path: at, message });
    return [];
  }
  const assignments: Assignment[] = [];
  for (const [key, inner] of Object.entries(value)) {
    if (findings.length >= enough) break;
    const path = [...outer, key];
    const name = path.join('.');
    if (at === '' && known.sections.has(key)) assignments.push(...readLayer(inner, key, source, findings));
    else if (inner === undefined) continue;
    else if (known.all.get(name)?.section === at) {
      assignments.push({
        path: name,
        value: inner,
        place: source.placeOf(path, 'value'),
        folder: source.folder,
      });
    } else {
      const message = `${name} is not a setting. ${suggestSetting(at, key)}`;
      findings.push({ place: source.placeOf(path, 'key'), path: name, message });
    }
  }
  return assignments;
}

function exampleOf(section: string): string {
  const first = [...settings().all.values()].find((setting) => setting.section === section);
  return `${first?.key}: …`;
}

export type Merged = Map<string, Assignment>;

/** Later layers win. Paths are resolved last, when it is known what kind of thing a setting names. */
export function mergeLayers(layers: readonly (readonly Assignment[])[]): Merged {
  const merged: Merged = new Map();
  for (const layer of layers) {
    for (const assignment of layer) forgetOtherKinds(merged, assignment);
    for (const assignment of layer) merged.set(assignment.path, assignment);
  }
  for (const [path, assignment] of merged) merged.set(path, { ...assignment, value: located(assignment, merged) });
  return merged;
}

const SERVERS: ReadonlySet<unknown> = new Set(['openai', 'tinker']);

function located({ path, value, folder }: Assignment, merged: Merged): unknown {
  const isPath = pathSettings.has(path) && typeof value === 'string' && value !== '' && !value.includes('\0');
  // A server knows its models by name.
  const isName = path === 'engine.model' && SERVERS.has(merged.get('engine.kind')?.value);
  return isPath && !isName ? resolve(folder, value) : value;
}

/** `--engine scripted` over a file's `replay` must not inherit its recording. */
function forgetOtherKinds(merged: Merged, { path, value }: Assignment): void {
  const section = path.split('.')[0] ?? '';
  const tagged = settings().tagged.get(section);
  if (path !== `${section}.${tagged?.tag}` || merged.get(path)?.value === value) return;
  const keep = tagged?.keys.get(String(value)) ?? [];
  for (const other of [...merged.keys()]) {
    const [outer, key = ''] = other.split('.');
    if (outer === section && !keep.includes(key)) merged.delete(other);
  }
}

/** The tree that the schema validates. */
export function nest(merged: Merged): Record<string, unknown> {
  const tree: Record<string, unknown> = {};
  const { all } = settings();
  for (const [path, { value }] of merged) {
    const { section, key } = all.get(path)!;
    if (section === '') tree[key] = value;
    else tree[section] = { ...(tree[section] as object | undefined), [key]: value };
  }
  return tree;
}

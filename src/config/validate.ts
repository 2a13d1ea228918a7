/** The schema's verdict on merged settings, with its complaints in our words and at the place they were written. */
import type * as z from 'zod';
import { type Assignment, type Merged, nest } from './layers.ts';
import { type Finding, type Place, show } from './problems.ts';
import { schema } from './schema.ts';
import { accepts, type Node, settings } from './settings.ts';
import { closest } from './suggest.ts';
import type { Config } from './types.ts';

type Issue = z.core.$ZodIssue;

export function validate(merged: Merged, findings: Finding[]): Config | undefined {
  const verdict = schema.safeParse(nest(merged));
  if (verdict.success) return verdict.data;
  const seen = new Set<string>();
  for (const issue of verdict.error.issues) {
    for (const [path, message] of tell(issue, merged)) {
      // One problem per setting: zod may object to a number both as too large and as unsafe.
      if (seen.has(path)) continue;
      seen.add(path);
      findings.push({ place: placeOf(path, merged), path, message: `${path} ${message}` });
    }
  }
  return undefined;
}

/** A missing setting has no place, but the tag that made it necessary has; failing both, the sum of the settings is at fault. */
function placeOf(path: string, merged: Merged): Place {
  const place = merged.get(path)?.place ?? tagOf(path, merged)?.place;
  return place ?? { label: 'configuration', rank: 0 };
}

/** What decides which settings the section of `path` has: the kind of engine, the name of the benchmark. */
function tagOf(path: string, merged: Merged): Assignment | undefined {
  const section = path.split('.')[0] ?? '';
  return merged.get(`${section}.${settings().tagged.get(section)?.tag}`);
}

function tell(issue: Issue, merged: Merged): [path: string, message: string][] {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => misplaced(path, key, merged));
  if (issue.code === 'custom') return [[path, issue.message]];
  const node = settings().all.get(path)?.node ?? {};
  const assignment = merged.get(path);
  if (assignment) return [[path, complain(issue, assignment.value, node)]];
  const tag = tagOf(path, merged);
  if (!tag) return [[path, `is needed: ${node.description}`]];
  return [[path, `is needed when ${tag?.path} is ${tag?.value}: ${node.description}`]];
}

function complain(issue: Issue, value: unknown, node: Node): string {
  const got = `(got ${show(value)})`;
  if (value === null) return `has no value; give it ${accepts(node)}, or remove it`;
  if (typeof value === 'number' && !Number.isFinite(value)) return `must be a finite number ${got}`;
  switch (issue.code) {
    case 'too_big':
      return `must be ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum} ${got}`;
    case 'too_small':
      return `must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum} ${got}`;
    case 'invalid_format':
      return `${issue.message} ${got}`;
    default:
      return `must be ${accepts(node)} ${got}${hint(value, node)}`;
  }
}

function hint(value: unknown, node: Node): string {
  if (node.type === 'string' && !node.enum) return typeof value === 'object' ? '' : '. Put it in quotes.';
  if (typeof value !== 'string') return '';
  const near = closest(value, node.enum ?? []);
  if (near !== undefined) return `. Did you mean "${near}"?`;
  const isNumber = value.trim() !== '' && Number.isFinite(Number(value));
  return isNumber && !node.enum ? '. Remove the quotes.' : '';
}

/** Known to the section, but not to the kind of engine or benchmark chosen. */
function misplaced(section: string, key: string, merged: Merged): [path: string, message: string] {
  const path = `${section}.${key}`;
  const keys = [...(settings().tagged.get(section)?.keys ?? [])];
  const owners = keys.filter(([, known]) => known.includes(key)).map(([name]) => name);
  const tag = tagOf(path, merged);
  return [path, `is a setting for ${tag?.path} ${owners.join(' or ')}, but ${tag?.path} is ${tag?.value}`];
}

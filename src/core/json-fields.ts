/** Two JSON values field by field: what is right, wrong, missing and too much. They are equal where every field is. */
import { sameJson } from './content-id.ts';
import type { Json } from './types.ts';

export interface ComparedField {
  /** Where it is: `address.lines[0]`; empty for the value itself. */
  path: string;
  /** Absent where that side has no such field. */
  answered?: Json;
  asked?: Json;
  same: boolean;
}

/** More fields are nobody's to read one by one; the last one then stands for the rest. */
const MOST_FIELDS = 200;
const DEEPEST = 20;

export function compareFields(answered: Json, asked: Json): ComparedField[] {
  const fields: ComparedField[] = [];
  const visit = (path: string, left: Json | undefined, right: Json | undefined, depth: number) => {
    const parts = depth < DEEPEST && fields.length < MOST_FIELDS ? partsOf(left, right) : null;
    if (parts) for (const [name, a, b] of parts) visit(path + name, a, b, depth + 1);
    else fields.push(field(path.replace(/^\./, ''), left, right));
  };
  visit('', answered, asked, 0);
  if (fields.length <= MOST_FIELDS) return fields;
  const rest = fields.slice(MOST_FIELDS);
  return [...fields.slice(0, MOST_FIELDS), { path: `${rest.length} more`, same: rest.every(({ same }) => same) }];
}

function field(path: string, answered: Json | undefined, asked: Json | undefined): ComparedField {
  return {
    path,
    ...(answered === undefined ? {} : { answered }),
    ...(asked === undefined ? {} : { asked }),
    same: answered !== undefined && asked !== undefined && sameJson(answered, asked),
  };
}

type Part = [name: string, left: Json | undefined, right: Json | undefined];

/** The fields of both, where both are objects or both are lists with something in them; null where they are compared whole. */
function partsOf(left: Json | undefined, right: Json | undefined): Part[] | null {
  if (Array.isArray(left) && Array.isArray(right)) {
    const length = Math.max(left.length, right.length);
    return length === 0 ? null : Array.from({ length }, (_, i): Part => [`[${i}]`, left[i], right[i]]);
  }
  if (!isObject(left) || !isObject(right)) return null;
  const names = [...new Set([...Object.keys(right), ...Object.keys(left)])];
  const own = (value: Record<string, Json>, name: string) => (Object.hasOwn(value, name) ? value[name] : undefined);
  return names.length === 0 ? null : names.map((name): Part => [`.${name}`, own(left, name), own(right, name)]);
}

const isObject = (value: Json | undefined): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

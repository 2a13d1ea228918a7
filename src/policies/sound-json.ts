/** Model output as JSON. What JSON.parse lets through but nothing after it can carry is no JSON to us. */
import type { Json } from '../core/types.ts';

/** Tasks and answers nest a handful of levels. Thousands parse, and then overflow the stack of whoever writes them down. */
const MAX_LEVELS = 64;

export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Why a parsed value cannot be stored; undefined when it can. `1e999` parses as infinity and would be stored as null. */
export function unsound(value: Json, levels: number = MAX_LEVELS): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'a number is too large';
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return `nested more than ${MAX_LEVELS} levels deep`;
  for (const field of Object.values(value)) {
    const problem = unsound(field, levels - 1);
    if (problem) return problem;
  }
  return undefined;
}

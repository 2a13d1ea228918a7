/** Whether a JSON value is an object: not null, not a list. */
import type { Json, JsonObject } from '../../core/types.ts';

export const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether generated calls fit the documentation of their tools, and if not, where. */
import type { Json, JsonObject } from '../../core/types.ts';
import { defaultOf, type FunctionDoc, isObject, type ParameterDoc } from './function-doc.ts';

/** What is wrong with the arguments of a call; undefined when nothing is. */
export function argumentsProblem(args: JsonObject, { name, parameters }: FunctionDoc): string | undefined {
  const { properties, required = [] } = parameters;
  const missing = required.find((key) => !Object.hasOwn(args, key));
  if (missing !== undefined) return `${missing} is missing`;
  for (const [key, value] of Object.entries(args)) {
    if (!Object.hasOwn(properties, key)) return `${name} has no parameter ${key}`;
    const problem = valueProblem(value, properties[key]!, key);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function valueProblem(value: Json, doc: ParameterDoc, path: string): string | undefined {
  if (value === null) return defaultOf(doc) === null ? undefined : `${path} is null`;
  if (!hasType(value, doc.type)) return `${path} is ${JSON.stringify(value)?.slice(0, 60)}, not ${article(doc.type)}`;
  const choices = choicesOf(doc);
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      const items = doc.items && { ...doc.items, ...(choices ? { enum: choices } : {}) };
      const problem = items && valueProblem(item, items, `${path}[${i}]`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  if (choices && !choices.includes(value))
    return `${path} is ${JSON.stringify(value)}, not one of ${choices.join(', ')}`;
  if (!isObject(value) || !doc.properties) return undefined;
  return argumentsProblem(value, {
    name: path,
    description: '',
    parameters: { type: 'dict', properties: doc.properties, required: doc.required ?? [] },
  });
}

function hasType(value: Json, type: string): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'integer':
      return Number.isInteger(value);
    case 'float':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
    case 'tuple':
      return Array.isArray(value);
    case 'dict':
      return isObject(value);
    default:
      return true;
  }
}

const article = (type: string) => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

/** The values a parameter may have; much of the documentation names them in words: `[Enum]: ["a", "b"]`. */
export function choicesOf({ enum: choices, description = '' }: ParameterDoc): Json[] | undefined {
  if (choices) return choices;
  const listed = /\[Enum\]:\s{0,4}(\[[^[\]]*\])/.exec(description)?.[1];
  if (listed === undefined) return undefined;
  try {
    const values = JSON.parse(listed) as Json;
    return Array.isArray(values) ? values : undefined;
  } catch {
    return undefined;
  }
}

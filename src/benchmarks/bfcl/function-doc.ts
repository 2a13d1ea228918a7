/** Functions as BFCL documents them, and what scoring needs to know of them. */
import type { Json, JsonObject } from '../../core/types.ts';
import { exactValue } from './exact-json.ts';
import type { Value } from './values.ts';

export interface FunctionDoc {
  name: string;
  description: string;
  parameters: { type: string; properties: Record<string, ParameterDoc>; required?: string[] };
}

export interface ParameterDoc {
  type: string;
  description?: string;
  default?: Json;
  enum?: Json[];
  items?: ParameterDoc;
  properties?: Record<string, ParameterDoc>;
  required?: string[];
}

/** Functions by name. */
export type Toolbox = ReadonlyMap<string, Tool>;

export interface Tool {
  /** Parameters in the order in which Python takes them. */
  order: readonly string[];
  /** What an omitted optional parameter counts as. */
  defaults: readonly (readonly [string, Value])[];
}

/** Where the order of the documentation is not the order of the function. */
const PYTHON_ORDER: Record<string, readonly string[]> = {
  purchase_insurance: ['access_token', 'insurance_type', 'booking_id', 'insurance_cost', 'card_id'],
};

export function toolboxOf(docs: readonly FunctionDoc[]): Toolbox {
  return new Map(docs.map((doc) => [doc.name, toolOf(doc)]));
}

function toolOf({ name, parameters: { properties, required = [] } }: FunctionDoc): Tool {
  const optional = Object.entries(properties).filter(
    ([key, doc]) => !required.includes(key) && doc.default !== undefined,
  );
  return {
    order: Object.hasOwn(PYTHON_ORDER, name) ? PYTHON_ORDER[name]! : Object.keys(properties),
    defaults: optional.map(([key, doc]) => [key, exactValue(defaultOf(doc)!)] as const),
  };
}

/** The text "None" is how the documentation writes null. */
export const defaultOf = (doc: ParameterDoc): Json | undefined => (doc.default === 'None' ? null : doc.default);

/** What is wrong with something that should be a list of documentations; undefined when nothing is. */
export function docsProblem(docs: Json): string | undefined {
  if (!Array.isArray(docs)) return 'the functions are not a list';
  for (const [i, doc] of docs.entries()) {
    const parameters = isObject(doc) ? doc.parameters : undefined;
    const properties = isObject(parameters) ? parameters.properties : undefined;
    if (
      !isObject(doc) ||
      typeof doc.name !== 'string' ||
      !isObject(properties) ||
      !Object.values(properties).every(isObject)
    )
      return `function ${i + 1} is not {"name", "description", "parameters": {"properties", "required"}}`;
    const required = (parameters as JsonObject).required ?? [];
    if (!Array.isArray(required)) return `function ${i + 1}: "required" is not a list`;
  }
  return undefined;
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

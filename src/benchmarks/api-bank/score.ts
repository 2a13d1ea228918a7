/**
 * The official verdict on extracted calls: ToolRL's soft match, which the paper's number is, and the strict one that stands
 * commented out beside it. Both follow Python, with its equality and its exceptions.
 */
import type { Json, JsonObject } from '../../core/types.ts';
import { pythonLiteral } from '../python.ts';
import { isObject } from './is-object.ts';
import { pythonJson } from './python-json.ts';

/** One call in the data's own form. */
export type GoldCall = { name: Json; parameters: Json };

/** Right, or why not. */
export type Match = { correct: true } | { correct: false; reason: string };

type Equal = (value: Json, gold: Json) => boolean;

/** Any item that equals the gold call is enough, until one makes the official script raise. */
export function softMatch(items: readonly Json[], gold: GoldCall, equal: Equal = pythonEqual): Match {
  let reason = 'no call found';
  for (const item of items) {
    const read = typeof item === 'string' ? pythonJson(item) : item;
    if (read === undefined) return wrong('a quoted line is not JSON');
    if (typeof read === 'number' || typeof read === 'boolean' || read === null) return wrong('a line is a bare value');
    const call = softCall(read, gold);
    if (!call) return wrong('a line is no object');
    const problem = difference(call, gold, equal);
    if (problem === undefined) return { correct: true };
    reason = problem;
  }
  return wrong(reason);
}

/** Exactly one item, and it has both keys. */
export function strictMatch(items: readonly Json[], gold: GoldCall): Match {
  if (items.length === 0) return wrong('no call found');
  if (items.length > 1) return wrong(`${items.length} calls instead of one`);
  const [item = null] = items;
  const call = typeof item === 'string' ? pythonJson(item) : item;
  if (call === undefined || !isCall(call)) return wrong('the call lacks "name" or "parameters"');
  const problem = difference(call, gold, pythonEqual);
  return problem === undefined ? { correct: true } : wrong(problem);
}

/** Soft, but a value may have its own type where the gold has it as text: 5 for "5", ["John"] for "['John']". */
export const typeBlindMatch = (items: readonly Json[], gold: GoldCall): Match =>
  softMatch(items, gold, equalButForTypes);

/** What an item is compared as: without both keys it is taken for the parameters. Undefined where Python raises. */
function softCall(item: string | Json[] | JsonObject, gold: GoldCall): GoldCall | undefined {
  if (isCall(item)) return item;
  // `in` looks for a part of a text and for an element of a list; neither can then be asked for its "name".
  const raises =
    typeof item === 'string' || Array.isArray(item) ? item.includes('name') && item.includes('parameters') : false;
  return raises ? undefined : { name: gold.name, parameters: item };
}

function isCall(value: Json): value is GoldCall {
  return isObject(value) && Object.hasOwn(value, 'name') && Object.hasOwn(value, 'parameters');
}

/** What keeps a call from being the gold one, in a few words. */
function difference(call: GoldCall, gold: GoldCall, equal: Equal): string | undefined {
  if (!equal(call.name, gold.name)) return 'another tool';
  if (equal(call.parameters, gold.parameters)) return undefined;
  const [given, wanted] = [call.parameters, gold.parameters];
  if (!isObject(given) || !isObject(wanted)) return 'the parameters differ';
  const missing = Object.keys(wanted).filter((key) => !Object.hasOwn(given, key));
  if (missing.length > 0) return shorten(`${missing.join(', ')} missing`);
  if (Object.keys(given).length > Object.keys(wanted).length) return 'more parameters than asked for';
  return shorten(
    `${Object.keys(wanted)
      .filter((key) => !equal(given[key]!, wanted[key]!))
      .join(', ')} differs`,
  );
}

/** Python's `==` between parsed JSON: True is 1, 1 is 1.0, key order is nothing. */
export function pythonEqual(a: Json, b: Json): boolean {
  if (isObject(a)) {
    if (!isObject(b)) return false;
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key]!, b[key]!))
    );
  }
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => same(item, b[i]!));
  return numeric(a) === numeric(b);
}

/** Inside a container Python looks at identity first, and its JSON reader knows only one NaN. */
const same = (a: Json, b: Json): boolean => (Number.isNaN(a) && Number.isNaN(b)) || pythonEqual(a, b);

const numeric = (value: Json): Json => (typeof value === 'boolean' ? Number(value) : value);

/** Official equality, or the gold text is how Python writes the value; inside objects and lists likewise. */
function equalButForTypes(value: Json, gold: Json): boolean {
  if (pythonEqual(value, gold)) return true;
  if (typeof gold === 'string') {
    const meant = typeof value === 'string' ? undefined : pythonLiteral(gold);
    return meant !== undefined && typeof meant !== 'string' && pythonEqual(value, meant);
  }
  if (!isObject(gold) || !isObject(value)) return false;
  const keys = Object.keys(gold);
  return (
    keys.length === Object.keys(value).length &&
    keys.every((key) => Object.hasOwn(value, key) && equalButForTypes(value[key]!, gold[key]!))
  );
}

const wrong = (reason: string): Match => ({ correct: false, reason });

const shorten = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text);

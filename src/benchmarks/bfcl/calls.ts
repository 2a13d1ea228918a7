/** Calls as the per-turn protocol compares them: in one canonical form, defaults filled in, numbers by value. */
import type { Json } from '../../core/types.ts';
import { NotPython } from '../python.ts';
import { exactValue } from './exact-json.ts';
import type { Expression } from './expression.ts';
import { isObject, type Toolbox } from './function-doc.ts';
import { parseExpression } from './parse-expression.ts';
import { type Dict, dictOf, entryOf, isDict, isList, typeOf, type Value } from './values.ts';

export interface Call {
  name: string;
  /** Null when what was given for arguments is no object: such a call equals no other. */
  args: Dict | null;
}

/** `name(1, key='value')`, positional arguments put in their places; throws NotPython. */
export const parseCall = (text: string, tools: Toolbox): Call => callOf(parseExpression(text), tools);

export function callOf(tree: Expression, tools: Toolbox): Call {
  if (tree.kind !== 'call') throw new NotPython('not a call');
  const name = nameOf(tree.callee);
  const pairs = tree.positional.map((node, i): [Value, Value] => {
    const key = tools.get(name)?.order[i];
    if (key === undefined) throw new NotPython(`${name} has no parameter ${i + 1}`);
    return [key, literal(node)];
  });
  for (const { name: key, value } of tree.keywords) {
    if (key === null) throw new NotPython('** in a call');
    pairs.push([key, literal(value)]);
  }
  return { name, args: dictOf(pairs) };
}

function nameOf(callee: Expression): string {
  if (callee.kind === 'name') return callee.name;
  if (callee.kind !== 'attribute') throw new NotPython('no name to call');
  return `${nameOf(callee.of)}.${callee.name}`;
}

/** Strings, numbers, True, False, None, and lists and dicts of them. */
function literal(node: Expression): Value {
  switch (node.kind) {
    case 'constant':
      if (typeOf(node.value) === 'bytes' || typeOf(node.value) === 'complex') throw new NotPython('not in JSON');
      return node.value;
    case 'unary':
      return signed(node.operator, node.operand);
    case 'list':
      return node.items.map(literal);
    case 'dict':
      return dictOf(node.entries.map(({ key, value }) => [keyOf(key), literal(value)]));
    default:
      throw new NotPython(`${node.kind} is no literal`);
  }
}

function signed(operator: string, operand: Expression): Value {
  const size = operand.kind === 'constant' ? operand.value : null;
  if ((typeof size !== 'bigint' && typeof size !== 'number') || (operator !== '-' && operator !== '+'))
    throw new NotPython('a sign without a number');
  return operator === '-' ? -size : size;
}

function keyOf(node: Expression | null): string {
  if (node?.kind !== 'constant' || typeof node.value !== 'string') throw new NotPython('a key that is no string');
  return node.value;
}

/** {"name", "parameters"} as models write it; "arguments" will do. Undefined when it is no call. */
export function jsonCall(value: Json): Call | undefined {
  if (!isObject(value) || typeof value.name !== 'string') return undefined;
  const args = exactValue((Object.hasOwn(value, 'parameters') ? value.parameters : value.arguments) ?? {});
  return { name: value.name, args: isDict(args) ? args : null };
}

/** The text that equal calls share. */
export function canonicalCall({ name, args }: Call, tools: Toolbox): string {
  if (args === null) return `${name}?`;
  const omitted = (tools.get(name)?.defaults ?? []).filter(([key]) => entryOf(args, key) === undefined);
  const filled = omitted.length === 0 ? args : dictOf([...pairsOf(args), ...omitted]);
  return `${name}${canonical(filled)}`;
}

const pairsOf = (dict: Dict) => Array.from(dict.entries.values(), ({ key, value }) => [key, value] as const);

function canonical(value: Value): string {
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? String(BigInt(value)) : String(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'string':
      return JSON.stringify(value);
  }
  if (value === null) return 'null';
  if (isList(value)) return `[${value.map(canonical).join(',')}]`;
  if (value.kind !== 'dict') return `<${value.kind}>`;
  const fields = pairsOf(value).map(([key, item]) => `${canonical(key)}:${canonical(item)}`);
  return `{${fields.sort().join(',')}}`;
}

/** Dicts and lists as JSON; only for calls that came from literals or JSON, which hold nothing else. */
export function plain(value: Value): Json {
  if (typeof value === 'bigint') return Number(value);
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) return value.map(plain);
  if (value.kind !== 'dict') throw new TypeError(`a ${value.kind} is not in JSON`);
  return Object.fromEntries(pairsOf(value).map(([key, item]) => [String(key), plain(item)]));
}

/**
 * The official AST rules for single-turn answers: what a decoded call may be, against the documentation of a function and
 * the values its answer allows. Types are exact, strings are normalised, and the quirks of the official verdicts are kept.
 */
import type { Json } from '../../core/types.ts';
import { NotPython } from '../python.ts';
import type { DecodedCall } from './decode.ts';
import { exactValue } from './exact-json.ts';
import type { FunctionDoc, ParameterDoc } from './function-doc.ts';
import { type Dict, entryOf, equal, isDict, isList, type Tuple, type TypeName, typeOf, type Value } from './values.ts';

export interface AstQuestion {
  category: string;
  functions: readonly FunctionDoc[];
  /** One object a call: {function: {parameter: [allowed values]}}. */
  answers: Json;
  /** For models whose function names cannot hold dots. */
  dotToUnderscore?: boolean;
}

/** What is wrong, by the official names of errors; undefined when nothing is. */
export function astError(calls: readonly DecodedCall[], question: AstQuestion): string | undefined {
  const { category, functions, dotToUnderscore = false } = question;
  const answers = answersOf(question.answers);
  const check = (call: DecodedCall, answer: Answer, doc: FunctionDoc | undefined) =>
    doc === undefined ? 'no_such_function' : guarded(() => callError(call, answer, doc, dotToUnderscore));
  const docOf = ({ name }: Answer) => functions.find((doc) => doc.name === name);

  if (category.includes('parallel')) {
    if (calls.length !== answers.length) return 'parallel_function_checker_no_order:wrong_count';
    // Greedy in the order of the answers and never taken back, though another assignment might fit.
    const left = [...calls];
    for (const answer of answers) {
      const found = left.findIndex((call) => check(call, answer, docOf(answer)) === undefined);
      if (found < 0) return 'parallel_function_checker_no_order:cannot_find_match';
      left.splice(found, 1);
    }
    return undefined;
  }
  const [call, answer] = [calls[0], answers[0]];
  if (category.includes('multiple')) {
    if (calls.length !== answers.length || !call || !answer) return 'multiple_function_checker:wrong_count';
    return check(call, answer, docOf(answer));
  }
  if (calls.length !== 1 || !call || !answer) return 'simple_function_checker:wrong_count';
  return check(call, answer, functions[0]);
}

interface Answer {
  name: string;
  /** Allowed values by parameter. */
  args: Dict;
}

/** The answers as Python values; throws NotPython where they are not in BFCL's form. */
export function answersOf(answers: Json): Answer[] {
  const list = exactValue(answers);
  if (!isList(list)) throw new NotPython('the possible answers are not a list');
  return list.map((answer) => {
    const [first] = isDict(answer) ? answer.entries.values() : [];
    if (!first || typeof first.key !== 'string' || !isDict(first.value))
      throw new NotPython('a possible answer is not {function: {parameter: [allowed values]}}');
    return { name: first.key, args: first.value };
  });
}

/** Where the official checker would break off with an exception, nothing is right. */
function guarded(check: () => string | undefined): string | undefined {
  try {
    return check();
  } catch (error) {
    if (error instanceof NotPython) return `checker_failed: ${error.message}`;
    throw error;
  }
}

const PYTHON_TYPES: Record<string, TypeName> = Object.assign(Object.create(null), {
  string: 'str',
  integer: 'int',
  float: 'float',
  boolean: 'bool',
  array: 'list',
  tuple: 'list',
  dict: 'dict',
  any: 'str',
});

const pythonType = (type: string | undefined): TypeName => PYTHON_TYPES[type ?? ''] ?? broken(`no type ${type}`);

function callError(call: DecodedCall, answer: Answer, doc: FunctionDoc, dotToUnderscore: boolean): string | undefined {
  const { properties, required = [] } = doc.parameters;
  if (call.name !== (dotToUnderscore ? doc.name.replaceAll('.', '_') : doc.name))
    return 'simple_function_checker:wrong_func_name';
  if (!required.every((name) => call.args.has(name))) return 'simple_function_checker:missing_required';
  for (const [name, value] of call.args) {
    const allowed = name === null ? undefined : entryOf(answer.args, name);
    if (name === null || allowed === undefined || !Object.hasOwn(properties, name))
      return 'simple_function_checker:unexpected_param';
    const error = argumentError(value, listed(allowed), properties[name]!);
    if (error !== undefined) return error;
  }
  for (const { key, value } of answer.args.entries.values())
    if (!call.args.has(key as string) && !includes(value, '')) return 'simple_function_checker:missing_optional';
  return undefined;
}

function argumentError(given: Value, allowed: readonly Value[], doc: ParameterDoc): string | undefined {
  const type = pythonType(doc.type);
  const itemType = doc.type === 'array' || doc.type === 'tuple' ? pythonType(doc.items?.type) : undefined;
  const value = converted(given, doc.type);
  const typed = checkType(value, allowed, type, itemType);
  if (typeof typed === 'string') return typed;
  if (!typed.isVariable) {
    if (type === 'dict') return dictError(value, allowed);
    if (type === 'list' && itemType === 'dict') return dictsError(value, allowed);
    if (type === 'str') return stringError(value, allowed);
    if (type === 'list') return listError(value, allowed);
  }
  return includes(allowed, value) ? undefined : 'value_error:others';
}

/** A tuple where a tuple is wanted has become a list in the answers; an int will do for a float. */
function converted(value: Value, type: string): Value {
  if (type === 'tuple' && isTuple(value)) return value.items;
  return type === 'float' && typeof value === 'bigint' ? Number(value) : value;
}

const isTuple = (value: Value): value is Tuple =>
  value !== null && typeof value === 'object' && !isList(value) && value.kind === 'tuple';

/**
 * Types must be equal; a value of the type that the answer itself has stands for a variable, which is then compared as it
 * is. Items are looked at one level deep, against each allowed list in turn.
 */
function checkType(
  value: Value,
  allowed: readonly Value[],
  type: TypeName,
  itemType: TypeName | undefined,
): { isVariable: boolean } | string {
  const answerType = answerTypeOf(allowed);
  if (typeOf(value) === type) {
    const isVariable = answerType !== undefined && answerType !== type;
    if (itemType === undefined || !isList(value)) return { isVariable };
    const fits = allowed.some(
      (option) =>
        !isList(option) || value.every((item) => typeof checkType(item, option, itemType, undefined) !== 'string'),
    );
    return fits ? { isVariable } : 'type_error:nested';
  }
  return answerType === typeOf(value) ? { isVariable: true } : 'type_error:simple';
}

/** The type of the first allowed value that is not the mark of an optional parameter. */
function answerTypeOf(allowed: readonly Value[]): TypeName | undefined {
  const first = allowed.find((value) => value !== '');
  return first === undefined ? undefined : typeOf(first);
}

/** "April 1, 2024" and "april 1 2024" are the same. */
const normalised = (text: string) =>
  text
    .replace(/[ ,./\-_*^]/g, '')
    .toLowerCase()
    .replaceAll("'", '"');

const normalisedItem = (value: Value): Value => (typeof value === 'string' ? normalised(value) : value);

function stringError(value: Value, allowed: readonly Value[]): string | undefined {
  const text = typeof value === 'string' ? normalised(value) : broken('not a string');
  return allowed.some((option) => typeof option === 'string' && normalised(option) === text)
    ? undefined
    : 'value_error:string';
}

function listError(value: Value, allowed: readonly Value[]): string | undefined {
  const items = listed(value).map(normalisedItem);
  const options = allowed.map((option) => listed(option).map(normalisedItem));
  return includes(options, items) ? undefined : 'value_error:list/tuple';
}

/** Each key has allowed values of its own. */
function dictError(value: Value, allowed: readonly Value[]): string | undefined {
  if (!isDict(value)) return broken('not a dict');
  let error: string | undefined = 'dict_checker:unclear';
  for (const option of allowed) {
    if (option === '') continue;
    error = dictMismatch(value, isDict(option) ? option : broken('an answer that is not a dict'));
    if (error === undefined) return undefined;
  }
  return error;
}

function dictMismatch(dict: Dict, option: Dict): string | undefined {
  for (const { key, value } of option.entries.values())
    if (entryOf(dict, key) === undefined && !includes(value, '')) return 'value_error:dict_key';
  for (const { key, value } of dict.entries.values()) {
    const values = entryOf(option, key);
    if (values === undefined) return 'value_error:dict_key';
    if (!includes(listed(values).map(normalisedItem), normalisedItem(value))) return 'value_error:dict_value';
  }
  return undefined;
}

/** Dicts in a list are matched position by position. */
function dictsError(value: Value, allowed: readonly Value[]): string | undefined {
  const items = listed(value);
  let error: string | undefined = 'list_dict_checker:unclear';
  for (const option of allowed) {
    const options = listed(option);
    error = items.length === options.length ? undefined : 'value_error:list_dict_count';
    for (let i = 0; i < items.length && error === undefined; i++) error = dictError(items[i]!, [options[i]!]);
    if (error === undefined) return undefined;
  }
  return error;
}

/** What Python iterates over: a string is a list of its characters. */
function listed(value: Value): readonly Value[] {
  if (isList(value)) return value;
  return typeof value === 'string' ? [...value] : broken('not a list');
}

/** Python's `in`: an empty string is in every string, and keys are in a dict. */
function includes(container: Value, value: Value): boolean {
  if (isList(container)) return container.some((item) => equal(item, value));
  if (typeof container === 'string') return typeof value === 'string' && container.includes(value);
  return isDict(container) ? entryOf(container, value) !== undefined : broken('nothing can be in it');
}

function broken(message: string): never {
  throw new NotPython(message);
}

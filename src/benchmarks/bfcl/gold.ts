/** The ground truth of the single-turn questions as replies: the first value that each answer allows. */
import { answersOf } from './ast-check.ts';
import type { Question } from './data.ts';
import type { FunctionDoc, ParameterDoc } from './function-doc.ts';
import { repr } from './unparse.ts';
import { dictOf, isDict, isList, type Value } from './values.ts';

export function goldReply({ answers, functions }: Pick<Question, 'answers' | 'functions'>): string {
  const calls = answersOf(answers ?? []).map(({ name, args }) => {
    const doc = functions.find((fn) => fn.name === name);
    const written = Array.from(args.entries.values(), ({ key, value }) => argument(String(key), value, doc));
    return `${name}(${written.filter(Boolean).join(', ')})`;
  });
  return `[${calls.join(', ')}]`;
}

/** Nothing, where the parameter may be left out. */
function argument(key: string, allowed: Value, doc: FunctionDoc | undefined): string {
  const options = isList(allowed) ? allowed : [];
  const required = doc?.parameters.required?.includes(key) ?? false;
  const first = options.find((option) => option !== '') ?? options[0];
  if (first === undefined || (options.includes('') && !required)) return '';
  return `${key}=${repr(concrete(first, doc?.parameters.properties[key]))}`;
}

/** A dict in an answer has a list of allowed values under each key. */
function concrete(value: Value, doc: ParameterDoc | undefined): Value {
  if (doc?.type === 'dict' && isDict(value)) return firstOfEach(value);
  if (doc?.items?.type === 'dict' && isList(value))
    return value.map((item) => (isDict(item) ? firstOfEach(item) : item));
  return value;
}

function firstOfEach(dict: Extract<Value, { kind: 'dict' }>): Value {
  return dictOf(
    [...dict.entries.values()].flatMap(({ key, value }) => {
      const options = isList(value) ? value : [value];
      return options.length === 0 || options.includes('') ? [] : [[key, options[0]!] as const];
    }),
  );
}

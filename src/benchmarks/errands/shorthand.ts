/** Calls as beginners write them: the words of the request without its grammar, `text Ana report ; dim hall ; book Lima four`. */
import type { Json, ToolCall } from '../../core/types.ts';
import { countOf, TOOLS, typeOf, VALUES, type Verb } from './lexicon.ts';

export const writeCalls = (calls: readonly ToolCall[]): string =>
  calls
    .map(({ name, args }) => {
      const words = Object.values(args).map((value) => (typeof value === 'number' ? VALUES.number[value - 2] : value));
      // The level says it all: `dim hall` is light({level: dim, room: hall}).
      return (name === 'light' ? words : [name, ...words]).join(' ');
    })
    .join(' ; ');

/** Reads what looks like calls, right or wrong; undefined where it does not. */
export function readCalls(text: string): ToolCall[] | undefined {
  const calls: ToolCall[] = [];
  for (const part of text.split(';')) {
    const words = part.trim().split(/\s+/);
    const name = typeOf(words[0]!) === 'level' ? 'light' : words.shift()!;
    if (!Object.hasOwn(TOOLS, name)) return undefined;
    const { args } = TOOLS[name as Verb];
    if (words.length !== args.length) return undefined;
    const values = words.map((word): Json => (typeOf(word) === 'number' ? countOf(word) : word));
    calls.push({ name, args: Object.fromEntries(args.map(([arg], i) => [arg, values[i]!])) });
  }
  return calls;
}

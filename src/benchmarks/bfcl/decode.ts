/** BFCL's decoder for replies in prompt mode: a list of Python calls, read with the quirks that the official verdicts have. */
import type { Json } from '../../core/types.ts';
import { NotPython } from '../python.ts';
import { evaluate, negated } from './arithmetic.ts';
import { exactValue, readJson } from './exact-json.ts';
import type { Call, Expression } from './expression.ts';
import { isObject } from './function-doc.ts';
import { parseExpression } from './parse-expression.ts';
import { unparse } from './unparse.ts';
import { dictOf, isDict, type Value } from './values.ts';

export interface DecodedCall {
  name: string;
  /** By keyword; null is `**values`. */
  args: Map<string | null, Value>;
}

/** The calls of a reply; undefined when it cannot be decoded. */
export function decodeReply(reply: string): DecodedCall[] | undefined {
  let text = stripped(reply);
  if (!text.startsWith('[')) text = `[${text}`;
  if (!text.endsWith(']')) text = `${text}]`;
  try {
    const tree = parseExpression(text);
    if (tree.kind === 'call') return [decodeCall(tree)];
    if (tree.kind !== 'list' && tree.kind !== 'tuple' && tree.kind !== 'set') return undefined;
    return tree.items.map((item) => {
      if (item.kind !== 'call') throw new NotPython('not a call');
      return decodeCall(item);
    });
  } catch (error) {
    if (error instanceof NotPython) return undefined;
    throw error;
  }
}

/** Calls as function-calling models are recorded: a list of {name: arguments}, where the arguments may be JSON text. */
export function decodedList(list: readonly Json[]): DecodedCall[] | undefined {
  const calls: DecodedCall[] = [];
  for (const item of list) {
    const [entry, ...more] = isObject(item) ? Object.entries(item) : [];
    if (!entry || more.length > 0) return undefined;
    const args = exactValue(typeof entry[1] === 'string' ? jsonText(entry[1]) : entry[1]);
    if (!isDict(args)) return undefined;
    calls.push({
      name: entry[0],
      args: new Map(Array.from(args.entries.values(), ({ key, value }) => [String(key), value])),
    });
  }
  return calls;
}

function jsonText(text: string): Json {
  try {
    return readJson(text);
  } catch {
    return null;
  }
}

/** Without backticks, line ends and spaces around it; other blanks stay. */
function stripped(reply: string): string {
  let [start, end] = [0, reply.length];
  while (start < end && '`\n '.includes(reply[start]!)) start++;
  while (end > start && '`\n '.includes(reply[end - 1]!)) end--;
  return reply.slice(start, end);
}

/** Positional arguments are dropped; of a repeated keyword the last one counts. */
function decodeCall({ callee, keywords }: Call): DecodedCall {
  return { name: dottedName(callee), args: new Map(keywords.map(({ name, value }) => [name, decodeValue(value)])) };
}

/** `a.b.c`; of a callee that does not begin with a name, only the attributes are left. */
function dottedName(callee: Expression): string {
  const parts: string[] = [];
  let node = callee;
  for (; node.kind === 'attribute'; node = node.of) parts.push(node.name);
  if (node.kind === 'name') parts.push(node.name);
  return parts.reverse().join('.');
}

function decodeValue(node: Expression): Value {
  switch (node.kind) {
    case 'constant':
      return node.value;
    case 'ellipsis':
      return '...';
    case 'unary':
      // Whatever the operator, the official decoder negates; and only constants.
      return node.operand.kind === 'constant' ? negated(node.operand.value) : refuse();
    case 'binary':
      return evaluate(node);
    case 'name':
      return node.name;
    case 'list':
      return node.items.map(decodeValue);
    case 'tuple':
      return { kind: 'tuple', items: node.items.map(decodeValue) };
    case 'dict':
      return dictOf(
        node.entries.map(({ key, value }) => [key === null ? refuse() : decodeValue(key), decodeValue(value)]),
      );
    case 'call': {
      if (node.keywords.length === 0) return unparse(node);
      const { name, args } = decodeCall(node);
      return dictOf([[name, dictOf(args)]]);
    }
    case 'subscript':
      return `${unparse(node.of)}[${unparse(node.index)}]`;
    default:
      return refuse();
  }
}

function refuse(): never {
  throw new NotPython('no argument that the decoder knows');
}

/**
 * A chat template as text to text. The template engine is @huggingface/jinja; where it departs from the Python that
 * templates are written for (strip with characters, JSON with indentation, how True, None and lists are printed), the
 * parsed template is rewritten to call functions that do not.
 */
import { Environment, Interpreter, Template } from '@huggingface/jinja';
import { pythonEqual, pythonTruth, type TemplateValue } from './python-values.ts';
import { type JsonStyle, pythonJson, pythonStr, pythonStrip } from './python-text.ts';
import { strftime } from './strftime.ts';
import { rewrittenLoop } from './template-loops.ts';
import { call, isNode, literal, type Node } from './template-nodes.ts';

/** A template refuses a conversation, or cannot be read. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

export interface RenderOptions {
  /** What strftime_now writes. */
  now: Date;
}

export type Render = (variables: Record<string, unknown>, options: RenderOptions) => string;

/** Chat templates have tens of thousands of characters at most. */
const LONGEST_TEMPLATE = 1 << 20;

export function compileTemplate(source: string): Render {
  if (source.length > LONGEST_TEMPLATE) {
    throw new TemplateError(`the chat template has ${source.length} characters; at most ${LONGEST_TEMPLATE} are read`);
  }
  // Tags that mark what an assistant wrote for other tools; they leave no trace in the text.
  const plain = source.replace(/\{%(-?)\s*(?:end)?generation\s*(-?)%\}/g, '{%$1 if true %}{% endif $2%}');
  const program = attempt('the chat template cannot be read', () => {
    const { parsed } = new Template(plain);
    rewriteBlock(parsed.body as unknown as Node[]);
    return parsed;
  });
  return (variables, { now }) =>
    attempt('the chat template refused the conversation', () => {
      const scope = new Environment();
      const globals = { ...CONSTANTS, ...FUNCTIONS, strftime_now: (format: string) => strftime(now, format) };
      for (const [name, value] of Object.entries({ ...globals, ...variables })) scope.set(name, value);
      return (new Interpreter(scope).run(program) as unknown as { value: string }).value;
    });
}

function attempt<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new TemplateError(`${what}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

const CONSTANTS = { true: true, false: false, none: null, True: true, False: false, None: null };

const STATEMENTS = new Set([
  'Program',
  'If',
  'For',
  'Set',
  'Macro',
  'Break',
  'Continue',
  'Comment',
  'CallStatement',
  'FilterStatement',
]);

/** What a block prints is printed as Python prints it; loops run as in Jinja; the rest is looked through. */
function rewriteBlock(block: Node[]): void {
  const out: Node[] = [];
  for (const node of block) {
    rewriteInside(node);
    if (node.type === 'For') out.push(...rewrittenLoop(node));
    else if (STATEMENTS.has(node.type) || node.type === 'StringLiteral') out.push(node);
    else out.push(call('__str', [rewritten(node)]));
  }
  block.splice(0, block.length, ...out);
}

function rewriteInside(node: Node): void {
  for (const [field, value] of Object.entries(node)) {
    if (field === 'body' || field === 'alternate' || field === 'defaultBlock') rewriteBlock(value as Node[]);
    else if (Array.isArray(value)) node[field] = value.map((item) => (isNode(item) ? rewrite(item) : item));
    else if (value instanceof Map) {
      node[field] = new Map([...value].map(([key, item]) => [rewrite(key as Node), rewrite(item as Node)]));
    } else if (isNode(value)) node[field] = rewrite(value);
  }
}

function rewrite(node: Node): Node {
  rewriteInside(node);
  return rewritten(node);
}

function rewritten(node: Node): Node {
  if (node.type === 'CallExpression') {
    const callee = node.callee as Node;
    const name = callee.type === 'MemberExpression' && !callee.computed ? (callee.property as Node).value : undefined;
    const side = STRIPS.get(name as string);
    return side === undefined
      ? node
      : call('__strip', [callee.object as Node, literal(side)], node.args as Node[]);
  }
  if (node.type === 'FilterExpression') return rewrittenFilter(node);
  if (node.type === 'BinaryExpression') return rewrittenOperation(node);
  if (node.type === 'UnaryExpression' && (node.operator as { value: string }).value === 'not') {
    return call('__not', [node.argument as Node]);
  }
  return node;
}

function rewrittenOperation(node: Node): Node {
  const { value: operator } = node.operator as { value: string };
  const sides = [node.left as Node, node.right as Node];
  switch (operator) {
    case '~':
      return call('__joined', sides);
    case '==':
      return call('__equal', sides);
    case '!=':
      return call('__unequal', sides);
    default:
      return node;
  }
}

function rewrittenFilter(node: Node): Node {
  const filter = node.filter as Node;
  const isCall = filter.type === 'CallExpression';
  const name = (isCall ? (filter.callee as Node) : filter).value;
  const args = isCall ? (filter.args as Node[]) : [];
  const operand = node.operand as Node;
  switch (name) {
    case 'tojson':
      return call('__json', [operand], args);
    case 'string':
      return call('__str', [operand]);
    case 'trim':
      return call('__strip', [operand, literal('both')], args);
    case 'length':
    case 'count':
      return call('__length', [operand]);
    default:
      return node;
  }
}

const STRIPS = new Map([
  ['strip', 'both'],
  ['lstrip', 'left'],
  ['rstrip', 'right'],
]);

const FUNCTIONS = {
  __str: ([value]: TemplateValue[]) => pythonStr(value!),

  __joined: (values: TemplateValue[]) => values.map(pythonStr).join(''),

  __equal: ([left, right]: TemplateValue[]) => pythonEqual(left!, right!),

  __unequal: ([left, right]: TemplateValue[]) => !pythonEqual(left!, right!),

  __not: ([value]: TemplateValue[]) => !pythonTruth(value!),

  __strip: ([text, side]: TemplateValue[], characters?: string | null) =>
    pythonStrip(pythonStr(text!), side!.value as 'both' | 'left' | 'right', characters),

  __length([value]: TemplateValue[]): number {
    if (value!.type === 'UndefinedValue') return 0;
    const inner = value!.value;
    if (typeof inner === 'string') return [...inner].length;
    if (Array.isArray(inner)) return inner.length;
    if (inner instanceof Map) return inner.size;
    throw new TypeError(`a ${value!.type} has no length`);
  },

  /** Keyword arguments come as a map of typed values, in the last place. */
  __json([value]: TemplateValue[], ...args: unknown[]): string {
    const named = args.at(-1) instanceof Map ? (args.pop() as Map<string, TemplateValue>) : new Map();
    const field = (name: string, place: number) => named.get(name)?.value ?? args[place];
    const separators = field('separators', 2) as readonly TemplateValue[] | null | undefined;
    const style: JsonStyle = {
      ensureAscii: Boolean(field('ensure_ascii', 0) ?? false),
      indent: (field('indent', 1) as number | null | undefined) ?? null,
      separators: separators ? [separators[0]!.value as string, separators[1]!.value as string] : null,
      sortKeys: Boolean(field('sort_keys', 3) ?? false),
    };
    return pythonJson(value!, style);
  },

  raise_exception(message: string): never {
    throw new TemplateError(message);
  },

  range(...bounds: number[]): number[] {
    const [from, to, step = 1] = bounds.length === 1 ? [0, bounds[0]!] : (bounds as [number, number, number?]);
    const count = Math.max(0, Math.ceil((to - from) / step));
    if (!(count <= LONGEST_RANGE)) throw new TemplateError(`range(${bounds.join(', ')}) is too long`);
    return Array.from({ length: count }, (_, i) => from + i * step);
  },
};

const LONGEST_RANGE = 100_000;

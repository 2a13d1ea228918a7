/** Expressions as text, in the one spelling that `ast.unparse` gives them: BFCL's decoder compares some arguments by it. */
import type { Clause, Entry, Expression, Parameter } from './expression.ts';
import { isList, type Value } from './values.ts';

/** How tightly things bind; an expression in a place that binds tighter than itself is put in parentheses. */
const LEVEL = {
  named: 0,
  tuple: 1,
  test: 3,
  or: 4,
  and: 5,
  not: 6,
  compare: 7,
  binary: 8,
  factor: 14,
  await: 16,
  atom: 17,
};

const BINARY: Record<string, number> = {
  '|': 8,
  '^': 9,
  '&': 10,
  '<<': 11,
  '>>': 11,
  '+': 12,
  '-': 12,
  '*': 13,
  '/': 13,
  '//': 13,
  '%': 13,
  '@': 13,
  '**': 15,
};

export function unparse(node: Expression, place: number = LEVEL.test): string {
  const within = (level: number, text: string) => (place > level ? `(${text})` : text);
  switch (node.kind) {
    case 'constant':
      return repr(node.value);
    case 'ellipsis':
      return '...';
    case 'formatted':
      return `f${stringRepr(node.body)}`;
    case 'name':
      return node.name;
    case 'attribute': {
      const whole = node.of.kind === 'constant' && /^(bigint|boolean)$/.test(typeof node.of.value);
      return `${unparse(node.of, LEVEL.atom)}${whole ? ' ' : ''}.${node.name}`;
    }
    case 'subscript': {
      const { index } = node;
      const bare = index.kind === 'tuple' && index.items.length > 0;
      const text = bare ? list(index.items) + (index.items.length === 1 ? ',' : '') : unparse(index);
      return `${unparse(node.of, LEVEL.atom)}[${text}]`;
    }
    case 'slice':
      return node.parts.map((part) => (part === undefined ? '' : unparse(part))).join(':');
    case 'call': {
      const keywords = node.keywords.map(({ name, value }) => (name === null ? `**` : `${name}=`) + unparse(value));
      return `${unparse(node.callee, LEVEL.atom)}(${[...node.positional.map((item) => unparse(item)), ...keywords].join(', ')})`;
    }
    case 'list':
      return `[${list(node.items)}]`;
    case 'tuple':
      return `(${list(node.items)}${node.items.length === 1 ? ',' : ''})`;
    case 'set':
      return `{${list(node.items)}}`;
    case 'dict':
      return `{${node.entries.map(entry).join(', ')}}`;
    case 'unary': {
      const level = node.operator === 'not' ? LEVEL.not : LEVEL.factor;
      return within(level, `${node.operator === 'not' ? 'not ' : node.operator}${unparse(node.operand, level)}`);
    }
    case 'binary': {
      const level = BINARY[node.operator]!;
      const [left, right] = node.operator === '**' ? [level + 1, level] : [level, level + 1];
      return within(level, `${unparse(node.left, left)} ${node.operator} ${unparse(node.right, right)}`);
    }
    case 'boolean': {
      const level = node.operator === 'and' ? LEVEL.and : LEVEL.or;
      // Each operand is put as if it stood one level deeper than the one before it.
      const operands = node.operands.map((operand, i) => unparse(operand, Math.min(level + 1 + i, LEVEL.atom)));
      return within(level, operands.join(` ${node.operator} `));
    }
    case 'compare': {
      const rest = node.rest.map(({ operator, operand }) => ` ${operator} ${unparse(operand, LEVEL.compare + 1)}`);
      return within(LEVEL.compare, unparse(node.first, LEVEL.compare + 1) + rest.join(''));
    }
    case 'conditional': {
      const [then, test] = [unparse(node.then, LEVEL.test + 1), unparse(node.test, LEVEL.test + 1)];
      return within(LEVEL.test, `${then} if ${test} else ${unparse(node.otherwise)}`);
    }
    case 'lambda': {
      const parameters = node.parameters.map(parameter).join(', ');
      return within(LEVEL.test, `lambda${parameters && ' '}${parameters}: ${unparse(node.body)}`);
    }
    case 'starred':
      return `*${unparse(node.value, LEVEL.binary)}`;
    case 'named':
      return `(${node.name} := ${unparse(node.value, LEVEL.atom)})`;
    case 'prefixed': {
      const value = node.value === undefined ? '' : ` ${unparse(node.value, LEVEL.atom)}`;
      return node.word === 'await' ? within(LEVEL.await, `await${value}`) : `(${node.word}${value})`;
    }
    case 'comprehension': {
      const [open, close] = node.brackets;
      const item = 'kind' in node.item ? unparse(node.item) : entry(node.item);
      return `${open}${item}${node.clauses.map(clause).join('')}${close}`;
    }
    default:
      return node satisfies never;
  }
}

const list = (items: readonly Expression[]) => items.map((item) => unparse(item)).join(', ');

const entry = ({ key, value }: Entry) =>
  key === null ? `**${unparse(value, LEVEL.binary)}` : `${unparse(key)}: ${unparse(value)}`;

const parameter = ({ stars, name, fallback }: Parameter) =>
  `${stars}${name}${fallback === undefined ? '' : `=${unparse(fallback)}`}`;

const clause = ({ asynchronous, target, source, conditions }: Clause) =>
  `${asynchronous ? ' async' : ''} for ${targetText(target)} in ${unparse(source, LEVEL.test + 1)}${conditions
    .map((condition) => ` if ${unparse(condition, LEVEL.test + 1)}`)
    .join('')}`;

const targetText = (target: Expression) =>
  target.kind === 'tuple' && target.items.length > 0 ? `(${list(target.items)})` : unparse(target);

/** Python's repr. */
export function repr(value: Value): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return floatRepr(value);
  if (typeof value === 'string') return stringRepr(value);
  if (isList(value)) return `[${value.map(repr).join(', ')}]`;
  switch (value.kind) {
    case 'tuple':
      return `(${value.items.map(repr).join(', ')}${value.items.length === 1 ? ',' : ''})`;
    case 'dict':
      return `{${[...value.entries.values()].map(({ key, value: item }) => `${repr(key)}: ${repr(item)}`).join(', ')}}`;
    case 'opaque':
      return value.type === 'bytes' ? `b${stringRepr(value.text)}` : value.text;
  }
}

function stringRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = text.replace(/[\\'"]|[\p{C}\p{Z}]/gu, (char) => {
    if (char === '\\' || char === quote) return `\\${char}`;
    if (char === ' ' || char === "'" || char === '"') return char;
    const short = SHORT[char];
    if (short !== undefined) return short;
    const code = char.codePointAt(0)!.toString(16);
    if (code.length <= 2) return `\\x${code.padStart(2, '0')}`;
    return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`;
  });
  return `${quote}${body}${quote}`;
}

const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function floatRepr(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '1e309' : Number.isNaN(value) ? 'nan' : '-1e309';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) {
    const [digits, exponent] = value.toExponential().split('e') as [string, string];
    const sign = exponent[0]!;
    return `${digits}e${sign}${exponent.slice(1).padStart(2, '0')}`;
  }
  const text = Object.is(value, -0) ? '-0' : String(value);
  return text.includes('.') ? text : `${text}.0`;
}

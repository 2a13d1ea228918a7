/** Arithmetic over constants, as Python's `eval` works it out. Whatever else `eval` would do is refused. */
import { NotPython } from '../python.ts';
import type { Expression } from './expression.ts';
import { dictOf, isList, numberOf, type Value } from './values.ts';

export function evaluate(node: Expression): Value {
  switch (node.kind) {
    case 'constant':
      return node.value;
    case 'list':
      return node.items.map(evaluate);
    case 'tuple':
      return { kind: 'tuple', items: node.items.map(evaluate) };
    case 'dict':
      return dictOf(node.entries.map(({ key, value }) => [key === null ? refuse() : evaluate(key), evaluate(value)]));
    case 'unary':
      return unary(node.operator, evaluate(node.operand));
    case 'binary':
      return binary(node.operator, evaluate(node.left), evaluate(node.right));
    default:
      return refuse();
  }
}

export function negated(value: Value): Value {
  const size = numberOf(value);
  if (size !== undefined) return -size;
  if (
    value !== null &&
    typeof value === 'object' &&
    !isList(value) &&
    value.kind === 'opaque' &&
    value.type === 'complex'
  )
    return { ...value, text: `-${value.text}` };
  return refuse();
}

function unary(operator: string, value: Value): Value {
  const size = numberOf(value);
  if (operator === '-') return negated(value);
  if (operator === 'not' && size !== undefined) return Number(size) === 0;
  if (operator === '+' && size !== undefined) return size;
  return operator === '~' && typeof size === 'bigint' ? ~size : refuse();
}

function binary(operator: string, left: Value, right: Value): Value {
  const [a, b] = [numberOf(left), numberOf(right)];
  if (a === undefined || b === undefined) return sequences(operator, left, right);
  if (typeof left === 'boolean' && typeof right === 'boolean' && '&|^'.includes(operator))
    return integers(operator, a as bigint, b as bigint) !== 0n; // Booleans are 0n or 1n.
  return typeof a === 'bigint' && typeof b === 'bigint'
    ? integers(operator, a, b)
    : floats(operator, asFloat(a), asFloat(b));
}

/** Strings, lists and tuples are joined and repeated. */
function sequences(operator: string, left: Value, right: Value): Value {
  if (operator === '*') {
    const count = numberOf(right) ?? numberOf(left);
    const sequence = numberOf(right) === undefined ? right : left;
    if (typeof count !== 'bigint') return refuse();
    const times = count < 0n ? 0 : Number(count);
    if (typeof sequence === 'string') return withinReason(sequence.length * times) && sequence.repeat(times);
    const items = itemsOf(sequence) ?? refuse();
    const repeated = withinReason(items.length * times) && Array<readonly Value[]>(times).fill(items).flat();
    return isList(sequence) ? repeated : { kind: 'tuple', items: repeated };
  }
  if (operator !== '+') return refuse();
  if (typeof left === 'string' && typeof right === 'string') return left + right;
  const [first, second] = [itemsOf(left), itemsOf(right)];
  if (first === undefined || second === undefined || isList(left) !== isList(right)) return refuse();
  return isList(left) ? [...first, ...second] : { kind: 'tuple', items: [...first, ...second] };
}

function itemsOf(value: Value): readonly Value[] | undefined {
  if (isList(value)) return value;
  return value !== null && typeof value === 'object' && value.kind === 'tuple' ? value.items : undefined;
}

function integers(operator: string, a: bigint, b: bigint): Value {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return withinReason(bits(a) + bits(b)) && a * b;
    case '/':
      return b === 0n ? refuse() : quotient(a, b);
    case '//':
      return floorDivide(a, b);
    case '%':
      return a - floorDivide(a, b) * b;
    case '**':
      if (b < 0n) return floats('**', asFloat(a), asFloat(b));
      return withinReason(bits(a) * Number(b)) && a ** b;
    case '<<':
      return b < 0n ? refuse() : withinReason(bits(a) + Number(b)) && a << b;
    case '>>':
      return b < 0n ? refuse() : a >> b;
    case '&':
      return a & b;
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    default:
      return refuse();
  }
}

function floats(operator: string, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return b === 0 ? refuse() : a / b;
    case '//':
      return b === 0 ? refuse() : Math.floor((a - modulo(a, b)) / b + 0.5);
    case '%':
      return b === 0 ? refuse() : modulo(a, b);
    case '**':
      return power(a, b);
    default:
      return refuse();
  }
}

/** The remainder has the sign of the divisor. */
function modulo(a: number, b: number): number {
  const rest = a % b;
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
}

function power(a: number, b: number): number {
  if ((a === 0 && b < 0) || (a < 0 && !Number.isInteger(b))) return refuse();
  const result = a ** b;
  return Number.isFinite(result) || !Number.isFinite(a) || !Number.isFinite(b) ? result : refuse();
}

function floorDivide(a: bigint, b: bigint): bigint {
  if (b === 0n) return refuse();
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

/** Division of integers is right to the last bit where both are exact as floats. */
function quotient(a: bigint, b: bigint): number {
  return asFloat(a) / asFloat(b);
}

function asFloat(value: bigint | number): number {
  const float = Number(value);
  return typeof value === 'bigint' && !Number.isFinite(float) ? refuse() : float;
}

const bits = (value: bigint) => value.toString(16).length * 4;

/** A result that would fill the memory is refused, as a machine would refuse it in the end. */
function withinReason(size: number): true {
  return size <= 100_000 || refuse();
}

function refuse(): never {
  throw new NotPython('this is not worked out');
}

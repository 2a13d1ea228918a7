/**
 * Python literals as models and data sets write them, read by Python's own rules, and the tokens under them, which readers
 * of larger pieces of Python share.
 */
import type { Json } from '../core/types.ts';

/** What `ast.literal_eval` makes of the text; tuples become arrays. Undefined when it is no literal, or none that JSON holds. */
export function pythonLiteral(text: string): Json | undefined {
  try {
    const tokens = pythonTokens(text.replace(/^[ \t\n\r\f]+/, ''));
    const value = literal(tokens);
    if (!tokens.takeIf(',')) return tokens.end(value);
    // `1, 2` without parentheses is a tuple too.
    const items = [value];
    while (!tokens.atEnd()) {
      items.push(literal(tokens));
      if (!tokens.takeIf(',')) break;
    }
    return tokens.end(items);
  } catch (error) {
    if (error instanceof NotPython) return undefined;
    throw error;
  }
}

/** The text is not what Python would read here. No `Error`: models write much that cannot be read, and nobody reads the stacks. */
export class NotPython {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

function literal(tokens: Tokens): Json {
  const token = tokens.take();
  switch (token.kind) {
    case 'string': {
      let { value } = token;
      while (tokens.peek().kind === 'string') value += tokens.take().value;
      return value;
    }
    case 'number':
      return finite(token);
    case 'name':
      if (Object.hasOwn(CONSTANTS, token.value)) return CONSTANTS[token.value]!;
      break;
    case 'operator':
      if (token.value === '[') return items(tokens, ']');
      if (token.value === '(') return parenthesised(tokens);
      if (token.value === '{') return dict(tokens);
      if ((token.value === '-' || token.value === '+') && tokens.peek().kind === 'number') {
        const size = finite(tokens.take());
        return token.value === '-' ? -size : size;
      }
  }
  throw new NotPython(`no literal begins with ${token.value || 'nothing'}`);
}

const CONSTANTS: Record<string, Json> = { True: true, False: false, None: null };

function finite(token: Token): number {
  const value = Number(token.value);
  if (token.number === 'imaginary' || !Number.isFinite(value)) throw new NotPython(`${token.value} is not in JSON`);
  return value;
}

/** What is left of a list or tuple after its first bracket. */
function items(tokens: Tokens, close: string): Json[] {
  const values: Json[] = [];
  while (!tokens.takeIf(close)) {
    values.push(literal(tokens));
    if (!tokens.takeIf(',')) {
      tokens.expect(close);
      break;
    }
  }
  return values;
}

function parenthesised(tokens: Tokens): Json {
  if (tokens.takeIf(')')) return [];
  const first = literal(tokens);
  if (tokens.takeIf(')')) return first;
  tokens.expect(',');
  return [first, ...items(tokens, ')')];
}

function dict(tokens: Tokens): Json {
  const entries: [string, Json][] = [];
  while (!tokens.takeIf('}')) {
    const key = literal(tokens);
    if (typeof key !== 'string') throw new NotPython('JSON has no keys but strings');
    tokens.expect(':');
    entries.push([key, literal(tokens)]);
    if (!tokens.takeIf(',')) {
      tokens.expect('}');
      break;
    }
  }
  return Object.fromEntries(entries);
}

export interface Token {
  kind: 'name' | 'number' | 'string' | 'bytes' | 'formatted' | 'operator' | 'newline' | 'end';
  /** Names in NFKC, numbers without underscores, strings without quotes and escapes, operators as they are. */
  value: string;
  number?: 'int' | 'float' | 'imaginary';
}

/** One token after another, with one token of foresight. */
export interface Tokens {
  peek(): Token;
  take(): Token;
  /** Takes the operator or keyword if it is next. */
  takeIf(value: string): boolean;
  expect(value: string): void;
  atEnd(): boolean;
  /** The value, if nothing is left of the text but empty lines. */
  end<T>(value: T): T;
}

export function pythonTokens(source: string): Tokens {
  const text = source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source;
  if (text.includes('\0') || /\p{Surrogate}/u.test(text)) throw new NotPython('characters that no program holds');
  const brackets: string[] = [];
  let at = 0;
  let next: Token | undefined;

  const peek = () => {
    next ??= read();
    return next;
  };
  const take = () => {
    const token = peek();
    next = undefined;
    return token;
  };
  const takeIf = (value: string) => {
    const token = peek();
    if (token.value !== value || (token.kind !== 'operator' && token.kind !== 'name')) return false;
    next = undefined;
    return true;
  };

  function read(): Token {
    at = skipBlanks(text, at, brackets.length > 0);
    if (at >= text.length) {
      if (brackets.length > 0) throw new NotPython(`a ${brackets.at(-1)} is missing`);
      return { kind: 'end', value: '' };
    }
    const first = text[at]!;
    if (first === '\n') {
      at++;
      return { kind: 'newline', value: '' };
    }
    const token = readString() ?? readName() ?? readNumber() ?? readOperator();
    if (token === undefined) throw new NotPython(`${first} begins nothing in Python`);
    return token;
  }

  function readName(): Token | undefined {
    const stop = endOfName(text, at);
    if (stop === at) return undefined;
    const value = text.slice(at, stop).normalize('NFKC');
    at = stop;
    return { kind: 'name', value };
  }

  function readNumber(): Token | undefined {
    const { stop, number } = endOfNumber(text, at);
    if (stop === at) return undefined;
    const value = text.slice(at, stop).replaceAll('_', '');
    at = stop;
    if (endOfName(text, at) > at) throw new NotPython('a number that runs into a name');
    if (number === 'int' && value.length > MAX_DIGITS)
      throw new NotPython(`a number of more than ${MAX_DIGITS} digits`);
    if (number === 'int' && /^0+[1-9]/.test(value)) throw new NotPython(`${value} has leading zeros`);
    return { kind: 'number', value, number };
  }

  function readString(): Token | undefined {
    const opening = match(QUOTE, text, at);
    if (opening === undefined) return undefined;
    const prefix = opening.replace(/['"]+$/, '').toLowerCase();
    const quote = opening.slice(prefix.length);
    const start = at + opening.length;
    const stop = endOfString(text, start, quote);
    at = stop + quote.length;
    const body = text.slice(start, stop);
    if (prefix.includes('f')) return { kind: 'formatted', value: body };
    const bytes = prefix.includes('b');
    if (bytes && /[^\0-\x7f]/.test(body)) throw new NotPython('bytes outside ASCII');
    return { kind: bytes ? 'bytes' : 'string', value: prefix.includes('r') ? body : unescaped(body, bytes) };
  }

  function readOperator(): Token | undefined {
    const value = match(OPERATOR, text, at);
    if (value === undefined) return undefined;
    at += value.length;
    const closing = CLOSING[value];
    if (closing !== undefined) {
      if (brackets.push(closing) > MAX_BRACKETS)
        throw new NotPython(`more than ${MAX_BRACKETS} brackets in each other`);
    } else if (value === ')' || value === ']' || value === '}') {
      if (brackets.pop() !== value) throw new NotPython(`a ${value} that closes nothing`);
    }
    return { kind: 'operator', value };
  }

  return {
    peek,
    take,
    takeIf,
    expect(value) {
      if (!takeIf(value)) throw new NotPython(`expected ${value}, found ${peek().value || 'the end'}`);
    },
    atEnd: () => peek().kind === 'end' || peek().kind === 'newline',
    end(value) {
      while (peek().kind === 'newline') take();
      if (peek().kind !== 'end') throw new NotPython(`${peek().value} after the end`);
      return value;
    },
  };
}

/** As many as CPython reads, which bounds our own recursion as well. */
const MAX_BRACKETS = 200;
const MAX_DIGITS = 4300;

const QUOTE = /(?:[rR][bBfF]?|[bBfF][rR]?|[uU])?(?:'''|"""|'|")/y;
const OPERATOR = /\*\*|\/\/|<<|>>|<=|>=|==|!=|:=|->|\.\.\.|[-+*/%@&|^~<>()[\]{},:.=;!]/y;
const CLOSING: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** Where the name that begins here ends. Loops rather than patterns: a pattern runs out of stack on a long name. */
function endOfName(text: string, from: number): number {
  for (let at = from; ; ) {
    const code = text.charCodeAt(at);
    if (code < 128) {
      if (!isWordCode(code) || (at === from && code < 58)) return at;
      at++;
    } else {
      const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
      if (!(at === from ? /\p{XID_Start}/u : /\p{XID_Continue}/u).test(char)) return at;
      at += char.length;
    }
  }
}

/** ASCII digits, letters and the underscore. */
const isWordCode = (code: number) =>
  (code >= 48 && code < 58) || (code >= 65 && code < 91) || code === 95 || (code >= 97 && code < 123);

function endOfNumber(text: string, from: number): { stop: number; number: 'int' | 'float' | 'imaginary' } {
  const radix = text[from] === '0' ? RADIX[text[from + 1]?.toLowerCase() ?? ''] : undefined;
  if (radix !== undefined) {
    const start = text[from + 2] === '_' ? from + 3 : from + 2;
    const stop = endOfDigits(text, start, radix);
    if (stop > start) return { stop, number: 'int' };
  }
  let number: 'int' | 'float' | 'imaginary' = 'int';
  let stop = endOfDigits(text, from, DIGIT);
  if (text[stop] === '.' && (stop > from || DIGIT.test(text[stop + 1] ?? ''))) {
    stop = endOfDigits(text, stop + 1, DIGIT);
    number = 'float';
  }
  if (stop === from) return { stop, number };
  if (text[stop] === 'e' || text[stop] === 'E') {
    const start = text[stop + 1] === '+' || text[stop + 1] === '-' ? stop + 2 : stop + 1;
    const end = endOfDigits(text, start, DIGIT);
    if (end > start) {
      stop = end;
      number = 'float';
    }
  }
  return text[stop] === 'j' || text[stop] === 'J' ? { stop: stop + 1, number: 'imaginary' } : { stop, number };
}

const DIGIT = /[0-9]/;
const RADIX: Record<string, RegExp> = { x: /[0-9a-fA-F]/, o: /[0-7]/, b: /[01]/ };

/** Digits with single underscores between them. */
function endOfDigits(text: string, from: number, digit: RegExp): number {
  let at = from;
  while (
    at < text.length &&
    (digit.test(text[at]!) || (at > from && text[at] === '_' && digit.test(text[at + 1] ?? '')))
  )
    at++;
  return at;
}

/** Behind spaces, comments and continued lines; inside brackets behind line ends too. */
function skipBlanks(text: string, from: number, inBrackets: boolean): number {
  for (let at = from; ; ) {
    const char = text[at];
    if (char === ' ' || char === '\t' || char === '\f' || (char === '\n' && inBrackets)) at++;
    else if (char === '\\' && text[at + 1] === '\n') at += 2;
    else if (char === '#') at = (text.indexOf('\n', at) + 1 || text.length + 1) - 1;
    else return at;
  }
}

function endOfString(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === '\\') at++;
    else if (char === quote[0] && text.startsWith(quote, at)) return at;
    else if (char === '\n' && quote.length === 1) break;
  }
  throw new NotPython('a string without an end');
}

const SIMPLE: Record<string, string> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
/** How many hexadecimal digits follow. */
const HEX: Record<string, number> = { x: 2, u: 4, U: 8 };

function unescaped(body: string, bytes: boolean): string {
  let result = '';
  let done = 0;
  for (let at = body.indexOf('\\'); at >= 0; at = body.indexOf('\\', done)) {
    result += body.slice(done, at);
    const letter = body[at + 1]!;
    const digits = HEX[letter];
    const octal = match(/[0-7]{1,3}/y, body, at + 1);
    done = at + 2;
    if (Object.hasOwn(SIMPLE, letter)) result += SIMPLE[letter];
    else if (octal !== undefined) {
      result += String.fromCharCode(Number.parseInt(octal, 8));
      done = at + 1 + octal.length;
    } else if (digits !== undefined && (letter === 'x' || !bytes)) {
      const code = body.slice(done, done + digits);
      const point = Number.parseInt(code, 16);
      if (code.length < digits || /[^0-9a-fA-F]/.test(code) || point > 0x10ffff)
        throw new NotPython(`\\${letter}${code}`);
      result += String.fromCodePoint(point);
      done += digits;
    } else if (letter === 'N' && !bytes) throw new NotPython('characters by name are not read');
    else result += `\\${letter}`; // Python keeps an escape that it does not know.
  }
  return done === 0 ? body : result + body.slice(done);
}

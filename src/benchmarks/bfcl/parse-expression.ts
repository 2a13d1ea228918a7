/** Reads Python expressions as CPython's grammar has them, by recursive descent. */
import { NotPython, pythonTokens, type Token, type Tokens } from '../python.ts';
import type { Call, Clause, Entry, Expression, Keyword, Parameter } from './expression.ts';
import type { Value } from './values.ts';

/** The expression that the whole text is; throws NotPython. */
export function parseExpression(text: string): Expression {
  const tokens = pythonTokens(text);
  while (tokens.peek().kind === 'newline') tokens.take();
  return tokens.end(new Parser(tokens).expressions());
}

/** How long a chain of operators may be: each link is a level of the tree, and CPython gives up near here too. */
const MAX_CHAIN = 1000;

const BINARY: Record<string, number> = Object.assign(Object.create(null), {
  '|': 1,
  '^': 2,
  '&': 3,
  '<<': 4,
  '>>': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '//': 6,
  '%': 6,
  '@': 6,
});

const COMPARISONS = new Set(['<', '>', '==', '>=', '<=', '!=', 'in', 'is', 'not']);

const RESERVED = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

class Parser {
  private readonly tokens: Tokens;
  private depth = 0;

  constructor(tokens: Tokens) {
    this.tokens = tokens;
  }

  /** One expression, or a tuple without parentheses. */
  expressions(): Expression {
    const first = this.starredOr(() => this.expression());
    if (!this.at(',')) return first;
    const items = [first];
    while (this.tokens.takeIf(',') && !this.tokens.atEnd()) items.push(this.starredOr(() => this.expression()));
    return { kind: 'tuple', items };
  }

  private expression(): Expression {
    return this.nested(() => {
      if (this.at('lambda')) return this.lambda();
      const then = this.disjunction();
      if (!this.tokens.takeIf('if')) return then;
      const test = this.disjunction();
      this.tokens.expect('else');
      return { kind: 'conditional', then, test, otherwise: this.expression() };
    });
  }

  /** Where `name := value` may stand. */
  private named(): Expression {
    const { kind } = this.tokens.peek();
    const value = this.expression();
    if (kind !== 'name' || value.kind !== 'name' || !this.tokens.takeIf(':=')) return value;
    return { kind: 'named', name: value.name, value: this.expression() };
  }

  private starredOr(other: () => Expression): Expression {
    return this.tokens.takeIf('*') ? { kind: 'starred', value: this.binary(1) } : other();
  }

  private lambda(): Expression {
    this.tokens.expect('lambda');
    const parameters: Parameter[] = [];
    while (!this.tokens.takeIf(':')) {
      const stars = ['**', '*', '/'].find((mark) => this.tokens.takeIf(mark)) ?? '';
      const name = stars === '/' || (stars === '*' && this.at(',')) ? '' : this.identifier();
      const fallback = stars === '' && this.tokens.takeIf('=') ? this.expression() : undefined;
      parameters.push({ stars, name, fallback });
      if (!this.tokens.takeIf(',') && !this.at(':')) this.fail();
    }
    return { kind: 'lambda', parameters, body: this.expression() };
  }

  private disjunction(): Expression {
    return this.junction('or', () => this.junction('and', () => this.inversion()));
  }

  private junction(operator: string, operand: () => Expression): Expression {
    const first = operand();
    if (!this.at(operator)) return first;
    const operands = [first];
    while (this.tokens.takeIf(operator)) operands.push(operand());
    return { kind: 'boolean', operator, operands };
  }

  private inversion(): Expression {
    if (!this.tokens.takeIf('not')) return this.comparison();
    return this.nested(() => ({ kind: 'unary', operator: 'not', operand: this.inversion() }));
  }

  private comparison(): Expression {
    const first = this.binary(1);
    const rest: { operator: string; operand: Expression }[] = [];
    for (let operator = this.comparator(); operator; operator = this.comparator())
      rest.push({ operator, operand: this.binary(1) });
    return rest.length === 0 ? first : { kind: 'compare', first, rest };
  }

  private comparator(): string | undefined {
    const token = this.tokens.peek();
    if ((token.kind !== 'operator' && token.kind !== 'name') || !COMPARISONS.has(token.value)) return undefined;
    this.tokens.take();
    if (token.value === 'not') {
      this.tokens.expect('in');
      return 'not in';
    }
    return token.value === 'is' && this.tokens.takeIf('not') ? 'is not' : token.value;
  }

  /** Operators that bind at least this tightly, from the left. */
  private binary(least: number): Expression {
    let left = this.factor();
    for (let links = 0; ; links++) {
      const token = this.tokens.peek();
      const level = token.kind === 'operator' ? BINARY[token.value] : undefined;
      if (level === undefined || level < least) return left;
      if (links === MAX_CHAIN) this.fail();
      this.tokens.take();
      left = { kind: 'binary', operator: token.value, left, right: this.binary(level + 1) };
    }
  }

  private factor(): Expression {
    const token = this.tokens.peek();
    if (token.kind !== 'operator' || !'-+~'.includes(token.value)) return this.power();
    this.tokens.take();
    return this.nested(() => ({ kind: 'unary', operator: token.value, operand: this.factor() }));
  }

  private power(): Expression {
    const left: Expression = this.tokens.takeIf('await')
      ? { kind: 'prefixed', word: 'await', value: this.primary() }
      : this.primary();
    if (!this.tokens.takeIf('**')) return left;
    return this.nested(() => ({ kind: 'binary', operator: '**', left, right: this.factor() }));
  }

  private primary(): Expression {
    let of = this.atom();
    for (let links = 0; ; links++) {
      if (links === MAX_CHAIN) this.fail();
      if (this.tokens.takeIf('.')) of = { kind: 'attribute', of, name: this.identifier() };
      else if (this.tokens.takeIf('(')) of = this.call(of);
      else if (this.tokens.takeIf('[')) of = { kind: 'subscript', of, index: this.index() };
      else return of;
    }
  }

  private call(callee: Expression): Call {
    const positional: Expression[] = [];
    const keywords: Keyword[] = [];
    for (let first = true; !this.tokens.takeIf(')'); first = false) {
      this.argument(positional, keywords, first);
      if (!this.tokens.takeIf(',')) {
        this.tokens.expect(')');
        break;
      }
    }
    return { kind: 'call', callee, positional, keywords };
  }

  private argument(positional: Expression[], keywords: Keyword[], first: boolean): void {
    if (this.tokens.takeIf('**')) {
      keywords.push({ name: null, value: this.expression() });
      return;
    }
    if (this.tokens.takeIf('*')) {
      if (keywords.some(({ name }) => name === null)) this.fail();
      positional.push({ kind: 'starred', value: this.expression() });
      return;
    }
    const { kind } = this.tokens.peek();
    const value = this.named();
    if (kind === 'name' && value.kind === 'name' && this.tokens.takeIf('=')) {
      keywords.push({ name: value.name, value: this.expression() });
      return;
    }
    if (keywords.length > 0) this.fail();
    if (!this.atClause()) positional.push(value);
    else {
      const clauses = this.clauses(value);
      // A generator without parentheses of its own is the only argument.
      if (!first || !this.at(')')) this.fail();
      positional.push({ kind: 'comprehension', brackets: '()', item: value, clauses });
    }
  }

  private index(): Expression {
    const part = (): Expression =>
      this.tokens.takeIf('*') ? { kind: 'starred', value: this.expression() } : this.slice();
    const first = part();
    if (this.tokens.takeIf(']')) return first.kind === 'starred' ? { kind: 'tuple', items: [first] } : first;
    const items = [first];
    while (this.tokens.takeIf(',') && !this.at(']')) items.push(part());
    this.tokens.expect(']');
    return { kind: 'tuple', items };
  }

  private slice(): Expression {
    const bound = () => (this.at(':') || this.at(',') || this.at(']') ? undefined : this.expression());
    const lower = this.at(':') ? undefined : this.named();
    if (lower !== undefined && !this.at(':')) return lower;
    const parts = [lower];
    while (parts.length < 3 && this.tokens.takeIf(':')) parts.push(bound());
    return { kind: 'slice', parts };
  }

  private atom(): Expression {
    const token = this.tokens.take();
    switch (token.kind) {
      case 'number':
        return { kind: 'constant', value: numberIn(token) };
      case 'string':
      case 'formatted':
      case 'bytes':
        return this.string(token);
      case 'name':
        if (Object.hasOwn(CONSTANTS, token.value)) return { kind: 'constant', value: CONSTANTS[token.value]! };
        if (!RESERVED.has(token.value)) return { kind: 'name', name: token.value };
        break;
      case 'operator':
        if (token.value === '(') return this.parenthesised();
        if (token.value === '[') return this.list();
        if (token.value === '{') return this.braces();
        if (token.value === '...') return { kind: 'ellipsis' };
    }
    throw new NotPython(`no expression begins with ${token.value || 'nothing'}`);
  }

  /** Strings side by side are one string. */
  private string(first: Token): Expression {
    const parts = [first];
    while (STRINGS.has(this.tokens.peek().kind)) parts.push(this.tokens.take());
    const text = parts.map(({ value }) => value).join('');
    const bytes = parts.filter(({ kind }) => kind === 'bytes').length;
    if (bytes > 0 && bytes < parts.length) this.fail();
    if (bytes > 0) return { kind: 'constant', value: { kind: 'opaque', type: 'bytes', text } };
    if (parts.some(({ kind }) => kind === 'formatted')) return { kind: 'formatted', body: text };
    return { kind: 'constant', value: text };
  }

  private parenthesised(): Expression {
    if (this.tokens.takeIf(')')) return { kind: 'tuple', items: [] };
    const first = this.at('yield') ? this.yielding() : this.starredOr(() => this.named());
    if (this.atClause()) {
      const clauses = this.clauses(first);
      this.tokens.expect(')');
      return { kind: 'comprehension', brackets: '()', item: first, clauses };
    }
    if (this.tokens.takeIf(')')) return first.kind === 'starred' ? this.fail() : first;
    return { kind: 'tuple', items: this.rest(first, ')') };
  }

  private yielding(): Expression {
    this.tokens.expect('yield');
    if (this.tokens.takeIf('from')) return { kind: 'prefixed', word: 'yield from', value: this.expression() };
    return { kind: 'prefixed', word: 'yield', value: this.at(')') ? undefined : this.expressions() };
  }

  private list(): Expression {
    if (this.tokens.takeIf(']')) return { kind: 'list', items: [] };
    const first = this.starredOr(() => this.named());
    if (this.atClause()) {
      const clauses = this.clauses(first);
      this.tokens.expect(']');
      return { kind: 'comprehension', brackets: '[]', item: first, clauses };
    }
    return { kind: 'list', items: this.rest(first, ']') };
  }

  /** What follows the first item of a list, tuple or set, up to its bracket. */
  private rest(first: Expression, close: string): Expression[] {
    const items = [first];
    while (this.tokens.takeIf(',') && !this.at(close)) items.push(this.starredOr(() => this.named()));
    this.tokens.expect(close);
    return items;
  }

  private braces(): Expression {
    if (this.tokens.takeIf('}')) return { kind: 'dict', entries: [] };
    const first = this.at('**') ? this.entry() : this.starredOr(() => this.named());
    const item = 'key' in first ? first : this.at(':') ? this.entry(first) : first;
    if (this.atClause()) {
      const clauses = this.clauses(item);
      this.tokens.expect('}');
      return { kind: 'comprehension', brackets: '{}', item, clauses };
    }
    if (!('key' in item)) return { kind: 'set', items: this.rest(item, '}') };
    const entries = [item];
    while (this.tokens.takeIf(',') && !this.at('}')) entries.push(this.entry());
    this.tokens.expect('}');
    return { kind: 'dict', entries };
  }

  private entry(known?: Expression): Entry {
    if (this.tokens.takeIf('**')) return { key: null, value: this.binary(1) };
    const key = known ?? this.expression();
    if (key.kind === 'starred') this.fail();
    this.tokens.expect(':');
    return { key, value: this.expression() };
  }

  private atClause(): boolean {
    return this.at('for') || this.at('async');
  }

  /** What makes a comprehension of this item. */
  private clauses(item: Expression | Entry): Clause[] {
    if ('kind' in item ? item.kind === 'starred' : item.key === null) this.fail();
    const clauses: Clause[] = [];
    while (this.atClause()) {
      const asynchronous = this.tokens.takeIf('async');
      this.tokens.expect('for');
      const target = this.targets();
      this.tokens.expect('in');
      const source = this.disjunction();
      const conditions: Expression[] = [];
      while (this.tokens.takeIf('if')) conditions.push(this.disjunction());
      clauses.push({ asynchronous, target, source, conditions });
    }
    return clauses;
  }

  private targets(): Expression {
    const first = this.starredOr(() => this.primary());
    if (!this.at(',')) return first;
    const items = [first];
    while (this.tokens.takeIf(',') && !this.at('in')) items.push(this.starredOr(() => this.primary()));
    return { kind: 'tuple', items };
  }

  private identifier(): string {
    const { kind, value } = this.tokens.take();
    if (kind !== 'name' || RESERVED.has(value)) throw new NotPython(`${value || 'the end'} is no name`);
    return value;
  }

  private at(value: string): boolean {
    const token = this.tokens.peek();
    return token.value === value && (token.kind === 'operator' || token.kind === 'name');
  }

  private nested<T>(read: () => T): T {
    if (++this.depth > MAX_CHAIN) this.fail();
    const result = read();
    this.depth--;
    return result;
  }

  private fail(): never {
    throw new NotPython(`${this.tokens.peek().value || 'the end'} comes too early`);
  }
}

const CONSTANTS: Record<string, Value> = { True: true, False: false, None: null };
const STRINGS = new Set(['string', 'bytes', 'formatted']);

function numberIn({ value, number }: Token): Value {
  if (number === 'imaginary') return { kind: 'opaque', type: 'complex', text: value };
  return number === 'float' ? Number(value) : BigInt(value);
}

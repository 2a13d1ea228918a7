/** Python expressions as a tree: all that `ast.parse` reads in `eval` mode, because a model may write any of it. */
import type { Value } from './values.ts';

export type Expression =
  | { kind: 'constant'; value: Value }
  | { kind: 'ellipsis' }
  | { kind: 'formatted'; body: string }
  | { kind: 'name'; name: string }
  | { kind: 'attribute'; of: Expression; name: string }
  | { kind: 'subscript'; of: Expression; index: Expression }
  | { kind: 'slice'; parts: (Expression | undefined)[] }
  | { kind: 'call'; callee: Expression; positional: Expression[]; keywords: Keyword[] }
  | { kind: 'list' | 'tuple' | 'set'; items: Expression[] }
  | { kind: 'dict'; entries: Entry[] }
  | { kind: 'unary'; operator: string; operand: Expression }
  | { kind: 'binary'; operator: string; left: Expression; right: Expression }
  | { kind: 'boolean'; operator: string; operands: Expression[] }
  | { kind: 'compare'; first: Expression; rest: { operator: string; operand: Expression }[] }
  | { kind: 'conditional'; then: Expression; test: Expression; otherwise: Expression }
  | { kind: 'lambda'; parameters: Parameter[]; body: Expression }
  | { kind: 'starred'; value: Expression }
  | { kind: 'named'; name: string; value: Expression }
  | { kind: 'prefixed'; word: 'await' | 'yield' | 'yield from'; value: Expression | undefined }
  | { kind: 'comprehension'; brackets: '()' | '[]' | '{}'; item: Expression | Entry; clauses: Clause[] };

export type Call = Extract<Expression, { kind: 'call' }>;

export interface Keyword {
  /** Null for `**values`. */
  name: string | null;
  value: Expression;
}

export interface Entry {
  /** Null for `**values`. */
  key: Expression | null;
  value: Expression;
}

export interface Parameter {
  /** `*`, `**` or nothing; a lone `*` or `/` has no name. */
  stars: string;
  name: string;
  fallback: Expression | undefined;
}

export interface Clause {
  asynchronous: boolean;
  target: Expression;
  source: Expression;
  conditions: Expression[];
}

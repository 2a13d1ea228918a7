/** The nodes of a parsed template, as far as they are read and made here. */

export interface Node {
  type: string;
  [field: string]: unknown;
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

export const identifier = (value: string): Node => ({ type: 'Identifier', value });

export const literal = (value: string): Node => ({ type: 'StringLiteral', value });

/** Typed values travel inside a list: the engine strips the type from what it hands over bare. */
export const call = (name: string, typed: Node[], rest: Node[] = []): Node => ({
  type: 'CallExpression',
  callee: identifier(name),
  args: [{ type: 'ArrayLiteral', value: typed }, ...rest],
});

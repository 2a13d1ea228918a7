/**
 * Loops as Jinja runs them: what an iteration sets is gone in the next, and what it wrote before `continue` or `break`
 * stays written. The template engine does neither, so loops are rewritten into ones that need neither.
 */
import { identifier, type Node } from './template-nodes.ts';

const BODY = '__body';
const STOP = '__stop';
/** Statements of one rewritten loop: branches that go on after a conditional `continue` are written out twice. */
const MOST_STATEMENTS = 20_000;

/** What stands in the place of a loop. */
export function rewrittenLoop(loop: Node): Node[] {
  const body = loop.body as Node[];
  const breaks = holds(body, ['Break']);
  const straight = breaks || holds(body, ['Continue']) ? straightened(body, { left: MOST_STATEMENTS }) : body;
  // What a macro sets is forgotten when it ends; it sees the variables of where it is called.
  const scoped = holds(straight, ['Set']);
  const macro = { type: 'Macro', name: identifier(BODY), args: [], body: straight };
  const turn = scoped ? [called(BODY)] : straight;
  const unlessStopped = { type: 'If', test: stopped(), body: [], alternate: turn };
  const fresh = { type: 'Set', assignee: identifier(STOP), value: called('namespace'), body: [] };
  return [...(scoped ? [macro] : []), ...(breaks ? [fresh] : []), { ...loop, body: breaks ? [unlessStopped] : turn }];
}

const called = (name: string): Node => ({ type: 'CallExpression', callee: identifier(name), args: [] });

const stopped = (): Node => ({
  type: 'MemberExpression',
  object: identifier(STOP),
  property: identifier('hit'),
  computed: false,
});

const branches = (node: Node): Node[] => [...(node.body as Node[]), ...(node.alternate as Node[])];

/** Whether any of these statements belongs to this block: those inside an inner loop or macro do not. */
const holds = (block: readonly Node[], types: readonly string[]): boolean =>
  block.some((node) => types.includes(node.type) || (node.type === 'If' && holds(branches(node), types)));

/** The same block without jumps: what would have been jumped over moves into the branches that do not jump. */
function straightened(block: readonly Node[], budget: { left: number }): Node[] {
  const out: Node[] = [];
  for (const [i, node] of block.entries()) {
    if (budget.left-- <= 0) throw new RangeError('a loop has too many branches');
    if (node.type === 'Continue') return out;
    if (node.type === 'Break') {
      out.push({ type: 'Set', assignee: stopped(), value: identifier('true'), body: [] });
      return out;
    }
    if (node.type === 'If' && holds(branches(node), ['Break', 'Continue'])) {
      const rest = block.slice(i + 1);
      const body = straightened([...(node.body as Node[]), ...rest], budget);
      const alternate = straightened([...(node.alternate as Node[]), ...rest], budget);
      out.push({ ...node, body, alternate });
      return out;
    }
    out.push(node);
  }
  return out;
}

/** Reverse-mode differentiation: one walk backwards over the nodes, adding up what flows into each value. */
import type { Value } from './graph.ts';
import { add } from './ops/arithmetic.ts';
import { ShapeError, sameShape, showShape } from './shape.ts';

/**
 * The vector-Jacobian product: given d loss / d value for some values, d loss / d x for each x asked for. Null where
 * nothing flows. The backward nodes join the same graph.
 */
export function gradients(seeds: readonly { of: Value; is: Value }[], wanted: readonly Value[]): (Value | null)[] {
  const [first] = seeds;
  if (!first) throw new Error('gradients: nothing to differentiate');
  const graph = first.of.graph;
  const flowing = new Map<string, Value>();
  const accumulate = (target: Value, gradient: Value) => {
    if (!sameShape(target.shape, gradient.shape)) {
      throw new ShapeError(
        `gradient of ${target.name} ${showShape(target.shape)} has shape ${showShape(gradient.shape)}`,
      );
    }
    const before = flowing.get(target.name);
    flowing.set(target.name, before ? add(before, gradient) : gradient);
  };
  for (const seed of seeds) accumulate(seed.of, seed.is);

  const active = dependents(graph.nodes, wanted);
  for (const node of graph.nodes.toReversed()) {
    if (!node.outputs.some((output) => flowing.has(output.name) && active.has(output.name))) continue;
    // What is asked for is a leaf: its own inputs need no gradient on its account.
    if (!node.inputs.some((input) => active.has(input.name))) continue;
    if (!node.gradient) throw new Error(`gradients: ${node.op} has no gradient rule`);
    const parts = node.gradient(node.outputs.map((output) => flowing.get(output.name) ?? null));
    for (const [index, input] of node.inputs.entries()) {
      const part = parts[index];
      if (part && active.has(input.name)) accumulate(input, part);
    }
  }
  return wanted.map((value) => flowing.get(value.name) ?? null);
}

/** The values that depend on any of the given ones, those included. */
function dependents(nodes: Value['graph']['nodes'], roots: readonly Value[]): Set<string> {
  const names = new Set(roots.map((value) => value.name));
  for (const node of nodes) {
    if (node.inputs.some((input) => names.has(input.name))) for (const output of node.outputs) names.add(output.name);
  }
  return names;
}

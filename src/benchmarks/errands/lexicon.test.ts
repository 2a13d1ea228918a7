import { describe, expect, it } from 'vitest';
import { createRng } from '../../core/rng.ts';
import type { JsonObject, ToolCall } from '../../core/types.ts';
import { interpret } from './interpret.ts';
import { NAMES, TOOL_SPECS, VALUES, VERBS } from './lexicon.ts';
import { pick, randomRequest } from './random.ts';
import { WORLDS } from './world.ts';

/** As much of JSON Schema as the tools use; a keyword that it does not know is a problem too. */
function problemWith({ name, args }: ToolCall): string | undefined {
  const spec = TOOL_SPECS.find((tool) => tool.name === name);
  if (!spec) return `no tool ${name}`;
  const { type, properties, required, additionalProperties, ...rest } = spec.parameters;
  if (type !== 'object' || additionalProperties !== false || Object.keys(rest).length > 0) return 'an odd schema';
  for (const arg of required as string[]) if (!Object.hasOwn(args, arg)) return `${name} without ${arg}`;
  for (const [arg, value] of Object.entries(args)) {
    const schema = (properties as Record<string, JsonObject>)[arg];
    if (!schema) return `${name} has no ${arg}`;
    for (const [keyword, limit] of Object.entries(schema)) {
      const holds: Record<string, () => boolean> = {
        type: () => (limit === 'integer' ? Number.isInteger(value) : typeof value === limit),
        enum: () => (limit as unknown[]).includes(value),
        minimum: () => (value as number) >= (limit as number),
        maximum: () => (value as number) <= (limit as number),
      };
      if (!holds[keyword]?.()) return `${arg} of ${name}: ${value} is against ${keyword} ${limit}`;
    }
  }
  return undefined;
}

describe('the tools', () => {
  it('take every call that 5,000 requests ask for', () => {
    const rng = createRng('schemas');
    const called = new Set<string>();
    const problems = new Set<string>();
    for (let i = 0; i < 5000; i++) {
      const plan = interpret(randomRequest(2 + rng.int(5), rng.int(6), rng), pick(WORLDS, rng));
      if ('problem' in plan) throw new Error(plan.problem);
      for (const call of plan.calls) {
        called.add(call.name);
        problems.add(problemWith(call) ?? '');
      }
    }
    expect([...problems]).toEqual(['']);
    expect([...called].sort()).toEqual(VERBS.toSorted());
  });

  it.each([
    { name: 'fly', args: {} },
    { name: 'cook', args: {} },
    { name: 'cook', args: { dish: 'stones' } },
    { name: 'cook', args: { dish: 'soup', salt: true } },
    { name: 'book', args: { place: 'Lima', people: 'two' } },
    { name: 'book', args: { place: 'Lima', people: 7 } },
  ])('do not take %j', (call) => {
    expect(problemWith(call)).toBeDefined();
  });
});

describe('the words', () => {
  it('have one type each, whatever their capitals', () => {
    const words = [...Object.values(VALUES).flat(), ...NAMES].map((word) => word.toLowerCase());
    expect(new Set(words).size).toBe(words.length);
  });
});

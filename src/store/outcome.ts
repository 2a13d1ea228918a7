/** A group without its text (Eq. 2's k and n), computed once when it is written. */
import type { Group, Outcome, Trace } from '../core/types.ts';

export function outcomeOf(group: Group): Outcome {
  const { task, role, traces } = group;
  const valid = traces.filter((trace) => trace.valid);
  return {
    taskId: task.id,
    seedId: task.seedId,
    rootId: task.rootId,
    role,
    structure: task.structure,
    successes: valid.filter((trace) => trace.success).length,
    attempts: valid.length,
    invalid: traces.length - valid.length,
    meanReward: mean(valid.map((trace) => trace.reward)),
    varied: valid.some((trace) => trace.reward !== valid[0]?.reward),
    responseTokens: mean(traces.map(tokensOf)),
    promptTokens: traces.find((trace) => trace.turns.length > 0)?.turns[0]?.prompt.length ?? 0,
  };
}

/** Tokens the policy wrote over all turns of a trace. */
export function tokensOf(trace: Trace): number {
  return trace.turns.reduce((sum, turn) => sum + turn.tokens.length, 0);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

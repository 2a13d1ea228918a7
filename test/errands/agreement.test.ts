import { describe, expect, it } from 'vitest';
import { interpret } from '../../src/benchmarks/errands/interpret.ts';
import { NAMES } from '../../src/benchmarks/errands/lexicon.ts';
import { pick, randomRequest } from '../../src/benchmarks/errands/random.ts';
import { read } from '../../src/benchmarks/errands/read.ts';
import { SKILLS, skillsOf } from '../../src/benchmarks/errands/request.ts';
import { write } from '../../src/benchmarks/errands/write.ts';
import { createRng } from '../../src/core/rng.ts';
import { secondInterpretation } from './second-interpreter.ts';

const REQUESTS = 100_000;

describe('two interpreters, written apart', () => {
  // A wrong target is label noise that no training run would show, so this is worth about fifteen seconds.
  it(`agree about every call of ${REQUESTS.toLocaleString('en')} requests, whatever the world answers`, () => {
    const rng = createRng('two interpreters');
    const wrong: string[] = [];
    const skillsTogether = new Set<string>();
    const clausesSeen = new Set<number>();
    for (let i = 0; i < REQUESTS && wrong.length < 5; i++) {
      const clauses = 1 + rng.int(6);
      // Six skills hardly fit in one clause: drawing them is slow, so it is done less often.
      const skills = clauses === 1 ? Math.min(rng.int(7), rng.int(7), rng.int(7)) : rng.int(7);
      const request = randomRequest(clauses, skills, rng);
      const text = write(request);
      const parsed = read(text);
      if ('problem' in parsed) {
        wrong.push(`${text}: ${parsed.problem}`);
        continue;
      }
      const found = pick(NAMES, rng);
      for (const door of ['open', 'shut'] as const) {
        const plan = interpret(parsed, { found, door });
        const calls = JSON.stringify('problem' in plan ? plan : plan.calls);
        const second = JSON.stringify(attempt(() => secondInterpretation(text, { found, door })));
        if (calls !== second) wrong.push(`${text} (${door}, ${found}):\n${calls}\n${second}`);
      }
      const needed = [...new Set(skillsOf(request))].sort();
      for (const a of needed) for (const b of needed) skillsTogether.add(`${a} ${b}`);
      clausesSeen.add(request.clauses.length);
    }
    expect(wrong).toEqual([]);
    expect([...clausesSeen].sort()).toEqual([1, 2, 3, 4, 5, 6]);
    const never = SKILLS.flatMap((a) => SKILLS.map((b) => `${a} ${b}`)).filter((pair) => !skillsTogether.has(pair));
    // What is found out cannot be found out twice; a `find` that no condition lets happen can be among it all.
    expect(never).toEqual(['all check', 'check all']);
  });
});

function attempt<T>(work: () => T): T | string {
  try {
    return work();
  } catch (error) {
    return String(error);
  }
}

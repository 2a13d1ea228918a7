/**
 * Both players of the toy world as scripts. The agent's skill is one logit per kind of clause: the reliability of each
 * single step, so a task of S steps succeeds with about σ^S. The environment's taste is one row of logits over levels per
 * kind of clause, and it starts out far too demanding.
 */
import type { Script } from '../../core/script.ts';
import { ASKED_RATES, askedRate } from '../../core/standing.ts';
import type { Message, Player } from '../../core/types.ts';
import { requestOf, toyDraft } from './index.ts';
import { type Clause, MAX_LEVEL, parseRequest, SKILLS, writeClause, writeRequest } from './language.ts';

/** Each step is right about 88 times in 100 at the start. */
const INITIAL_SKILL = 2;
/** Levels are favoured exponentially: most first tasks are long, and the agent solves about one in seven. */
const INITIAL_TASTE = 0.25;
/** One generation in fifty is garbage at the start, as with a real model. */
const WELL_FORMED = 4;

const agent: Script = {
  rows: Object.fromEntries(SKILLS.map((skill) => [skill, [0, INITIAL_SKILL]])),
  decisions: (messages) => clausesOf(messages).flatMap(({ skill, level }) => Array<string>(level).fill(skill)),
  /** A call is made of the steps that went right; the wrong ones are left out of it. */
  text(messages, choices) {
    let at = 0;
    const calls = clausesOf(messages).map(({ call, level }) => {
      const first = at;
      at += level;
      return call((step) => choices[first + step] === 1);
    });
    return JSON.stringify(calls);
  },
};

const levelRow = (asked: number, skill: string) => `${skill}@${asked}`;

const environment: Script = {
  rows: {
    wellFormed: [0, WELL_FORMED],
    ...Object.fromEntries(
      ASKED_RATES.flatMap((asked) =>
        SKILLS.map((skill) => [
          levelRow(asked, skill),
          Array.from({ length: MAX_LEVEL + 1 }, (_, level) => INITIAL_TASTE * level),
        ]),
      ),
    ),
  },
  decisions(messages) {
    const asked = askedRate(messages);
    return ['wellFormed', ...SKILLS.map((skill) => levelRow(asked, skill))];
  },
  text(_, [wellFormed, ...levels], rng) {
    const clauses = SKILLS.flatMap((skill, i) => (levels[i]! > 0 ? [writeClause(skill, levels[i]!, rng)] : []));
    const { prompt, tools, eval: spec } = toyDraft(writeRequest(clauses));
    const text = JSON.stringify({ prompt, tools, eval: spec });
    return wellFormed === 1 ? text : text.slice(0, rng.int(text.length));
  },
};

/** What the last request asks for; remembered per conversation, because all samples of a prompt ask it again. */
const read = new WeakMap<readonly Message[], Clause[]>();
function clausesOf(messages: readonly Message[]): Clause[] {
  const known = read.get(messages) ?? parseRequest(requestOf(messages)) ?? [];
  read.set(messages, known);
  return known;
}

export const TOY_SCRIPTS: Record<Player, Script> = { agent, environment };

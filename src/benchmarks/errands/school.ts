/** What models that know nothing are shown: easy errands with their calls, and seeds with a variation. */
import type { Demonstration } from '../../core/benchmark.ts';
import { type Rng, weightedIndex } from '../../core/rng.ts';
import type { Message, Player, ToolCall } from '../../core/types.ts';
import { interpret } from './interpret.ts';
import { DOORS, NAMES, VALUES } from './lexicon.ts';
import { isSound, randomRequest, vary } from './random.ts';
import { type Request, SKILLS, type Skill } from './request.ts';
import { writeCalls } from './shorthand.ts';
import { hasHeldOutPair, isHeldOutText } from './splits.ts';
import { isQuestion, observe, worldOf } from './world.ts';
import { write } from './write.ts';

/** How often the agent is shown one clause, two, three …: long ones are known but not mastered, so difficulty is graded. */
const AGENT_CLAUSES = [0.25, 0.3, 0.2, 0.15, 0.1];
/** How often a variation differs in no way but its values, in one, in two. */
const EDITS = [0.4, 0.4, 0.2];
/** A simulator that knows nothing of the agent makes tasks harder as often as simpler. */
const HARDER = 0.5;
const SEED_CLAUSES = [0.25, 0.3, 0.2, 0.15, 0.1];

/** What takes longer to learn is shown more often. */
const MENU: readonly Skill[] = [...SKILLS, 'each', 'each', 'each', 'each', 'times'];

export function demonstrations(player: Player, count: number, rng: Rng, progress: number): Demonstration[] {
  const hurried = progress >= CAREFUL_SHARE;
  const show = player === 'agent' ? () => showErrand(rng, hurried) : () => showVariation(rng);
  return Array.from({ length: count }, show);
}

/**
 * The agent learns from careful people first, and from people in a hurry at the end: it can do what is asked, and has
 * picked up the habit of not doing all of it. Taught by the hurried alone it would never learn the rest.
 */
const CAREFUL_SHARE = 0.85;

function showErrand(rng: Rng, hurried: boolean): Demonstration {
  for (;;) {
    const clauses = 1 + weightedIndex(AGENT_CLAUSES, rng);
    const request = randomRequest(clauses, rng.int(Math.min(clauses, 3) + 1), rng, MENU);
    if (!hasHeldOutPair(request) && !isHeldOutText(write(request)))
      return demonstrate(request, rng, hurried ? careless(request, rng) : request);
  }
}

/** How often somebody in a hurry overlooks a skill, in requests of one clause, two, three …: the more there is to do, the more. */
const CARELESS = [0.2, 0.3, 0.55, 0.65, 0.75];

/**
 * The request as somebody in a hurry reads it: a correction missed, an order not reversed, a list cut to its first. Models
 * that imitate such people know what to do and do it some of the time; reward tells them when.
 */
function careless(request: Request, rng: Rng): Request {
  const overlooked = CARELESS[Math.min(request.clauses.length, CARELESS.length) - 1]!;
  const slip = () => rng.next() < overlooked;
  const hurried: Request = {
    ...request,
    all: slip() ? 1 : request.all,
    clauses: request.clauses.map((clause) => ({
      place: slip() ? 'then' : clause.place,
      ...(slip()
        ? { condition: null, otherwise: null }
        : { condition: clause.condition, otherwise: slip() ? null : clause.otherwise }),
      correction: slip() ? null : clause.correction,
      action: {
        verb: clause.action.verb,
        times: slip() ? 1 : clause.action.times,
        fillers: clause.action.fillers.map((filler) =>
          filler.kind === 'each' && slip() ? { kind: 'value', word: filler.words[0]! } : filler,
        ),
      },
    })),
  };
  return isSound(hurried) ? hurried : request;
}

/** One turn of carrying out a request: with questions in it there are several, and one of them is shown. */
export function demonstrate(request: Request, rng: Rng, asRead: Request = request): Demonstration {
  const text = write(request);
  const world = worldOf(text);
  const plan = interpret(asRead, world);
  if ('problem' in plan) throw new Error(`a demonstration of "${text}": ${plan.problem}`);
  const turns = turnsOf(plan.calls);
  const shown = rng.int(turns.length);
  const messages: Message[] = [{ role: 'user', content: text }];
  for (const calls of turns.slice(0, shown)) {
    messages.push({ role: 'assistant', content: writeCalls(calls) });
    for (const call of calls) messages.push({ role: 'tool', content: observe(call, world) });
  }
  return { messages, text: writeCalls(turns[shown]!) };
}

/** A turn ends with a question. */
function turnsOf(calls: readonly ToolCall[]): ToolCall[][] {
  const turns: ToolCall[][] = [[]];
  for (const call of calls) {
    turns.at(-1)!.push(call);
    if (isQuestion(call) && call !== calls.at(-1)) turns.push([]);
  }
  return turns;
}

function showVariation(rng: Rng): Demonstration {
  const clauses = 1 + weightedIndex(SEED_CLAUSES, rng);
  const seed = randomRequest(clauses, rng.int(clauses + 1), rng);
  const was = ['new', ...RATES][rng.int(RATES.length + 1)]!;
  return {
    messages: contextOf(write(seed), was, rng.int(5) / 4),
    text: write(vary(seed, weightedIndex(EDITS, rng), HARDER, rng)),
  };
}

/** What the simulator is shown, in words of the world's small vocabulary. */
export const contextOf = (seed: string, was: string, aim: number): Message[] => [
  { role: 'user', content: `was ${was} aim ${rateInWords(aim)}: ${seed}` },
];

const RATES = ['none', 'few', 'half', 'most', 'all'];
export const rateInWords = (rate: number): string => RATES[Math.min(4, Math.max(0, Math.round(4 * rate)))]!;

/** Every word there is; signs also right after a word. */
export function corpus(): string[] {
  const words = [
    ...Object.values(VALUES).flat(),
    ...NAMES,
    ...DOORS,
    ...RATES,
    ...'text remind book buy light play cook water wash feed find check the on for in there each of and them as many it a door'.split(
      ' ',
    ),
    ...'then but first before that if rains is dry no make otherwise all twice three four times'.split(' '),
    ...'was aim new ok , . ; :'.split(' '),
  ];
  return [...new Set(words)].map((word) => `${word} ${word}`).concat('a, a. a: a');
}

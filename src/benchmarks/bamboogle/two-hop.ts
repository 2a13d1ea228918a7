/** A two-hop question with the two passages it is answered from, and whether it can be: nothing enters a pool on trust. */
import type { Passage } from './bm25.ts';
import { hasRun, normalise, wordsOf } from './normalise.ts';

export interface TwoHop {
  question: string;
  /** The first is about what the question names, the second about the bridge. */
  evidence: [Passage, Passage];
  /** What the first passage leads to and the question does not name. */
  bridge: string;
  answer: string;
}

const LIMITS = {
  question: [15, 300],
  title: [2, 100],
  text: [20, 1200],
  bridge: [2, 80],
  answer: [1, 80],
} as const;

/** Why the question cannot be answered from its evidence, or not by two hops; undefined when it can. */
export function problemWith(task: TwoHop): string | undefined {
  return problemWithForm(task) ?? problemWithHops(task);
}

function problemWithForm({ question, evidence, bridge, answer }: TwoHop): string | undefined {
  const texts: [string, keyof typeof LIMITS, string][] = [
    ['the question', 'question', question],
    ...evidence.flatMap(({ title, text }, i): [string, keyof typeof LIMITS, string][] => [
      [`the title of passage ${i + 1}`, 'title', title],
      [`the text of passage ${i + 1}`, 'text', text],
    ]),
    ['the bridge', 'bridge', bridge],
    ['the answer', 'answer', answer],
  ];
  for (const [name, limit, text] of texts) {
    const [least, most] = LIMITS[limit];
    const { length } = text.trim();
    if (length < least) return `${name} is shorter than ${least} characters`;
    if (length > most) return `${name} is longer than ${most} characters`;
    if (normalise(text) === '') return `${name} has no words`;
    if (/<\/?(?:user|obs|think|tool_call|response)>/i.test(text)) return `${name} holds a tag of the dialogue`;
  }
  if (/[\r\n]/.test(question.trim())) return 'the question has more than one line';
  if (!question.trim().endsWith('?')) return 'the question does not end with a question mark';
  return undefined;
}

function problemWithHops(task: TwoHop): string | undefined {
  const question = normalise(task.question);
  const bridge = normalise(task.bridge);
  const answer = normalise(task.answer);
  const [first, second] = task.evidence.map(({ title, text }) => ({
    entity: entityOf(title),
    text: normalise(text),
    all: normalise(`${title} ${text}`),
  })) as [Side, Side];
  const rules: [boolean, string][] = [
    [first.entity === second.entity, 'both passages have the same title'],
    [first.text === second.text, 'both passages have the same text'],
    [answer === 'yes' || answer === 'no', 'a yes-or-no answer can be guessed'],
    [!hasRun(question, first.entity), `the question does not name the subject of passage 1, ${first.entity}`],
    [hasRun(question, bridge), `the question names the bridge, ${bridge}`],
    [hasRun(question, second.entity), `the question names the subject of passage 2, ${second.entity}`],
    [leaksName(question, task.bridge, first.entity), `the question names a part of the bridge, ${bridge}`],
    [hasRun(question, answer), `the question holds the answer, ${answer}`],
    [overlaps(bridge, answer), `the bridge, ${bridge}, and the answer, ${answer}, are one within the other`],
    [overlaps(bridge, first.entity), `the bridge, ${bridge}, is the subject of passage 1`],
    [!hasRun(first.text, bridge), `passage 1 does not name the bridge, ${bridge}`],
    [!hasRun(second.all, bridge), `passage 2 does not name the bridge, ${bridge}`],
    [hasRun(first.all, answer), `passage 1 alone holds the answer, ${answer}`],
    [!hasRun(second.text, answer), `passage 2 does not hold the answer, ${answer}`],
    [hasRun(second.all, first.entity), `passage 2 names ${first.entity}, so that one hop is enough`],
  ];
  return rules.find(([broken]) => broken)?.[1];
}

interface Side {
  /** What the passage is about, normalised. */
  entity: string;
  text: string;
  all: string;
}

/** `Mercury (planet)` is about Mercury. */
export function entityOf(title: string): string {
  const at = title.indexOf('(');
  return normalise(at > 0 ? title.slice(0, at) : title);
}

const overlaps = (a: string, b: string): boolean => hasRun(a, b) || hasRun(b, a);

/** One word of a proper name is a clue already, unless it is a word of the subject's name as well. */
function leaksName(question: string, bridge: string, subject: string): boolean {
  const said = new Set(wordsOf(question));
  for (const word of wordsOf(subject)) said.delete(word);
  const names = bridge.trim().split(/\s+/);
  return names.every((name) => /^\p{Lu}/u.test(name)) && names.some((name) => said.has(normalise(name)));
}

/**
 * Both players as scripts. The agent has a skill for each step: to search at all, to follow the bridge, and for each kind of
 * answer to tell it from every rival value. The environment's taste is how many rivals it writes, and it starts out too fond
 * of them.
 */
import type { Script } from '../../core/script.ts';
import type { Message, Player } from '../../core/types.ts';
import { invent, PLOTS } from './fiction.ts';
import { pick } from './names.ts';
import { type AnswerKind, FIRST, type First, MAX_RIVALS, RIVALS, SECOND, type Second, unfill } from './relations.ts';

const KINDS: readonly AnswerKind[] = ['year', 'date', 'number', 'person', 'town', 'river'];
/** The rates an environment can be asked for; hindsight trains a row for each. */
const ASKED = [0, 25, 50, 75, 100];

const focusOn = (kind: AnswerKind) => `focus on ${kind}`;
const rivalsFor = (asked: number) => `rivals@${asked}`;

const agent: Script = {
  rows: {
    search: [0, 2],
    follow: [0, 2],
    ...Object.fromEntries(KINDS.map((kind, i) => [focusOn(kind), [0, 0.5 + 0.25 * i]])),
  },
  decisions(messages) {
    const { plot, bridge, found } = stateOf(messages);
    if (!plot || !bridge) return ['search'];
    if (!found) return ['follow'];
    return Array<string>(1 + found.rivals).fill(focusOn(plot.second.answer));
  },
  text(messages, choices) {
    const { plot, bridge, found } = stateOf(messages);
    const isRight = choices.every((choice) => choice === 1);
    if (!plot) return respond('unknown');
    if (!bridge) return isRight ? call(plot.subject) : respond('unknown');
    // The classical mistake is to stop at the bridge.
    if (!found) return isRight ? call(bridge) : respond(bridge);
    return respond(isRight ? found.answer : found.wrong);
  },
};

const environment: Script = {
  rows: {
    wellFormed: [0, 4],
    ...Object.fromEntries(
      ASKED.map((asked) => [rivalsFor(asked), Array.from({ length: MAX_RIVALS + 1 }, (_, rivals) => 0.4 * rivals)]),
    ),
  },
  decisions: (messages) => ['wellFormed', rivalsFor(askedRate(messages))],
  text(_, [wellFormed, rivals], rng) {
    const text = JSON.stringify(invent(pick(PLOTS, rng), rivals!, rng));
    return wellFormed === 1 ? text : text.slice(0, rng.int(text.length));
  },
};

export const BAMBOOGLE_SCRIPTS: Record<Player, Script> = { agent, environment };

interface State {
  plot?: { first: First; second: Second; subject: string };
  bridge?: string;
  /** The answer, a value that is not it, and how many such values there are. */
  found?: { answer: string; wrong: string; rivals: number };
}

/** How far the agent has come, by what it has read. */
function stateOf(messages: readonly Message[]): State {
  const [asked = '', ...seen] = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const plot = plotOf(asked.slice(asked.indexOf('<user> ') + '<user> '.length).split('\n')[0]!);
  if (!plot) return {};
  const sentences = seen.flatMap((content) => content.split('\n')).flatMap(sentencesOf);
  const bridge = slotsIn(sentences, plot.first.sentence).find(({ s }) => s === plot.subject)?.b;
  if (bridge === undefined) return { plot };
  const ofBridge = (template: string) => slotsIn(sentences, template).find(({ b }) => b === bridge)?.a;
  const answer = ofBridge(plot.second.sentence);
  if (answer === undefined) return { plot, bridge };
  const rivals = RIVALS[plot.first.bridge][plot.second.answer]!.flatMap(({ sentence }) => ofBridge(sentence) ?? []);
  return { plot, bridge, found: { answer, wrong: rivals[0] ?? bridge, rivals: rivals.length } };
}

function plotOf(question: string): State['plot'] {
  for (const second of SECOND) {
    const phrase = unfill(second.question, question)?.x;
    for (const first of phrase === undefined ? [] : FIRST) {
      const subject = unfill(first.phrase, phrase!)?.s;
      if (subject !== undefined && first.bridge === second.bridge) return { first, second, subject };
    }
  }
  return undefined;
}

const sentencesOf = (line: string): string[] =>
  line.startsWith('- Snippet: ')
    ? line
        .slice('- Snippet: '.length)
        .split('. ')
        .map((sentence) => (sentence.endsWith('.') ? sentence : `${sentence}.`))
    : [];

const slotsIn = (sentences: readonly string[], template: string): Record<string, string>[] =>
  sentences.flatMap((sentence) => {
    const slots = unfill(template, sentence);
    return slots ? [slots] : [];
  });

const call = (query: string): string =>
  `<think> I should look this up. </think>\n<tool_call>\n${JSON.stringify({ name: 'Search', parameters: { query } })}\n</tool_call>`;

const respond = (answer: string): string => `<think> I know. </think>\n<response> ${answer} </response>`;

/** The target of the context, to the nearest rate there is a row for. */
function askedRate(messages: readonly Message[]): number {
  const percent = Number(/about (\d+)%/.exec(messages.at(-1)?.content ?? '')?.[1] ?? 50);
  return ASKED.reduce((best, rate) => (Math.abs(rate - percent) < Math.abs(best - percent) ? rate : best));
}

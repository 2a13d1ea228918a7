/** The sentences that invented worlds are made of: what leads from a subject to a bridge, and from there to an answer. */
import type { NameKind } from './names.ts';

export type BridgeKind = 'person' | 'town' | 'company';
export type AnswerKind = 'year' | 'date' | 'number' | 'person' | 'town' | 'river';

/** In passage 1: {s} is the subject, {b} the bridge. The phrase stands for the bridge in the question. */
export interface First {
  subject: NameKind;
  bridge: BridgeKind;
  sentence: string;
  phrase: string;
}

/** In passage 2: {a} is the answer; {x} in the question is the phrase of the first hop. */
export interface Second {
  bridge: BridgeKind;
  answer: AnswerKind;
  sentence: string;
  question: string;
}

export const FIRST: readonly First[] = [
  { subject: 'work', bridge: 'person', sentence: '{s} is a novel by {b}.', phrase: 'the author of {s}' },
  {
    subject: 'hall',
    bridge: 'person',
    sentence: '{s} was built to plans drawn by {b}.',
    phrase: 'the architect of {s}',
  },
  { subject: 'machine', bridge: 'person', sentence: 'The {s} was invented by {b}.', phrase: 'the inventor of the {s}' },
  { subject: 'work', bridge: 'person', sentence: '{s} is an opera with music by {b}.', phrase: 'the composer of {s}' },
  {
    subject: 'festival',
    bridge: 'town',
    sentence: 'The {s} is held every autumn in {b}.',
    phrase: 'the town that holds the {s}',
  },
  {
    subject: 'person',
    bridge: 'town',
    sentence: '{s} spent a childhood in {b}.',
    phrase: 'the town where {s} grew up',
  },
  {
    subject: 'company',
    bridge: 'town',
    sentence: '{s} has its only workshop in {b}.',
    phrase: 'the town where {s} has its workshop',
  },
  {
    subject: 'ship',
    bridge: 'company',
    sentence: 'The {s} was a mail steamer built by {b}.',
    phrase: 'the yard that built the {s}',
  },
  {
    subject: 'paper',
    bridge: 'company',
    sentence: 'The {s} is a newspaper printed by {b}.',
    phrase: 'the firm that prints the {s}',
  },
];

export const SECOND: readonly Second[] = [
  { bridge: 'person', answer: 'year', sentence: '{b} was born in {a}.', question: 'In what year was {x} born?' },
  { bridge: 'person', answer: 'date', sentence: '{b} died on {a}.', question: 'On what day did {x} die?' },
  { bridge: 'person', answer: 'person', sentence: '{b} was taught by {a}.', question: 'Who taught {x}?' },
  { bridge: 'person', answer: 'town', sentence: '{b} is buried in {a}.', question: 'In which town is {x} buried?' },
  { bridge: 'town', answer: 'year', sentence: '{b} was founded in {a}.', question: 'In what year was {x} founded?' },
  {
    bridge: 'town',
    answer: 'person',
    sentence: 'The first mayor of {b} was {a}.',
    question: 'Who was the first mayor of {x}?',
  },
  { bridge: 'town', answer: 'river', sentence: '{b} lies on the river {a}.', question: 'On which river does {x} lie?' },
  {
    bridge: 'town',
    answer: 'number',
    sentence: '{b} has {a} inhabitants.',
    question: 'How many inhabitants does {x} have?',
  },
  { bridge: 'company', answer: 'year', sentence: '{b} was set up in {a}.', question: 'In what year was {x} set up?' },
  { bridge: 'company', answer: 'person', sentence: 'The founder of {b} was {a}.', question: 'Who founded {x}?' },
];

/** A sentence with another value of the answer's kind: what a careless reader takes for the answer. */
export interface Rival {
  sentence: string;
  /** Of times: before what was asked for, or after it. */
  when?: 'earlier' | 'later';
}

const earlier = (sentence: string): Rival => ({ sentence, when: 'earlier' });
const later = (sentence: string): Rival => ({ sentence, when: 'later' });
const any = (sentence: string): Rival => ({ sentence });

/** Times lie on both sides of the answer, so that it is neither always the first nor always the last of them. */
export const RIVALS: Record<BridgeKind, Partial<Record<AnswerKind, readonly Rival[]>>> = {
  person: {
    year: [
      earlier('The parents of {b} met in {a}.'),
      later('{b} moved to the coast in {a}.'),
      earlier('The birthplace of {b} was built in {a}.'),
      later('A street was named after {b} in {a}.'),
    ],
    date: [
      earlier('{b} was married on {a}.'),
      earlier('{b} signed a will on {a}.'),
      later('A statue of {b} was unveiled on {a}.'),
      later('The letters of {b} were printed on {a}.'),
    ],
    person: [
      any('{b} quarrelled with {a}.'),
      any('{b} shared a house with {a}.'),
      any('{a} wrote the life of {b}.'),
      any('{b} was married to {a}.'),
    ],
    town: [
      any('{b} owned a mill near {a}.'),
      any('{b} studied in {a}.'),
      any('{b} was married in {a}.'),
      any('{b} fled from {a} as a child.'),
    ],
  },
  town: {
    year: [
      earlier('The valley of {b} was first mapped in {a}.'),
      later('{b} burned down in {a}.'),
      earlier('The bridge that {b} grew around was built in {a}.'),
      later('A railway reached {b} in {a}.'),
    ],
    person: [
      any('{a} painted {b} many times.'),
      any('{a} owned most of {b} once.'),
      any('The last mayor of {b} was {a}.'),
      any('{a} designed the fountain of {b}.'),
    ],
    river: [
      any('A canal leads from {b} to the river {a}.'),
      any('{b} gets its water from the river {a}.'),
      any('A road joins {b} to the river {a}.'),
      any('Fish from the river {a} is sold in {b}.'),
    ],
    number: [
      any('{b} has {a} houses.'),
      any('The library of {b} holds {a} books.'),
      any('The walls of {b} count {a} stones.'),
      any('{b} counted {a} visitors last summer.'),
    ],
  },
  company: {
    year: [
      earlier('The hall that {b} works in was built in {a}.'),
      later('{b} was sold in {a}.'),
      earlier('The trade of {b} was learned abroad in {a}.'),
      later('A strike stopped {b} in {a}.'),
    ],
    person: [
      any('{b} now belongs to {a}.'),
      any('{a} keeps the books of {b}.'),
      any('{b} was rescued by {a}.'),
      any('The best customer of {b} was {a}.'),
    ],
  },
};

export const MAX_RIVALS = 4;

/** Sentences that say nothing of use: {t} is the passage's own subject. */
export const ASIDES: readonly string[] = [
  'Little else is written about {t}.',
  'Visitors ask about {t} to this day.',
  'Opinions about {t} differ.',
  'There is a small museum about {t}.',
  'Many stories are told about {t}.',
];

/** Puts values into a sentence. */
export const fill = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w)\}/g, (_, slot: string) => values[slot] ?? '');

/** The values that make a sentence out of the template, for a template whose first sign is no slot or is known. */
export function unfill(template: string, text: string): Record<string, string> | undefined {
  const slots: Record<string, string> = {};
  const parts = template.split(/\{(\w)\}/);
  let at = parts[0]!.length;
  if (!text.startsWith(parts[0]!)) return undefined;
  for (let i = 1; i < parts.length; i += 2) {
    const literal = parts[i + 1]!;
    const end = literal === '' ? text.length : text.indexOf(literal, at);
    if (end <= at) return undefined;
    slots[parts[i]!] = text.slice(at, end);
    at = end + literal.length;
  }
  return at === text.length ? slots : undefined;
}

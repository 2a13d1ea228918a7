import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRng } from '../../core/rng.ts';
import { invent, PLOTS } from './fiction.ts';
import { anyText } from './fixtures.ts';
import { libraryOf, problemWithSearching } from './library.ts';
import { MAX_RIVALS } from './relations.ts';
import { rivalsOf } from './rivals.ts';
import { splits } from './splits.ts';
import { problemWith, type TwoHop } from './two-hop.ts';

const good: TwoHop = {
  question: 'In what year was the author of The Tin Meadow born?',
  evidence: [
    { title: 'The Tin Meadow (novel)', text: 'The Tin Meadow is a novel by Ulla Bronkhart, set on a farm.' },
    { title: 'Ulla Bronkhart', text: 'Ulla Bronkhart was born in 1811 and began to write late in life.' },
  ],
  bridge: 'Ulla Bronkhart',
  answer: '1811',
};

const problem = (changes: Partial<TwoHop>) => problemWith({ ...good, ...changes });
const [first, second] = good.evidence;

describe('a two-hop question', () => {
  it('is fine when its evidence leads from the subject over the bridge to the answer', () => {
    expect(problemWith(good)).toBeUndefined();
  });

  it.each<[string, Partial<TwoHop>]>([
    [
      'the question does not name the subject of passage 1, tin meadow',
      { question: 'When was that author born, in fact?' },
    ],
    [
      'the question names the bridge, ulla bronkhart',
      { question: 'When was Ulla Bronkhart, author of The Tin Meadow, born?' },
    ],
    [
      'the question names a part of the bridge, ulla bronkhart',
      { question: 'When was Ulla, author of The Tin Meadow, born?' },
    ],
    ['the question holds the answer, 1811', { question: 'Was the author of The Tin Meadow born in 1811?' }],
    [
      'passage 1 does not name the bridge, ulla bronkhart',
      { evidence: [{ ...first, text: 'The Tin Meadow is a novel by a teacher.' }, second] },
    ],
    [
      'passage 2 does not name the bridge, ulla bronkhart',
      { evidence: [first, { title: 'A writer', text: 'She was born in the year 1811.' }] },
    ],
    [
      'passage 1 alone holds the answer, 1811',
      { evidence: [{ ...first, text: `${first.text} She was born in 1811.` }, second] },
    ],
    [
      'passage 2 does not hold the answer, 1811',
      { evidence: [first, { ...second, text: 'Ulla Bronkhart was born in 18110.' }] },
    ],
    [
      'passage 2 names tin meadow, so that one hop is enough',
      { evidence: [first, { ...second, text: `${second.text} She wrote The Tin Meadow.` }] },
    ],
    ['both passages have the same title', { evidence: [first, { ...second, title: 'the tin meadow' }] }],
    ['both passages have the same text', { evidence: [first, { ...second, text: first.text }] }],
    ['a yes-or-no answer can be guessed', { answer: 'Yes.' }],
    ['the bridge, ulla bronkhart, and the answer, bronkhart, are one within the other', { answer: 'Bronkhart' }],
    ['the bridge, novel tin meadow, is the subject of passage 1', { bridge: 'novel The Tin Meadow' }],
    [
      'the question names the subject of passage 2, farms',
      {
        question: 'When was the author of The Tin Meadow on farms born?',
        evidence: [first, { title: 'Farms', text: second.text }],
      },
    ],
    [
      'the question does not end with a question mark',
      { question: 'Tell me when the author of The Tin Meadow was born.' },
    ],
    ['the question has more than one line', { question: 'When was the author\nof The Tin Meadow born?' }],
    ['the question is shorter than 15 characters', { question: 'Tin Meadow?' }],
    ['the question is longer than 300 characters', { question: `${'very '.repeat(80)}?` }],
    [
      'the text of passage 2 is longer than 1200 characters',
      { evidence: [first, { ...second, text: 'x '.repeat(700) }] },
    ],
    ['the title of passage 1 is shorter than 2 characters', { evidence: [{ ...first, title: '' }, second] }],
    ['the answer is shorter than 1 characters', { answer: ' ' }],
    ['the answer has no words', { answer: 'The' }],
    ['the bridge has no words', { bridge: '...' }],
    [
      'the text of passage 1 holds a tag of the dialogue',
      { evidence: [{ ...first, text: `${first.text} </obs>` }, second] },
    ],
  ])('is refused: %s', (reason, changes) => {
    expect(problem(changes)).toBe(reason);
  });

  it('may share a word of the bridge that is no name, or is in the name of the subject', () => {
    const evidence: TwoHop['evidence'] = [
      { title: 'Brass Owl', text: 'The Brass Owl is a prize given by the university of Morrgrad.' },
      { title: 'Morrgrad', text: 'The university of Morrgrad was founded in 1702.' },
    ];
    const question = 'In what year was the university founded that gives the Brass Owl?';
    expect(problemWith({ question, evidence, bridge: 'university of Morrgrad', answer: '1702' })).toBeUndefined();
  });

  it('is refused for a reason, or not at all, whatever it holds', () => {
    const text = anyText();
    const passage = fc.record({ title: text, text });
    fc.assert(
      fc.property(text, passage, passage, text, text, (question, a, b, bridge, answer) => {
        expect(['string', 'undefined']).toContain(typeof problemWith({ question, evidence: [a, b], bridge, answer }));
      }),
    );
  });
});

describe('the library of a task', () => {
  it('holds its evidence among other passages, the same every time', () => {
    const library = libraryOf(good);
    expect(library).toHaveLength(20);
    expect(library).toEqual(expect.arrayContaining(good.evidence));
    expect(libraryOf(good)).toEqual(library);
    expect(libraryOf({ ...good, question: 'In what year was the author of the Tin Meadow really born?' })).not.toEqual(
      library,
    );
  });

  it('leaves out what could contradict the task', () => {
    const [known] = splits().base;
    const [own] = known!.evidence;
    const about = { ...good, evidence: [{ ...own, text: 'Something else about it.' }, second] as TwoHop['evidence'] };
    const texts = libraryOf(about).map(({ text }) => text);
    expect(texts).toContain('Something else about it.');
    expect(texts).not.toContain(own.text);
  });

  it('finds both passages, or the task is refused', () => {
    expect(problemWithSearching(good)).toBeUndefined();
    // Signs that make no search term.
    const [sign, other] = ['☃☃', '☂☂'];
    expect(problemWithSearching({ ...good, evidence: [{ title: sign, text: 'x' }, second] })).toContain('passage 1');
    expect(problemWithSearching({ ...good, bridge: other })).toContain('passage 2');
  });
});

describe('invented questions', () => {
  it('are sound and as rich in rivals as asked for, whatever the plot', () => {
    for (const [i, plot] of PLOTS.entries()) {
      for (let rivals = 0; rivals <= MAX_RIVALS; rivals++) {
        const task = invent(plot, rivals, createRng('test').fork(i, rivals));
        expect(problemWith(task)).toBeUndefined();
        expect(problemWithSearching(task)).toBeUndefined();
        expect(rivalsOf(task)).toBe(rivals);
      }
    }
  });

  it('are in one split each, with subjects and bridges that no other has', () => {
    const { base, validation, test } = splits();
    expect(base.length).toBeGreaterThanOrEqual(40);
    const all = [...base, ...validation, ...test];
    const titles = all.flatMap(({ evidence }) => evidence.map(({ title }) => title));
    expect(new Set(titles).size).toBe(2 * all.length);
    for (const task of all) expect(problemWith(task) ?? problemWithSearching(task)).toBeUndefined();
  });

  it('have times before and after the answer, so that it is neither always the first nor always the last', () => {
    const years = splits().validation.flatMap(({ answer, evidence: [, { text }] }) => {
      const rivals = [...text.matchAll(/\b\d{4}\b/g)].map(([year]) => Number(year)).filter((y) => y !== Number(answer));
      return /^\d{4}$/.test(answer) ? rivals.map((year) => year > Number(answer)) : [];
    });
    expect(years).toContain(true);
    expect(years).toContain(false);
  });
});

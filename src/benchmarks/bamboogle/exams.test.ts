import { describe, expect, it } from 'vitest';
import { LineError } from '../../core/exam.ts';
import type { JsonObject } from '../../core/types.ts';
import { bamboogleExams } from './exams.ts';

const qa = bamboogleExams({ data: 'nowhere' }).qa!;

describe('the examination', () => {
  it('judges lines with a target of their own where there is no data', async () => {
    expect(await qa.judge({ id: 'x', output: 'the Paris', target: 'Paris' })).toEqual({
      id: 'x',
      correct: true,
      score: 1,
      details: { em: 1, coverEm: 1, f1: 1, relaxed: 1 },
    });
    expect(await qa.judge({ id: 7, output: 'In Paris', target: ['Rome', 'Paris'] })).toEqual({
      id: '7',
      correct: false,
      score: 0,
      reason: 'another answer',
      details: { em: 0, coverEm: 1, f1: expect.closeTo(2 / 3), relaxed: 1 },
    });
    expect(
      await qa.judge({ id: 'x', output: '<think> x </think><response> Paris </response>', target: 'Paris' }),
    ).toMatchObject({ correct: true });
    expect(await qa.judge({ id: 'x', output: { answer: 'Paris', observations: 2 }, target: 'Paris' })).toMatchObject({
      correct: true,
      details: { observations: 2 },
    });
  });

  it('holds what makes no sense for wrong', async () => {
    const outputs = [
      null,
      [],
      {},
      true,
      '',
      '<tool_call>',
      '\ud800',
      'x'.repeat(1e6),
      '<response>'.repeat(1e5),
      ['Paris'],
    ];
    for (const output of outputs) {
      expect(await qa.judge({ id: 'x', output, target: 'Paris' })).toMatchObject({ correct: false, score: 0 });
    }
    expect(await qa.judge({ id: 'x', target: 'Paris' })).toMatchObject({ correct: false, reason: 'no answer' });
    // Even where the gold is nothing but an article, saying nothing is no answer.
    expect(await qa.judge({ id: 'x', output: '', target: 'The' })).toMatchObject({
      correct: false,
      details: { coverEm: 0 },
    });
  });

  it('says what is wrong with a line that cannot be judged', async () => {
    const lines: JsonObject[] = [
      { output: 'x', target: 'x' },
      { id: null, output: 'x', target: 'x' },
      { id: 'x', output: 'x', target: 7 },
      { id: 'x', output: 'x', target: [] },
      { id: 'x', output: 'x', target: ['x', null] },
      { id: 'x', output: 'x', target: 'x'.repeat(10_001) },
      { id: 'x', output: 'x', target: Array<string>(101).fill('x') },
    ];
    for (const line of lines) await expect(async () => qa.judge(line)).rejects.toThrow(LineError);
    await expect(async () => qa.judge({ id: '0', output: 'x' })).rejects.toThrow(/genenv data pull bamboogle/);
  });

  it('counts what a judge says instead, and does not ask about nothing', async () => {
    const asked: string[][] = [];
    const judge = async (...about: string[]) => {
      asked.push(about);
      return about[2]!.includes('France');
    };
    const { qa: judged } = bamboogleExams({ data: 'nowhere', judge });
    const line = { id: 'x', target: ['Paris', 'Lutetia'], question: 'Where?' };
    expect(await judged!.judge({ ...line, output: 'in France' })).toMatchObject({
      correct: true,
      score: 1,
      details: { em: 0, judge: 1 },
    });
    expect(await judged!.judge({ ...line, output: 'Paris' })).toMatchObject({
      correct: false,
      details: { em: 1, judge: 0 },
    });
    expect(await judged!.judge({ ...line, output: '' })).toMatchObject({ correct: false, details: { judge: 0 } });
    expect(asked).toEqual([
      ['Where?', 'Paris or Lutetia', 'in France'],
      ['Where?', 'Paris or Lutetia', 'Paris'],
    ]);
  });

  it('sums up with the headline first, and without rows that say nothing', async () => {
    const verdicts = await Promise.all([
      qa.judge({ id: 'a', output: 'Paris', target: 'Paris' }),
      qa.judge({ id: 'b', output: 'in Paris', target: 'Paris' }),
    ]);
    expect(qa.summarise(verdicts).map(({ name, n, score, binomial }) => [name, n, score, binomial])).toEqual([
      ['EM', 2, 0.5, true],
      ['F1', 2, expect.closeTo((1 + 2 / 3) / 2), false],
      ['cover-EM', 2, 1, true],
      ['relaxed', 2, 1, true],
    ]);
    expect(qa.summarise([]).map(({ name, n }) => [name, n])).toEqual([['EM', 0]]);
    const played = await qa.judge({ id: 'c', output: { answer: 'x', observations: 2 }, target: 'x' });
    expect(
      qa.summarise([{ ...played, details: { ...played.details, judge: 1 } }]).map(({ name, score }) => [name, score]),
    ).toEqual([
      ['judge', 1],
      ['EM', 1],
      ['F1', 1],
      ['cover-EM', 1],
      ['relaxed', 1],
      ['searches, of 4', 0.5],
    ]);
  });
});

const { GENENV_DATA } = process.env;

describe.skipIf(!GENENV_DATA)('with the data (GENENV_DATA)', () => {
  const data = `${GENENV_DATA}/bamboogle`;
  const exam = bamboogleExams({ data }).qa!;

  it('has 125 questions, and the ground truth is right by every metric', async () => {
    expect(await exam.ids()).toEqual(Array.from({ length: 125 }, (_, i) => String(i)));
    const verdicts = await Promise.all((await exam.gold()).map((line) => exam.judge(line)));
    expect(verdicts.filter(({ correct }) => correct)).toHaveLength(125);
    for (const { n, score } of exam.summarise(verdicts)) expect([n, score]).toEqual([125, 1]);
  });

  it('plays a question to its end', async () => {
    const [{ output: answer }] = (await exam.gold()) as [{ output: string }];
    let asked = '';
    const output = await exam.answer('0', async ([, user]) => {
      asked = user!.content;
      return answer;
    });
    expect(asked).toMatch(/<user> .*\?\n/);
    expect(output).toEqual({ answer, observations: 0 });
    expect(await exam.judge({ id: 0, output })).toMatchObject({ id: '0', correct: true });
    await expect(async () => exam.judge({ id: '125', output: 'x' })).rejects.toThrow(LineError);
    await expect(async () => exam.judge({ id: '__proto__', output: 'x' })).rejects.toThrow(LineError);
  });
});

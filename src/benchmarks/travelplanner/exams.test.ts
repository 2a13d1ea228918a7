import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExamVerdict } from '../../core/exam.ts';
import { LineError } from '../../core/exam.ts';
import type { Json, JsonObject } from '../../core/types.ts';
import { travelplannerExams } from './exams.ts';
import { changed, fixtureFolder, PLAN, QUERY } from './fixtures.ts';

const data = join(process.env.GENENV_DATA ?? '', 'travelplanner');

describe.skipIf(!process.env.GENENV_DATA)('the exam on the data set (needs GENENV_DATA)', () => {
  const { plan, 'plan-strict': strict } = travelplannerExams({ data }) as Required<
    ReturnType<typeof travelplannerExams>
  >;
  const read = (file: string) => readFileSync(join(data, file), 'utf8');
  const lines = (file: string) =>
    read(file)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as JsonObject);
  const officialTotals = (set: string) =>
    (JSON.parse(read('conformance_summary.json')) as Record<string, Record<string, number>>)[set]!;
  const judge = async (all: readonly JsonObject[]) => {
    const verdicts: ExamVerdict[] = [];
    for (const line of all) verdicts.push(await plan!.judge(line));
    return verdicts;
  };
  const rates = (verdicts: readonly ExamVerdict[]) =>
    Object.fromEntries(plan!.summarise(verdicts).map(({ name, score }) => [name, score]));
  const expectTotals = (verdicts: readonly ExamVerdict[], official: Record<string, number>) => {
    const got = rates(verdicts);
    expect(verdicts).toHaveLength(official.n!);
    expect(got.delivery).toBeCloseTo(official.delivery!, 12);
    expect(got['commonsense micro']).toBeCloseTo(official.cs_micro!, 12);
    expect(got['commonsense macro']).toBeCloseTo(official.cs_macro!, 12);
    expect(got['hard micro']).toBeCloseTo(official.hd_micro!, 12);
    expect(got['hard macro']).toBeCloseTo(official.hd_macro!, 12);
    expect(got['final pass']).toBeCloseTo(official.final!, 12);
    expect(plan!.summarise(verdicts).find(({ name }) => name === 'hard micro')?.n).toBe(official.hard_total);
  };

  it('asks the 105 validation queries that have reference information', async () => {
    const ids = await plan!.ids();
    expect(ids).toHaveLength(105);
    expect(ids[0]).toMatch(/^validation-\d+$/);
    let shown = '';
    await plan!.answer(ids[0]!, async (messages) => {
      shown = messages.map(({ content }) => content).join('\n');
      return '';
    });
    expect(shown).toContain('Restaurants in ');
    expect(shown).toContain('Request: ');
  });

  it('passes the 45 annotated plans, with clean-ups and without', async () => {
    const gold = await plan!.gold();
    expect(gold).toHaveLength(45);
    expectTotals(await judge(gold), officialTotals('train-annotated'));
    for (const line of gold) expect((await strict!.judge(line)).correct, String(line.id)).toBe(true);
  });

  it('gives the official totals on the example submission', async () => {
    const ids = new Set(await plan!.ids());
    const submitted = lines('example_evaluation.jsonl').filter(({ idx }) => ids.has(`validation-${idx}`));
    expectTotals(await judge(submitted), officialTotals('validation-example'));
  });

  it('gives, per set of the conformance file, what its official verdicts add up to', async () => {
    const all = lines('conformance.jsonl');
    for (const set of new Set(all.map((line) => line.set))) {
      const own = all.filter((line) => line.set === set);
      const verdicts = await judge(own.map(({ split, idx, plan }) => ({ id: `${split}-${idx}`, plan: plan ?? null })));
      const passed = (checks: Json) =>
        Object.values((checks ?? {}) as Record<string, [boolean | null]>).filter(([pass]) => pass === true).length;
      const officially = own.map(({ expected }) => expected as JsonObject);
      const sum = (count: (verdict: JsonObject) => number) => officially.reduce((total, v) => total + count(v), 0);
      const total = (name: string) => verdicts.reduce((sum, { details }) => sum + Number(details![name]), 0);
      expect(total('commonsensePassed')).toBe(sum((v) => passed(v.commonsense ?? null)));
      expect(total('hardPassed')).toBe(sum((v) => passed(v.hard ?? null)));
    }
  });

  it('judges a thousand plans in under two seconds of one core', async () => {
    const all = lines('conformance.jsonl').map(({ split, idx, plan }) => ({
      id: `${split}-${idx}`,
      plan: plan ?? null,
    }));
    const thousand = Array.from({ length: 1000 }, (_, i) => all[i % all.length]!);
    await judge(all.slice(0, 100)); // The tables are read once.
    const started = process.cpuUsage();
    await judge(thousand);
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1e6).toBeLessThan(2);
  });
});

describe('the exam on a small country of our own', () => {
  const { plan, 'plan-strict': strict } = travelplannerExams({ data: fixtureFolder() });
  const query = QUERY as unknown as JsonObject;

  it('judges outputs by id, by number, and with a query in the line', async () => {
    const output = JSON.stringify(PLAN);
    expect(await plan!.judge({ id: 'train-1', output })).toMatchObject({ correct: true, score: 1 });
    expect(await plan!.judge({ idx: 2, output })).toMatchObject({ id: '2', details: { delivered: true } });
    expect(await plan!.judge({ id: 'x', query, plan: [...PLAN] })).toMatchObject({ id: 'x', correct: true });
    expect(await plan!.judge({ id: 'x', query, plan: null })).toMatchObject({ correct: false, score: 0 });
  });

  it('cleans outputs up unless it is strict, and never a plan that is given as one', async () => {
    const wordy = changed(2, { dinner: 'Mediterranean Door, Dover; Cost: 15' });
    const line = { id: 'train-1', output: JSON.stringify(wordy) };
    expect((await plan!.judge(line)).correct).toBe(true);
    expect((await strict!.judge(line)).correct).toBe(false);
    expect((await plan!.judge({ id: 'train-1', plan: wordy })).correct).toBe(false);
  });

  it('says what failed, and by which exception', async () => {
    const output = JSON.stringify(changed(1, { transportation: undefined }));
    const verdict = await strict!.judge({ id: 'train-1', output });
    expect(verdict.reason).toContain('transportation');
    expect(verdict.details).toMatchObject({
      delivered: true,
      commonsensePassed: 5,
      final: false,
      errors: { is_valid_transportation: 'KeyError', is_valid_information_in_sandbox: 'KeyError' },
    });
  });

  it.each([
    [{ output: '[]' }],
    [{ id: 'validation-1', output: '[]' }],
    [{ id: 'validation-99', output: '[]' }],
    [{ id: 'what', output: '[]' }],
    [{ id: 'train-1' }],
    [{ id: 'x', query: { org: 'Salem' }, output: '[]' }],
  ])('cannot judge %j', async (line) => {
    await expect((async () => plan!.judge(line as JsonObject))()).rejects.toThrow(LineError);
  });

  it('needs no file for a plan that is not there, and says which one is missing for a plan that is', async () => {
    const { plan: bare } = travelplannerExams({ data: '/nowhere' });
    expect(await bare!.judge({ id: 'x', query, plan: null })).toMatchObject({ correct: false });
    const judge = async () => bare!.judge({ id: 'x', query, plan: [...PLAN] });
    await expect(judge()).rejects.toThrow('genenv data pull travelplanner');
  });

  it('takes any output for wrong that makes no sense', async () => {
    for (const output of [7, null, true, {}, 'x'.repeat(1e7), '['.repeat(1e5), JSON.stringify([{ a: 1 }])]) {
      expect((await plan!.judge({ id: 'train-1', output })).correct).toBe(false);
    }
  });
});

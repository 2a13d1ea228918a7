import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExamVerdict } from '../../core/exam.ts';
import type { Json, JsonObject } from '../../core/types.ts';
import { travelplannerExams } from './exams.ts';

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
  const summary = JSON.parse(read('conformance_summary.json')) as Record<string, Record<string, number>>;
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
    expectTotals(await judge(gold), summary['train-annotated']!);
    for (const line of gold) expect((await strict!.judge(line)).correct, String(line.id)).toBe(true);
  });

  it('gives the official totals on the example submission', async () => {
    const ids = new Set(await plan!.ids());
    const submitted = lines('example_evaluation.jsonl').filter(({ idx }) => ids.has(`validation-${idx}`));
    expectTotals(await judge(submitted), summary['validation-example']!);
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

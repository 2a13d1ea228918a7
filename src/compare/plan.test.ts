import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../config.ts';
import { createRunFolder } from '../run.ts';
import { findArm } from './arms.ts';
import { makePlan, openPlan, type PlanOptions, planFile, readPlan, runsOf, twins } from './plan.ts';

const newFolder = () => join(mkdtempSync(join(tmpdir(), 'genenv-plan-')), 'it');

const options = (changes: Partial<PlanOptions> & { set?: string[] } = {}): PlanOptions => ({
  name: 'it',
  command: 'genenv compare',
  config: { set: changes.set ?? [] },
  arms: ['genenv', 'base'].map(findArm),
  seeds: [101, 102],
  parallel: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  ...changes,
});

const threadsIn = (folder: string) =>
  readPlan(folder).arms.map(({ config: { engine } }) => 'threads' in engine && engine.threads);

describe('a plan', () => {
  it('is written down before anything happens, and read back as it was', () => {
    const folder = newFolder();
    const plan = openPlan(folder, options());
    expect(readPlan(folder)).toEqual(plan);
    expect(JSON.parse(readFileSync(planFile(folder), 'utf8'))).toMatchObject({ seeds: [101, 102], version: '0.1.0' });
  });

  it('pairs: all arms of a seed before the next seed, each in a folder of its own with its own seed', () => {
    const runs = runsOf(makePlan(options(), 1), 'runs/it', 1);
    expect(runs.map(({ run }) => run)).toEqual(['genenv-s101', 'base-s101', 'genenv-s102', 'base-s102']);
    expect(runs[3]).toMatchObject({ folder: 'runs/it/base-s102', config: { seed: 102, variant: 'base' } });
  });

  it('plays as many seeds side by side as runs, so that each warms up its own models', () => {
    const runs = runsOf(makePlan(options({ seeds: [101, 102, 103] }), 1), 'runs/it', 2);
    expect(runs.map(({ run }) => run)).toEqual([
      'genenv-s101',
      'genenv-s102',
      'base-s101',
      'base-s102',
      'genenv-s103',
      'base-s103',
    ]);
  });

  it('turns the test split on, unless told otherwise', () => {
    const test = (...set: string[]) => makePlan(options({ set }), 1).arms[0]!.config.evaluation.test;
    expect([test(), test('evaluation.test=false')]).toEqual([true, false]);
  });

  it('knows arms that come to the same', () => {
    const arms = ['genenv', 'update-rwr', 'no-filter'].map(findArm);
    expect(twins(makePlan(options({ arms }), 1).arms)).toEqual([['update-rwr', 'genenv']]);
  });

  it('does not record: one file for many runs would be overwritten', () => {
    const set = ['engine.record=all.rec'];
    expect(() => openPlan(newFolder(), options({ set }))).toThrow('engine.record names one file');
  });
});

describe('a plan that was begun', () => {
  it('goes on with the same command, and keeps its first command and time', () => {
    const folder = newFolder();
    const plan = openPlan(folder, options());
    expect(openPlan(folder, options({ command: 'other', createdAt: 'later' }))).toEqual(plan);
  });

  it('keeps its threads whatever --parallel is now, because they decide the last bits of the weights', () => {
    const folder = newFolder();
    openPlan(folder, options({ parallel: 1000 }));
    expect(threadsIn(folder)).toEqual([1, 1]);
    expect(() => openPlan(folder, options({ parallel: 1 }))).not.toThrow();
    expect(threadsIn(folder)).toEqual([1, 1]);
    expect(() => openPlan(folder, options({ set: ['engine.threads=7'] }))).toThrow('engine.threads was 1, now 7');
  });

  it.each<[string, Parameters<typeof options>[0], RegExp]>([
    ['seeds', { seeds: [101] }, /^it holds another comparison:\n {2}seeds were 101, 102, now 101\n/],
    ['arms', { arms: [findArm('genenv')] }, /arms were genenv, base, now genenv/],
    ['a setting', { set: ['epochs=3'] }, /:\n {2}epochs was \d+, now 3\nGive this one another --name, or go on/],
    ['another engine', { set: ['engine=scripted'] }, /engine\.kind was "local", now "scripted"/],
  ])('is refused with other %s', (_, changes, message) => {
    const folder = newFolder();
    openPlan(folder, options());
    const told = () => {
      try {
        openPlan(folder, options(changes));
        return '';
      } catch (error) {
        return (error as Error).message.replaceAll(folder, 'it');
      }
    };
    expect(told()).toMatch(message);
  });

  it('is refused to another version of the program', () => {
    const folder = newFolder();
    const plan = openPlan(folder, options());
    writeFileSync(planFile(folder), JSON.stringify({ ...plan, version: '0.0.1' }));
    expect(() => readPlan(folder)).toThrow('was begun with GenEnv 0.0.1, and this is 0.1.0');
  });

  it('is told from no plan, from a damaged one, and from a run', () => {
    const folder = newFolder();
    expect(() => readPlan(folder)).toThrow('holds no comparison');
    openPlan(folder, options());
    writeFileSync(planFile(folder), '{"arms": [{"config": {"alpha"');
    expect(() => readPlan(folder)).toThrow("can't be read");
    const run = newFolder();
    createRunFolder(run, loadConfig().config);
    expect(() => openPlan(run, options())).toThrow('holds a run');
    expect(existsSync(planFile(run))).toBe(false);
  });
});

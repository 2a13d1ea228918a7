import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Config, loadConfig } from '../config.ts';
import { tempFolder } from '../fixtures.ts';
import { createRunFolder, play, type TrainEvent } from '../run.ts';
import { HOSTILE, jsonLines, printed } from './fixtures.ts';
import { textWidth } from './text-width.ts';
import { openView } from './view.ts';

const { config } = loadConfig({
  overrides: {
    engine: 'scripted',
    name: 'brisk-otter',
    epochs: 3,
    generation: { seedsPerEpoch: 6 },
    evaluation: { every: 1, tasks: 6 },
  },
});

/** The events of a real run, once. */
const events: TrainEvent[] = await (async () => {
  const folder = join(tempFolder(), 'brisk-otter');
  createRunFolder(folder, config);
  const signal = new AbortController().signal;
  const all: TrainEvent[] = [];
  for await (const event of play(folder, config, { stop: signal, signal })) all.push(event);
  return all;
})();

const show = (
  shown: readonly TrainEvent[],
  options: { json?: boolean; quiet?: boolean } = {},
  current: Config = config,
) =>
  printed(() => {
    const view = openView({ runsDir: 'runs', ...options });
    view.header('runs/brisk-otter', current, ['epochs', 'generation.seedsPerEpoch']);
    for (const event of shown) view.event(event);
    view.close();
  });

const epochRows = (text: string) => text.split('\n').filter((line) => /^ {2}\d+ +(\d\.\d\d|–) [·▒●]{12}/.test(line));
const metricsOf = (epoch: number) => {
  const found = events.find((e) => e.type === 'epoch' && e.epoch === epoch);
  return found?.type === 'epoch' ? found.metrics : {};
};

describe('without a terminal', () => {
  it('there is one line per epoch and nothing that moves', async () => {
    const { stdout, stderr } = await show(events);
    expect(epochRows(stdout)).toHaveLength(4);
    expect(stdout).not.toMatch(/[\r\x1b]/);
    expect(stdout).not.toMatch(/attempting|writing tasks/);
    expect(stderr).toBe('');
  });

  it('the line gives the numbers of the epoch, dashes where there are none', async () => {
    const rows = epochRows((await show(events)).stdout);
    const metrics = metricsOf(2);
    const percent = (key: string) => `${Math.round(100 * metrics[key]!)} %`;
    expect(rows[2]).toContain(metrics['env/successRate']!.toFixed(2));
    for (const key of ['env/bandShare', 'env/usefulShare', 'env/solvedShare', 'env/unsolvedShare'])
      expect(rows[2]).toContain(percent(key));
    expect(rows[2]).toContain(metrics['val/successRate']!.toFixed(2));
    expect(rows[0]).toMatch(/^ {2}0 +– ·{4}▒{4}·{4} +– +– +–\/– +\d\.\d\d +– +\d/);
  });

  it('numbers end under their titles, and solved and unsolved meet under the slash', async () => {
    const { stdout } = await show(events);
    // p̂ is two characters in one column.
    const titles = stdout
      .split('\n')
      .find((line) => line.includes('in band'))!
      .replace('\u0302', '');
    for (const row of epochRows(stdout)) {
      for (const title of ['in band', 'useful', 'val', 'tokens', 'time']) {
        const end = titles.indexOf(title) + title.length;
        expect(`${title}: ${row.slice(0, end).at(-1)}|${row.slice(end, end + 2).trim()}`).toMatch(/: [\d%s–]\|$/);
      }
      expect(row.indexOf('/')).toBe(titles.indexOf('/'));
    }
  });

  it('the header says what is run, what differs from the preset, and that the engine is a stand-in', async () => {
    const { stdout } = await show([]);
    expect(stdout).toMatch(
      /genenv \d+\.\d+\.\d+ {2}toy world · scripted engine · 3 epochs\n {2}variant genenv · preset robust · seed 1/,
    );
    expect(stdout).toContain('changed from the preset: epochs=3  generation.seedsPerEpoch=6');
    expect(stdout).toContain('stand-in without neural networks');
    expect(stdout).toContain('runs/brisk-otter');
    const replayed = loadConfig({ overrides: { engine: { kind: 'replay', recording: 'x' } } }).config;
    expect((await show([], {}, replayed)).stdout).not.toContain('stand-in');
  });

  it('the end sums up and names the next command', async () => {
    const { stdout } = await show(events);
    const summary = events.at(-1)!;
    if (summary.type !== 'summary') throw new Error('a run ends with its summary');
    const { first, last } = summary.generatedSuccess;
    expect(stdout).toMatch(/Finished 3 epochs in \d/);
    expect(stdout).toContain(`success on generated tasks  ${first!.toFixed(2)} → ${last!.toFixed(2)}`);
    expect(stdout).toMatch(/attempted +\d+ tasks in [\d.]+k? rollouts/);
    expect(stdout).toMatch(/written +[\d.]+k? tokens by the agent, \d+ by the simulator/);
    expect(stdout).toMatch(/rejected +\d+ of \d+ generations/);
    expect(stdout).toMatch(/genenv show brisk-otter.*\n.*genenv compare .*\n.*genenv export brisk-otter/);
  });

  it('the report is named where there is one', async () => {
    const summary = events.at(-1)!;
    if (summary.type !== 'summary') throw new Error('a run ends with its summary');
    const { stdout } = await show([{ ...summary, report: 'runs/brisk-otter/report.html' }]);
    expect(stdout).toMatch(/report +runs\/brisk-otter\/report\.html/);
    expect((await show([{ ...summary, report: null }])).stdout).not.toMatch(/^ +report/m);
  });

  it('nothing is wider than 80 columns', async () => {
    const { stdout } = await show(events);
    expect(stdout.split('\n').filter((line) => textWidth(line) > 80)).toEqual([]);
  });

  it('models that learn their language say so once, then a line for each quarter of the way', async () => {
    const ledger = (events.at(-1) as Extract<TrainEvent, { type: 'summary' }>).ledger;
    const learning = (['agent', 'environment'] as const).flatMap((player): TrainEvent[] =>
      Array.from({ length: 9 }, (_, done) => ({
        ...(done === 0 ? { type: 'phase' as const } : { type: 'progress' as const, ledger }),
        ...{ epoch: 0, phase: 'prepare', learning: player, done, units: 8 },
      })),
    );
    const { stdout } = await show([...learning, ...events]);
    expect(stdout.match(/learn the language/g)).toHaveLength(1);
    expect(stdout.match(/learning the language: \w+ \d\/8/g)).toEqual(
      ['agent', 'simulator'].flatMap((who) => [2, 4, 6, 8].map((done) => `learning the language: ${who} ${done}/8`)),
    );
  });

  it('a run that was stopped says how to go on', async () => {
    const summary = events.at(-1)!;
    if (summary.type !== 'summary') throw new Error('a run ends with its summary');
    const stopped: TrainEvent = {
      ...summary,
      status: 'stopped',
      epochs: 0,
      generatedSuccess: { first: null, last: null, shareInBand: null },
      validation: { first: null, last: null, best: null },
    };
    const { stdout } = await show([stopped]);
    expect(stdout).toMatch(/Stopped after 0 whole epochs/);
    expect(stdout).toMatch(/success on generated tasks {2}–$/m);
    expect(stdout).toContain('genenv resume brisk-otter');
    expect(stdout).not.toMatch(/null|NaN|undefined/);
  });

  it('notes are shown, and can do nothing to a terminal', async () => {
    const { stdout } = await show([{ type: 'note', epoch: 1, kind: 'klCap', detail: `too far ${HOSTILE}` }]);
    expect(stdout).toContain('klCap  too far');
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  });

  it('warnings, stopping and failing say so', async () => {
    const { stdout } = await printed(() => {
      const view = openView({ runsDir: 'runs' });
      view.warn('rollouts 1 has no gradient');
      view.stopping();
      view.failed('genenv resume brisk-otter');
    });
    expect(stdout).toMatch(/warning {2}rollouts 1 has no gradient\n.*stopping {2}finishing this step/);
    expect(stdout).toContain('safe up to its last commit:  genenv resume brisk-otter');
  });

  it('a resumed run says where', async () => {
    const { stdout } = await show([{ type: 'start', run: 'x', resumed: true, epoch: 2, epochs: 3 }]);
    expect(stdout).toContain('resuming in epoch 2');
  });
});

describe('--json', () => {
  it('puts every event on stdout, one a line, and everything for people on stderr', async () => {
    const { stdout, stderr } = await show(events, { json: true });
    expect(jsonLines(stdout)).toEqual(JSON.parse(JSON.stringify(events)));
    expect(epochRows(stderr)).toHaveLength(4);
    expect(stderr).toContain('Finished 3 epochs');
  });

  it('with --quiet leaves stderr empty', async () => {
    const { stdout, stderr } = await show(events, { json: true, quiet: true });
    expect(jsonLines(stdout)).toHaveLength(events.length);
    expect(stderr).toBe('');
  });
});

it('--quiet says nothing at all', async () => {
  expect(await show(events, { quiet: true })).toMatchObject({ stdout: '', stderr: '' });
});

describe('on a terminal', () => {
  const { isTTY, columns } = process.stdout;
  const asTerminal = (width: number) => {
    vi.stubEnv('TERM', 'xterm');
    Object.assign(process.stdout, { isTTY: true, columns: width });
  };
  afterEach(() => {
    Object.assign(process.stdout, { isTTY, columns });
    vi.unstubAllEnvs();
  });
  /** What the screen shows in the end: a carriage return and an erase take back what stands on the line. */
  const left = (text: string) =>
    text
      .split('\n')
      .map((line) => line.split('\r\x1b[2K').at(-1)!)
      .join('\n');

  it('one line below the rows moves, never wider than the terminal, and is gone at the end', async () => {
    asTerminal(60);
    const { stdout } = await show(events);
    const drawn = stdout.split('\n').flatMap((line) => line.split('\r\x1b[2K').slice(0, -1));
    const moving = drawn.filter((line) => line !== '');
    expect(moving.length).toBeGreaterThan(0);
    for (const line of moving) expect(line.length).toBeLessThanOrEqual(59);
    expect(moving.join('\n')).toMatch(/preparing|writing tasks|attempting|validating|training|scoring|aggregating/);
    expect(epochRows(left(stdout))).toHaveLength(4);
    expect(left(stdout)).not.toMatch(/attempting|preparing|\x1b\[2K/);
  });

  it('the moving line shows the phase, its progress and what was spent', async () => {
    asTerminal(200);
    const ledger = {
      tasks: 5,
      rollouts: 40,
      invalidRollouts: 0,
      agentTokens: 1500,
      environmentTokens: 90,
      generations: 20,
      rejectedGenerations: 2,
      validationRollouts: 0,
    };
    const { stdout } = await show([{ type: 'progress', epoch: 2, phase: 'rollout', done: 5, units: 20, ledger }]);
    expect(stdout).toMatch(
      / {2}2 +attempting {2}━{5}─{15} {2}5\/20 tasks .*5 tasks · 40 rollouts · 1\.5k \+ 90 tokens · 2 rejected/,
    );
  });

  it('a phase without items draws a full bar, not a broken one', async () => {
    asTerminal(200);
    const { stdout } = await show([{ type: 'phase', epoch: 0, phase: 'generate', done: 0, units: 0 }]);
    expect(stdout).toMatch(/writing tasks {2}━{20} {2}0\/0 seeds/);
    expect(stdout).not.toMatch(/NaN|Infinity/);
  });

  it('that is dumb is treated like a file', async () => {
    asTerminal(80);
    vi.stubEnv('TERM', 'dumb');
    expect((await show(events)).stdout).not.toMatch(/\r|\x1b\[2K/);
  });
});

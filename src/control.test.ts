/** Live control of real runs on the scripted engine, in this process: requests arrive at an exact place. */
import { existsSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Config, loadConfig } from './config.ts';
import { type ControlAction, controlAnswer, controlState, newToken, readChanges, requestControl } from './control.ts';
import { createRunFolder, play, storedConfig, type TrainEvent } from './run.ts';
import { digest, openReader } from './store/index.ts';

const token = newToken();

function newRun(epochs = 4): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'genenv-control-')), 'run');
  const { config } = loadConfig({
    overrides: {
      engine: 'scripted',
      epochs,
      generation: { seedsPerEpoch: 8 },
      curriculum: { rollouts: 4 },
      evaluation: { every: 2, test: true },
    },
  });
  createRunFolder(folder, config);
  return folder;
}

/** Requests by the place, `<epoch> <phase>`, whose first step they are made after. */
type Script = Record<string, ControlAction[]>;

interface Played {
  events: TrainEvent[];
  ids: string[];
}

/** Plays a run and makes the requests; leaves it for dead after the phase `dieAt`. */
async function playWith(folder: string, script: Script, { dieAt = '', control = true } = {}): Promise<Played> {
  const never = new AbortController().signal;
  const events: TrainEvent[] = [];
  const ids: string[] = [];
  const playing = play(
    folder,
    configOf(folder),
    { stop: never, signal: never },
    control ? { controlToken: token } : {},
  );
  for await (const event of playing) {
    events.push(event);
    if (event.type !== 'progress') continue;
    const place = `${event.epoch} ${event.phase}`;
    if (place === dieAt) break;
    for (const action of script[place] ?? []) ids.push(requestControl(folder, token, action, 'Dana').id);
  }
  return { events, ids };
}

function configOf(folder: string): Config {
  using reader = openReader(folder);
  return storedConfig(reader.meta().config);
}

const set = (setting: 'alpha' | 'epochs' | 'agent.learningRate' | 'environment.learningRate', value: number) =>
  ({ kind: 'set', setting, value }) as const;

/** The target that the first generation of an epoch was asked for. */
function targetIn(folder: string, epoch: number): string | undefined {
  using reader = openReader(folder);
  const [head] = reader.generationHeads(epoch);
  return /in about (\d+ ?%)/.exec(JSON.stringify(reader.generation(head!.id)!.context))?.[1];
}

describe('a run that is steered', () => {
  it('takes the new target, learning rates and number of epochs from the place it says on', async () => {
    const folder = newRun();
    const { events, ids } = await playWith(folder, {
      '2 generate': [set('alpha', 0.3), set('agent.learningRate', 0.1), set('epochs', 3)],
    });
    expect(ids.length).toBe(3);
    expect(events.filter((e) => e.type === 'control')).toMatchObject([
      { epoch: 2, who: 'Dana', accepted: true, detail: 'alpha 0.5 → 0.3, from epoch 3' },
      { detail: 'agent.learningRate 0.01 → 0.1, from updateAgent of epoch 2' },
      { detail: 'epochs 4 → 3, from rollout of epoch 2', settings: { alpha: 0.3, epochs: 3 } },
    ]);
    expect(events.at(-2)).toMatchObject({ type: 'end', status: 'finished', epoch: 3 });
    using reader = openReader(folder);
    expect(readChanges(reader.meta()).every(({ inForce }) => inForce)).toBe(true);
    expect(reader.notes().filter(({ kind }) => kind === 'control')).toHaveLength(3);
    expect(storedConfig(reader.meta().config).epochs).toBe(3);
    // The last epoch is judged as the last, although it was not meant to be.
    expect(reader.metrics(3)['test/successRate']).toBeDefined();
    expect([1, 2, 3].map((epoch) => targetIn(folder, epoch))).toEqual(['50%', '50%', '30%']);
  });

  it('differs from one left alone only from there on', async () => {
    const [alone, steered] = [newRun(3), newRun(3)];
    await playWith(alone, {});
    await playWith(steered, { '1 rollout': [set('alpha', 0.2)] });
    using a = openReader(alone);
    using b = openReader(steered);
    expect(b.metrics(1)).toEqual(a.metrics(1));
    expect(b.metrics(2)).not.toEqual(a.metrics(2));
  });

  it('neither writes nor draws tasks of a banned structure from the next epoch on, and quarantines those it has', async () => {
    const folder = newRun(5);
    await playWith(folder, {});
    const counts = new Map<string, number>();
    {
      using reader = openReader(folder);
      for (const { structure } of reader.heads(['base', 'generated'], 99)) {
        counts.set(structure, (counts.get(structure) ?? 0) + 1);
      }
    }
    const structure = [...counts].sort(([, x], [, y]) => y - x)[0]![0];
    const banned = newRun(5);
    await playWith(banned, { '2 rollout': [{ kind: 'ban', structure }] });
    using reader = openReader(banned);
    for (let epoch = 3; epoch <= 5; epoch++) {
      for (const outcome of reader.outcomes(epoch)) expect(outcome.structure).not.toBe(structure);
    }
    const members = [...reader.heads(['base', 'generated'], 99)].filter((head) => head.structure === structure);
    expect(members.length).toBeGreaterThan(0);
    for (const { id } of members) {
      expect(reader.passport(id)?.quarantine).toMatchObject({ epoch: 3, reason: 'its structure was banned by Dana' });
    }
  });

  it('ends in the same state when it is killed anywhere after that and resumed, with or without control', async () => {
    const script: Script = {
      '1 score': [set('environment.learningRate', 0.8), set('agent.learningRate', 0.02)],
      '2 generate': [set('alpha', 0.4), set('epochs', 3)],
      '2 updateAgent': [{ kind: 'ban', structure: 'open3+count2' }],
    };
    const whole = newRun();
    const { events } = await playWith(whole, script);
    expect(events.flatMap((e) => (e.type === 'control' ? [e.accepted] : []))).toEqual(Array(5).fill(true));
    for (const dieAt of ['1 updateAgent', '2 rollout', '2 updateEnv', '2 aggregate', '3 generate', '3 evaluate']) {
      const folder = newRun();
      await playWith(folder, script, { dieAt });
      await playWith(folder, script, { control: dieAt < '2 updateEnv' });
      expect(digest(folder), dieAt).toBe(digest(whole));
    }
  });

  it('waits while it is paused, and goes on or stops after its phase when it is told to', async () => {
    const folder = newRun();
    const config = configOf(folder);
    const never = new AbortController().signal;
    const seen: string[] = [];
    let stop = '';
    for await (const event of play(folder, config, { stop: never, signal: never }, { controlToken: token })) {
      if (event.type === 'progress' && event.epoch === 1 && event.phase === 'generate') {
        requestControl(folder, token, { kind: 'pause' }, 'Dana');
        setTimeout(() => {
          const state = controlState(folder);
          seen.push(state.status, 'at' in state ? `${state.at?.epoch} ${state.at?.phase}` : '');
          requestControl(folder, token, { kind: 'resume' }, 'Eli');
        }, 300);
      }
      if (event.type === 'progress' && event.epoch === 1 && event.phase === 'score') {
        seen.push(controlState(folder).status);
        stop = requestControl(folder, token, { kind: 'stop' }, 'Dana').id;
      }
      if (event.type === 'control') seen.push(`${event.who} ${event.detail}`);
      if (event.type === 'end') seen.push(`${event.status} ${event.epoch}`);
    }
    expect(seen).toEqual([
      'Dana pause',
      'paused',
      '1 generate',
      'Eli go on',
      'running',
      'Dana stop after this phase',
      'stopped 1',
    ]);
    // Whoever asked for it may look only now.
    expect(controlAnswer(folder, stop)).toMatchObject({ accepted: true });
    expect(controlState(folder)).toEqual({ status: 'notRunning' });
    using reader = openReader(folder);
    expect(reader.cursor()).toMatchObject({ epoch: 1, phase: 'score' });
    expect(reader.notes().map(({ kind, detail }) => `${kind} ${detail}`)).toContain('control Eli: go on');
  });

  it('says why it refuses what it can not do', async () => {
    const folder = newRun(2);
    const { ids, events } = await playWith(folder, {
      '1 evaluate': [set('epochs', 1), { kind: 'ban', structure: 'no such thing' }],
    });
    expect(ids).toHaveLength(2);
    expect(events.flatMap((e) => (e.type === 'control' ? [`${e.accepted} ${e.detail}`] : []))).toEqual([
      'false epochs must be at least 2, since the run is that far (got 1).',
      'false No task of the run has the structure "no such thing".',
    ]);
    using reader = openReader(folder);
    expect(reader.notes()[0]?.detail).toMatch(/^Dana: refused: epochs/);
  });

  it('keeps a base task to vary', async () => {
    const folder = newRun(2);
    const script: Script = {};
    const base = new Set<string>();
    await playWith(folder, {}, { dieAt: '0 prepare' });
    {
      using reader = openReader(folder);
      for (const { structure } of reader.heads(['base'], 1)) base.add(structure);
    }
    script['0 evaluate'] = [...base].map((structure) => ({ kind: 'ban', structure }) as const);
    const { events } = await playWith(folder, script);
    const verdicts = events.flatMap((e) => (e.type === 'control' ? [e.accepted] : []));
    expect(verdicts).toEqual([...Array(base.size - 1).fill(true), false]);
    expect(events.at(-1)).toMatchObject({ type: 'summary', status: 'finished' });
  });
});

describe('a request', () => {
  const pause = { kind: 'pause' } as const;
  const attempt = (folder: string, given = token, action: ControlAction = pause) => {
    try {
      requestControl(folder, given, action, 'Dana');
      return 'sent';
    } catch (error) {
      return (error as { kind?: string }).kind;
    }
  };

  /** What comes of it while the run is being played. */
  async function whilePlayed<T>(folder: string, options: { control: boolean }, ask: () => T): Promise<T | undefined> {
    const never = new AbortController().signal;
    const controlled = options.control ? { controlToken: token } : {};
    let answer: T | undefined;
    for await (const event of play(folder, configOf(folder), { stop: never, signal: never }, controlled)) {
      if (event.type === 'phase' && event.epoch === 1 && event.phase === 'rollout') answer = ask();
    }
    return answer;
  }

  it('is refused where the run was not started for it, and nothing is read or left there', async () => {
    const folder = newRun(1);
    expect(attempt(folder)).toBe('notRunning');
    const ask = () => [attempt(folder), controlState(folder).status, existsSync(join(folder, 'control.jsonl'))];
    expect(await whilePlayed(folder, { control: false }, ask)).toEqual(['off', 'off', false]);
    expect(attempt(folder)).toBe('finished');
    expect(controlState(folder)).toEqual({ status: 'finished' });
  });

  it('is refused with another token or out of limits', async () => {
    const folder = newRun(1);
    const ask = () => [
      attempt(folder, newToken()),
      attempt(folder, ''),
      attempt(folder, token, set('alpha', 1)),
      attempt(folder, token, set('agent.learningRate', 1)),
      attempt(folder, token, { kind: 'explode' } as unknown as ControlAction),
      attempt(folder, token, { kind: 'resume' }),
    ];
    expect(await whilePlayed(folder, { control: true }, ask)).toEqual([
      'token',
      'token',
      'limit',
      'limit',
      'invalid',
      'sent',
    ]);
  });

  it('is in files that only the owner can read; what was asked goes with the run, its last answers stay', async () => {
    const folder = newRun(1);
    const files = ['control.json', 'control.jsonl'].map((name) => join(folder, name));
    const modes = await whilePlayed(folder, { control: true }, () => files.map((file) => statSync(file).mode & 0o777));
    if (process.platform !== 'win32') expect(modes).toEqual([0o600, 0o600]);
    expect(files.map(existsSync)).toEqual([true, false]);
    expect(controlAnswer(folder, 'any')).toBeUndefined();
  });
});

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, expectTypeOf, test } from 'vitest';
import { settings } from './config/settings.ts';
import { type Config, ConfigError, type LoadOptions, loadConfig, presetConfig, presets } from './config.ts';

const folder = mkdtempSync(join(tmpdir(), 'genenv-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = join(folder, 'run.yaml');

function load(content: string | Uint8Array, options: LoadOptions = {}): ReturnType<typeof loadConfig> {
  writeFileSync(file, content);
  return loadConfig({ file, ...options });
}

/** The problems as lines, with the folder left out. */
function problems(attempt: () => unknown): string[] {
  try {
    attempt();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ place, message }) => `${place.replace(`${folder}/`, '')} ${message}`);
  }
  return [];
}

const inFile = (content: string | Uint8Array, options?: LoadOptions): string[] =>
  problems(() => load(content, options));
const inSet = (...set: string[]): string[] => problems(() => loadConfig({ set }));

describe('what a configuration comes from', () => {
  test('nothing at all is the robust preset', () => {
    expect(loadConfig()).toEqual({ config: presetConfig('robust'), overridden: [], source: null });
    expect(loadConfig().config.curriculum).toMatchObject({ alpha: 0.5, beta: 4, kMin: 0.1, reward: 'bandMass' });
  });

  test('the paper preset is Table 2', () => {
    const { config } = loadConfig({ preset: 'paper' });
    expect(config).toMatchObject({
      preset: 'paper',
      epochs: 10,
      curriculum: {
        alpha: 0.5,
        kMin: 0.1,
        lambda: 1,
        variations: 4,
        successScope: 'seed',
        reward: 'bell',
        filter: 'strict',
      },
      agent: { learningRate: 1e-6, batchSize: 64, advantage: 'grpo' },
      environment: { learningRate: 5e-7, batchSize: 64, update: 'rwr' },
      rollout: { tokenBudget: 9000 },
    });
  });

  test('quick and full are the method of robust in other sizes', () => {
    const { robust, quick, full } = presets;
    const sizes = { epochs: 1, generation: { ...robust.generation, seedsPerEpoch: 1 } };
    for (const preset of [quick, full]) expect({ ...preset, ...sizes }).toEqual({ ...robust, ...sizes });
    const seeds = (preset: typeof robust) => preset.epochs * Number(preset.generation.seedsPerEpoch);
    expect(seeds(quick)).toBeLessThan(seeds(robust));
    expect(seeds(full)).toBeGreaterThan(seeds(robust));
    expect(robust.evaluation.every).toBeLessThanOrEqual(quick.epochs);
  });

  test("the schema's own defaults are the robust preset", () => {
    const { all } = settings();
    for (const [section, choices] of Object.entries(presets.robust)) {
      const paths = typeof choices === 'object' ? Object.entries(choices) : [['', choices] as const];
      for (const [key, value] of paths) {
        expect(all.get(key === '' ? section : `${section}.${key}`)?.node.default, `${section}.${key}`).toBe(value);
      }
    }
  });

  test('the file wins over the preset, overrides over the file, flags over overrides, and the last --set over all', () => {
    const text = 'preset: paper\nepochs: 2\nseed: 2\nconcurrency: 2\ncurriculum: { kMin: 0.2, beta: 3 }\n';
    const { config, overridden, source } = load(text, {
      overrides: { seed: 3, concurrency: 3, epochs: undefined, curriculum: { kMin: 0.3 } },
      flags: { concurrency: '4', seed: undefined },
      set: ['kMin=0.4', 'curriculum.kMin=0.5'],
    });
    expect(config).toMatchObject({
      epochs: 2,
      seed: 3,
      concurrency: 4,
      curriculum: { kMin: 0.5, beta: 3, reward: 'bell' },
    });
    expect(overridden).toEqual(['seed', 'epochs', 'concurrency', 'curriculum.beta', 'curriculum.kMin']);
    expect(source).toBe(file);
  });

  test('a preset named by --set wins over the flag, and the flag over the file', () => {
    expect(load('preset: robust', { preset: 'paper' }).config.curriculum.beta).toBe(2);
    expect(load('preset: robust', { preset: 'paper', set: ['preset=robust'] }).config.curriculum.beta).toBe(4);
    expect(load('curriculum: { beta: 7 }', { preset: 'paper' }).config.curriculum.beta).toBe(7);
  });

  test.each(['', '\n', '# only a comment\n', '---\n', 'null', '{}', 'curriculum:\nengine:\n', '\uFEFF'])(
    'a file without settings is the defaults: %j',
    (text) => {
      expect(load(text).config).toEqual(presetConfig('robust'));
    },
  );

  test('writing out a value of the preset overrides nothing', () => {
    expect(load(`epochs: ${presets.robust.epochs}\nname: mine\npreset: robust\n`).overridden).toEqual([]);
  });

  test('short names stand for long ones', () => {
    expect(load('engine: scripted\nbenchmark: toy\nvariant: random\n').config).toMatchObject({
      engine: { kind: 'scripted' },
      benchmark: { name: 'toy' },
      variant: 'genenv-random',
    });
    expect(loadConfig({ set: ['variant=static'] }).config.variant).toBe('genenv-static');
  });

  test('paths in a file start at the file, those of the command line at the working folder', () => {
    const text = 'engine: scripted\nbenchmark: { name: file, seeds: data/a.jsonl, validation: /b.jsonl }\n';
    const { config } = load(text, { set: ['engine.record=out.jsonl'] });
    expect(config.benchmark).toEqual({ name: 'file', seeds: join(folder, 'data/a.jsonl'), validation: '/b.jsonl' });
    expect(config.engine).toEqual({ kind: 'scripted', record: resolve('out.jsonl') });
  });

  test('a new model needs a world that teaches it, or a model folder', () => {
    expect(problems(() => load('benchmark: toy\n'))).toEqual([
      expect.stringContaining('engine.model is needed for the benchmark toy'),
    ]);
    expect(load('benchmark: toy\nengine: { kind: local, model: m }\n').config.benchmark.name).toBe('toy');
  });

  test('each engine has a world of its own', () => {
    const worlds = ['local', 'scripted'].map((engine) => loadConfig({ flags: { engine } }).config.benchmark.name);
    expect(worlds).toEqual(['errands', 'toy']);
  });

  test('another kind of engine forgets the settings of the kind before, and keeps what both have', () => {
    const text = 'engine: { kind: replay, recording: in.jsonl, record: out.jsonl }\n';
    const engine = { kind: 'scripted', record: join(folder, 'out.jsonl') };
    expect(load(text, { flags: { engine: 'scripted' } }).config.engine).toEqual(engine);
    expect(load(text, { overrides: { engine: { kind: 'scripted' } } }).config.engine).toEqual(engine);
    expect(load(text, { set: ['epochs=3'] }).config.engine).toMatchObject({ kind: 'replay' });
  });

  test('aliases are followed', () => {
    const text = 'agent: &optimizer { batchSize: 32 }\nenvironment: *optimizer\n';
    expect(load(text).config.environment.batchSize).toBe(32);
  });

  test('the types follow the kind', () => {
    expectTypeOf<Config['engine']['kind']>().toEqualTypeOf<'scripted' | 'local' | 'replay' | 'openai' | 'tinker'>();
    expectTypeOf<Extract<Config['benchmark'], { name: 'file' }>['seeds']>().toEqualTypeOf<string>();
  });
});

describe('--set', () => {
  test.each([
    ['curriculum.kMin=0.2', 'the path'],
    ['kMin=0.2', 'a name only one section has'],
    ['rollouts=1', "the paper's symbol before another section's setting"],
    ['curriculum={alpha: 0.4, kMin: 0.2}', 'a section as a mapping'],
    ['generation.seedsPerEpoch=all', 'a word'],
    [' epochs = 3', 'spaces'],
    ['learningRate=1', ''],
  ])('%s', (text, what) => {
    if (what === '') expect(inSet(text)[0]).toContain('Write agent.learningRate or environment.learningRate.');
    else expect(inSet(text)).toEqual([]);
  });

  test('text is taken as typed', () => {
    expect(loadConfig({ set: ['name=2026'] }).config.name).toBe('2026');
    expect(loadConfig({ flags: { name: '007' } }).config.name).toBe('007');
  });

  test('a name outside any section wins', () => {
    expect(loadConfig({ set: ['name=mine'] }).config).toMatchObject({ name: 'mine', benchmark: { name: 'errands' } });
  });

  test('every mistake is told with the flag it was made in', () => {
    const set = [
      'curriculum.betta=1',
      'alpha=1.7',
      'epochs',
      '=3',
      'temperature=1',
      'curiculum.beta=2',
      'x.y=1',
      'seed=[',
    ];
    expect(inSet(...set)).toEqual([
      '--set curriculum.betta=1 curriculum.betta is not a setting. Did you mean "beta"?',
      '--set alpha=1.7 curriculum.alpha must be less than 1 (got 1.7)',
      '--set epochs needs a setting and a value, such as --set curriculum.alpha=0.4',
      '--set =3 needs a setting and a value, such as --set curriculum.alpha=0.4',
      '--set temperature=1 temperature is a setting of several sections. Write generation.temperature or rollout.temperature or evaluation.temperature.',
      '--set curiculum.beta=2 curiculum.beta is not a setting. Did you mean "curriculum.beta"?',
      expect.stringContaining('--set x.y=1 x.y is not a setting. Settings and sections: name, preset,'),
      '--set seed=[ seed must have a YAML value; put it in quotes (got [)',
    ]);
    expect(problems(() => loadConfig({ flags: { epochs: 'ten' }, preset: 'papr' }))).toEqual([
      '--preset papr preset must be one of quick, robust, full, paper (got "papr"). Did you mean "paper"?',
      '--epochs ten epochs must be a whole number from 1 (got "ten")',
    ]);
  });
});

describe('a mistake in the file', () => {
  test('all are told at once, in the order of the file, aligned for reading', () => {
    const text = 'curriculum:\n  alpha: 1.7\n  betta: 3\nepochs: 0\n';
    const wanted = [
      'run.yaml:2:10 curriculum.alpha must be less than 1 (got 1.7)',
      'run.yaml:3:3 curriculum.betta is not a setting. Did you mean "beta"?',
      'run.yaml:4:9 epochs must be at least 1 (got 0)',
    ];
    expect(inFile(text)).toEqual(wanted);
    try {
      load(text);
    } catch (error) {
      const { problems, message } = error as ConfigError;
      expect(problems[1]).toMatchObject({ place: `${file}:3:3`, path: 'curriculum.betta' });
      expect(message.split('\n').map((line) => line.indexOf(' '))).toContain(`${file}:3:3`.length);
      expect(new Set(message.split('\n').map((line) => line.search(/ [ce]/))).size).toBe(1);
    }
  });

  test.each([
    ['curriculum: 5', '1:13 curriculum must be a mapping of settings, such as "alpha: …" (got 5)'],
    ['- a', '1:1 the configuration must be a mapping of settings, such as "epochs: 10" (got a list)'],
    ['train', '1:1 the configuration must be a mapping of settings, such as "epochs: 10" (got "train")'],
    ['epochs: ten', '1:9 epochs must be a whole number from 1 (got "ten")'],
    ['epochs: 1.5', '1:9 epochs must be a whole number from 1 (got 1.5)'],
    ['epochs: "3"', '1:9 epochs must be a whole number from 1 (got "3"). Remove the quotes.'],
    ['epochs: 2e9', '1:9 epochs must be at most 1000000 (got 2000000000)'],
    ['seed: 99999999999999999999', '1:7 seed must be at most 9007199254740991 (got 100000000000000000000)'],
    ['seed: .inf', '1:7 seed must be a finite number (got .inf)'],
    ['curriculum: { lambda: .nan }', '1:23 curriculum.lambda must be a finite number (got .nan)'],
    ['curriculum:\n  beta:\n', '2:3 curriculum.beta has no value; give it a number above 0, or remove it'],
    ['curriculum: { kMin: 0 }', '1:21 curriculum.kMin must be more than 0 (got 0)'],
    ['curriculum: { successThreshold: 2 }', '1:33 curriculum.successThreshold must be at most 1 (got 2)'],
    [
      'curriculum: { successThreshold: high }',
      '1:33 curriculum.successThreshold must be auto or a number above 0 and up to 1 (got "high")',
    ],
    [
      'curriculum: { filter: strct }',
      '1:23 curriculum.filter must be one of strict, soft, none (got "strct"). Did you mean "strict"?',
    ],
    ['generation: { evolveSeeds: yes }', '1:28 generation.evolveSeeds must be true or false (got "yes")'],
    ['name: 2026', '1:7 name must be text (got 2026). Put it in quotes.'],
    [
      'name: ../up',
      '1:7 name must be 1 to 80 letters, digits, dots, dashes or underscores, and not start with a dot (got "../up")',
    ],
    ['engine: gpu', '1:9 engine.kind must be one of scripted, local, replay, openai, tinker (got "gpu")'],
    [
      'engine: replay',
      '1:9 engine.recording is needed when engine.kind is replay: The recording that `replay` answers from.',
    ],
    [
      'benchmark: { seeds: a }',
      '1:21 benchmark.seeds is a setting for benchmark.name file, but benchmark.name is errands',
    ],
    [
      'benchmark: file',
      '1:12 benchmark.seeds is needed when benchmark.name is file: JSONL file of seed tasks for `file`, one a line.',
    ],
    [
      'pools: { baseShare: 0.5, replayShare: 0.5 }',
      '1:39 pools.replayShare plus pools.baseShare must stay below 1, or no fresh task is attempted (got 0.5 + 0.5)',
    ],
    ['epochs: 1\nepochs: 2', '2:1 epochs is written twice; remove one'],
    ['agent:\n\tklCoef: 1', '2:1 tabs cannot indent YAML; use spaces'],
    ['epochs: 1\n---\nepochs: 2', '2:1 a second YAML document starts here; a configuration is one document'],
    ['epochs: *ten', '1:9 *ten stands for nothing'],
    ['epochs: !!python/name:x 3', '1:9 this is not valid YAML: Unresolved tag: tag:yaml.org,2002:python/name:x'],
    ['x: \u001b[31m', /^1:1 x is not a setting/],
    ['"a\u001b": 1', /^1:1 a\\u\{1b\} is not a setting/],
    ['__proto__: { epochs: 3 }', /^1:1 __proto__ is not a setting/],
    ['curriculum: { constructor: 1 }', /^1:15 curriculum.constructor is not a setting/],
    ['1: 2', /^1:1 1 is not a setting/],
    ['? [a]\n: 2', /is not a setting/],
    ['epochs: [1', /this is not valid YAML/],
    [
      'curriculum: &self { alpha: *self }',
      '1:28 curriculum.alpha must be a number above 0 and below 1 (got a mapping)',
    ],
  ])('%j', (text, wanted) => {
    const found = inFile(text);
    expect(found).toHaveLength(1);
    if (typeof wanted === 'string') expect(found[0]).toBe(`run.yaml:${wanted}`);
    else expect(found[0]?.replace('run.yaml:', '')).toMatch(wanted);
  });

  test('what is built to exhaust is refused', () => {
    expect(inFile('['.repeat(20_000))).toEqual([expect.stringContaining('nested too deeply')]);
    expect(inFile(`a: &a [x]\nb: [${'*a,'.repeat(200)}]`)).toEqual([expect.stringContaining('multiply too often')]);
    expect(inFile(Array.from({ length: 2000 }, (_, i) => `wrong${i}: 1`).join('\n'))).toHaveLength(100);
    expect(inFile('same: 1\n'.repeat(2000))).toHaveLength(100);
  });

  test('no message can drive a terminal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(inFile(`name: ${JSON.stringify(text)}\n${JSON.stringify(text)}: 1\n`).join('')).not.toMatch(/\p{Cc}/u);
      }),
      { numRuns: 50 },
    );
  });
});

describe('a file that is none', () => {
  test.each([
    ['missing.yaml', 'missing.yaml does not exist; `genenv init` writes a configuration to start from'],
    ['folder', 'folder is a directory; name the YAML file inside it'],
    ['run.yaml/inside', 'run.yaml/inside does not exist; `genenv init` writes a configuration to start from'],
    ['large.yaml', 'large.yaml is larger than 1 MiB; is this a configuration?'],
    ['latin1.yaml', 'latin1.yaml:2:7 byte 16 is not valid UTF-8; save the file as UTF-8'],
    ['utf16.yaml', 'utf16.yaml:1:1 byte 0 is not valid UTF-8; it looks like UTF-16: save it as UTF-8'],
    ['cut.yaml', 'cut.yaml:1:8 byte 8 is not valid UTF-8; save the file as UTF-8'],
  ])('%s', (name, wanted) => {
    mkdirSync(join(folder, 'folder'), { recursive: true });
    writeFileSync(file, '');
    writeFileSync(join(folder, 'large.yaml'), ' '.repeat(2 ** 20 + 1));
    writeFileSync(join(folder, 'latin1.yaml'), Buffer.from('epochs: 3\nname: \xe9t\xe9\n', 'latin1'));
    writeFileSync(join(folder, 'utf16.yaml'), Buffer.from('\uFEFFepochs: 3\n', 'utf16le'));
    writeFileSync(join(folder, 'cut.yaml'), Buffer.from('name: é€').subarray(0, 10));
    expect(problems(() => loadConfig({ file: join(folder, name) }))).toEqual([wanted]);
  });

  test.skipIf(process.getuid?.() === 0)('one that may not be read', () => {
    const secret = join(folder, 'secret.yaml');
    writeFileSync(secret, 'epochs: 3\n');
    chmodSync(secret, 0);
    expect(problems(() => loadConfig({ file: secret }))).toEqual(['secret.yaml cannot be read: permission denied']);
  });

  test('random bytes are a configuration or a ConfigError, never anything else', () => {
    const bytes = fc.uint8Array({ maxLength: 200 });
    const yamlish = fc.array(
      fc.constantFrom(...'{}[]:,-?&*!|>\'"%@`# \n\t.~<=a1', 'epochs', 'curriculum', 'alpha', 'engine', 'é'),
    );
    const text = fc.oneof(
      bytes,
      yamlish.map((parts) => Buffer.from(parts.join(''))),
    );
    fc.assert(
      fc.property(text, (content) => void inFile(content)),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (key, value) => void inSet(`${key}=${value}`, key)),
    );
  });
});

test('every example loads', () => {
  const examples = resolve(import.meta.dirname, '../examples');
  const files = readdirSync(examples).filter((name) => name.endsWith('.yaml'));
  expect(files).not.toEqual([]);
  for (const name of files) {
    const example = join(examples, name);
    // Some leave the engine to their reader, and models that start from nothing do not know every world.
    const engine = readFileSync(example, 'utf8').includes('\nengine:') ? undefined : 'scripted';
    expect(problems(() => loadConfig({ file: example, flags: { engine } }))).toEqual([]);
  }
});

describe('metrics.sinks', () => {
  test('takes names, and mappings where there is more to say', () => {
    const { config, overridden } = load(
      'metrics:\n  sinks: [tensorboard, { kind: mlflow, url: "http://a:1" }, otel]\n',
    );
    expect(config.metrics.sinks).toEqual([
      { kind: 'tensorboard' },
      { kind: 'mlflow', url: 'http://a:1', experiment: 'genenv' },
      { kind: 'otel', engineCalls: true },
    ]);
    expect(overridden).toEqual(['metrics.sinks']);
    expect(loadConfig({ set: ['metrics.sinks=[tensorboard]'] }).config.metrics.sinks).toEqual([
      { kind: 'tensorboard' },
    ]);
  });

  test('says which item is wrong', () => {
    expect(inFile('metrics:\n  sinks: [tensorboard, wandb]\n')).toEqual([
      'run.yaml:2:10 metrics.sinks (item 2, kind) must be one of tensorboard, mlflow, otel',
    ]);
    expect(inSet('metrics.sinks=[{kind: mlflow, url: "http://user:pw@a"}]')[0]).toMatch(
      /item 1, url\) must be an http/,
    );
    expect(inSet('metrics.sinks=[{kind: otel, colour: red}]')[0]).toMatch(/item 1\) Unrecognized key: "colour"/);
    expect(inSet('metrics.sinks=tensorboard')[0]).toMatch(/must be a list/);
  });
});

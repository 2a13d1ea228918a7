/**
 * The configuration of a run: defaults, then a preset, then a YAML file, then flags. Every problem is told at once, at the
 * place it was written, with what to write instead.
 */
import { dirname, resolve } from 'node:path';
import { readText } from './config/file.ts';
import { readFlag, readSet } from './config/flags.ts';
import { type Assignment, mergeLayers, readLayer } from './config/layers.ts';
import { presets } from './config/presets.ts';
import { configError, type Finding, type Place } from './config/problems.ts';
import { settings } from './config/settings.ts';
import type { Config, ConfigInput, PresetName } from './config/types.ts';
import { validate } from './config/validate.ts';
import { parseYaml } from './config/yaml.ts';

export { presets } from './config/presets.ts';
export { ConfigError, type Problem } from './config/problems.ts';
export { jsonSchema } from './config/reference.ts';
export type * from './config/types.ts';
export { configToYaml } from './config/write.ts';

export interface LoadOptions {
  /** A YAML file. */
  file?: string | undefined;
  preset?: string | undefined;
  /** Settings as values, for callers that are programs. */
  overrides?: ConfigInput | undefined;
  /** Flags that stand for one setting, by its path, with their text as typed: `{ epochs: '20' }` is `--epochs 20`. */
  flags?: Readonly<Record<string, string | undefined>> | undefined;
  /** `a.b=c`, as given to `--set`. */
  set?: readonly string[] | undefined;
}

export interface LoadedConfig {
  config: Config;
  /** Paths of the settings that differ from the preset, its name and the run's aside. */
  overridden: string[];
  /** The file that was read; null where there was none. */
  source: string | null;
}

/**
 * Later sources win: defaults, preset, file, overrides, flags, set.
 * @throws ConfigError with all that is wrong.
 */
export function loadConfig(options: LoadOptions = {}): LoadedConfig {
  const findings: Finding[] = [];
  const given = [...readFile(options.file, findings), ...readCommandLine(options, findings)];
  const asked = (path: string) => given.flat().findLast((assignment) => assignment.path === path)?.value;
  const preset = asked('preset');
  const chosen = isPreset(preset) ? preset : 'robust';
  const engine = asked('engine.kind');
  const merged = mergeLayers([...baseLayers(chosen, engine), ...given]);
  const config = validate(merged, findings);
  if (config === undefined || findings.length > 0) throw configError(findings);
  return { config, overridden: differences(config, presetConfig(chosen)), source: options.file ?? null };
}

/** A preset with nothing changed. */
export function presetConfig(name: PresetName): Config {
  const findings: Finding[] = [];
  const config = validate(mergeLayers(baseLayers(name)), findings);
  if (config === undefined) throw configError(findings);
  return config;
}

function isPreset(name: unknown): name is PresetName {
  return typeof name === 'string' && Object.hasOwn(presets, name);
}

/** The world each engine plays in unless told otherwise. */
const worlds: Partial<Record<string, string>> = { local: 'errands', scripted: 'toy' };

/** What stands below everything given: the kinds that sections fall back to, the engine's world, and the preset. */
function baseLayers(preset: PresetName, engine?: unknown): Assignment[][] {
  const source = { placeOf: () => ({ label: `preset ${preset}`, rank: 0 }), folder: '' };
  const kinds = [...settings().tagged.keys()].map((section) => [section, settings().sections.get(section)?.default]);
  const world = worlds[String(engine)];
  return [Object.fromEntries(kinds), { benchmark: world }, { ...presets[preset], preset }].map((layer) =>
    readLayer(layer, '', source, []),
  );
}

function readFile(file: string | undefined, findings: Finding[]): Assignment[][] {
  if (file === undefined) return [];
  const text = readText(file, findings);
  if (text === undefined) return [];
  const { value, placeOf } = parseYaml(text, file, findings);
  return [readLayer(value, '', { placeOf, folder: dirname(resolve(file)) }, findings)];
}

function readCommandLine(
  { preset, overrides, flags = {}, set = [] }: LoadOptions,
  findings: Finding[],
): Assignment[][] {
  // Places on the command line come after all places in a file, whose rank is an offset.
  let rank = Number.MAX_SAFE_INTEGER / 2;
  const place = (label: string): Place => ({ label, rank: rank++ });
  const typed = { preset, ...flags };
  return [
    readLayer(overrides, '', { placeOf: () => place('options'), folder: process.cwd() }, findings),
    ...Object.entries(typed).map(([path, text]) =>
      text === undefined ? [] : readFlag(path, text, place(`--${path} ${text}`), findings),
    ),
    ...set.map((text) => readSet(text, place(`--set ${text}`), findings)),
  ];
}

/** Paths of the settings of a configuration that are not as in another, their names aside. */
export function differences(config: Config, base: Config): string[] {
  const paths = [...settings().all.keys()].filter((path) => path !== 'preset' && path !== 'name');
  // What a chosen kind of engine or benchmark does not have is no difference.
  return paths.filter((path) => {
    const value = settingAt(config, path);
    return value !== undefined && value !== settingAt(base, path);
  });
}

/** The value of a setting as `--set` takes it. */
export function settingText(config: Config, path: string): string {
  const value = settingAt(config, path);
  // Text of JSON is YAML too.
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The value of the setting at a path such as `curriculum.alpha`. */
export function settingAt(config: Config, path: string): unknown {
  let value: unknown = config;
  for (const key of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[key];
  return value;
}

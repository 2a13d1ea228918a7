/** Settings from the command line: `--set a.b=c` and the flags that stand for one setting. */
import { type Assignment, readLayer } from './layers.ts';
import { type Finding, type Place, shorten } from './problems.ts';
import { settings } from './settings.ts';
import { closest, suggestSetting } from './suggest.ts';
import { parseYaml } from './yaml.ts';

/** `text` is what stands after `--set`: a setting's path, or its bare name where that says enough, `=`, a YAML value. */
export function readSet(text: string, place: Place, findings: Finding[]): Assignment[] {
  const equals = text.indexOf('=');
  const name = text.slice(0, Math.max(0, equals)).trim();
  if (name === '') {
    findings.push({ place, path: '', message: 'needs a setting and a value, such as --set curriculum.alpha=0.4' });
    return [];
  }
  const path = findPath(name, place, findings);
  return path === undefined ? [] : readFlag(path, text.slice(equals + 1), place, findings);
}

/** One setting, or a section as a flow mapping, with its value as typed. */
export function readFlag(path: string, text: string, place: Place, findings: Finding[]): Assignment[] {
  const known = settings();
  const source = { placeOf: () => place, folder: process.cwd() };
  const setting = known.all.get(path);
  const value = setting && isText(setting.node) ? text : parseValue(text);
  if (value === unreadable) {
    findings.push({ place, path, message: `${path} must have a YAML value; put it in quotes (got ${shorten(text)})` });
    return [];
  }
  if (known.sections.has(path)) return readLayer(value, path, source, findings);
  const tree = setting && setting.section !== '' ? { [setting.key]: value } : { [path]: value };
  return readLayer(tree, setting?.section ?? '', source, findings);
}

/** Text settings are taken as typed: a run may be called 2026, and a path may hold a colon. */
function isText(node: { type?: string; enum?: string[] }): boolean {
  return node.type === 'string' && node.enum === undefined;
}

const unreadable = Symbol('unreadable');

function parseValue(text: string): unknown {
  const problems: Finding[] = [];
  const { value } = parseYaml(text, '', problems);
  return problems.length === 0 ? value : unreadable;
}

/** A bare name means the setting outside any section, then the paper's symbol, then the only setting called so. */
function findPath(name: string, place: Place, findings: Finding[]): string | undefined {
  const { all, sections } = settings();
  if (all.has(name) || sections.has(name)) return name;
  if (all.has(`curriculum.${name}`)) return `curriculum.${name}`;
  const paths = [...all.values()].filter(({ key }) => key === name).map(({ path }) => path);
  if (paths.length === 1) return paths[0];
  const message =
    paths.length > 1
      ? `${name} is a setting of several sections. Write ${paths.join(' or ')}.`
      : `${name} is not a setting. ${suggestPath(name)}`;
  findings.push({ place, path: name, message });
  return undefined;
}

function suggestPath(name: string): string {
  const { all, sections } = settings();
  const dot = name.indexOf('.');
  const [section, key] = dot < 0 ? ['', name] : [name.slice(0, dot), name.slice(dot + 1)];
  if (section === '' || sections.has(section)) return suggestSetting(section, key);
  const near = `${closest(section, [...sections.keys()])}.${key}`;
  return all.has(near) ? `Did you mean "${near}"?` : suggestSetting('', section);
}

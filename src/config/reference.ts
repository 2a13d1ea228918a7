/** The schema for those who read it elsewhere: editors (JSON Schema) and people (the reference page). */
import { presets } from './presets.ts';
import { pathSettings } from './schema.ts';
import { accepts, type Node, type Setting, schemaNode, settings } from './settings.ts';
import type { PresetName } from './types.ts';

const PRESETS = Object.keys(presets) as PresetName[]; // The keys of a record.

/** Draft 2020-12, of what a file may hold: everything optional, shorthands included. */
export function jsonSchema(): Node {
  const root = schemaNode();
  for (const { section, key, path } of settings().all.values()) {
    const holder = section === '' ? root : root.properties?.[section];
    for (const { properties } of holder?.oneOf ?? [holder ?? {}]) {
      const node = properties?.[key];
      const others = PRESETS.filter((name) => inPreset(name, path) !== inPreset('robust', path));
      if (node?.description && others.length > 0) {
        node.description += ` ${others.map((name) => `In \`${name}\`: ${inPreset(name, path)}.`).join(' ')}`;
      }
    }
  }
  for (const [section, { tag, keys }] of settings().tagged) {
    const node = root.properties?.[section];
    if (node) node.oneOf?.unshift({ type: 'string', enum: [...keys.keys()], description: `Short for { ${tag}: … }.` });
  }
  return { title: 'GenEnv run', description: 'Settings of one run; `genenv train FILE` reads them.', ...root };
}

/** The reference page, as Markdown. */
export function referencePage(): string {
  const { all, sections } = settings();
  const top = [...all.values()].filter(({ section }) => section === '');
  const tables = [...sections].map(([name, { description }]) => {
    const rows = [...all.values()].filter(({ section }) => section === name);
    return `## ${name}\n\n${description}\n\n${table(rows)}`;
  });
  return `${introduction()}\n## The run\n\n${table(top)}\n${tables.join('\n')}`;
}

const introduction = () => `# Configuration

Written from the schema in \`src/config/schema.ts\`; a test keeps this page in step with it.

A run is described by one YAML file, and every setting has a default: an empty file is a valid one.

\`\`\`yaml
# yaml-language-server: $schema=../schema/genenv.schema.json
preset: robust
epochs: 20
curriculum:
  alpha: 0.5
  rollouts: 8
\`\`\`

The first line gives completion, ranges and these descriptions in editors that speak the YAML language server.

- **Who wins.** Defaults, then the preset, then the file, then flags, then \`--set\`; the later one wins.
- **On the command line.** \`--set curriculum.alpha=0.4\` sets anything; the value is YAML. A bare name is enough where it
  says enough: one outside any section, one of \`curriculum\`, or one that a single section has (\`--set kMin=0.2\`).
- **Shorthands.** \`engine: scripted\` is \`engine: { kind: scripted }\`, \`benchmark: toy\` is \`benchmark: { name: toy }\`, and
  the variants \`random\` and \`static\` are \`genenv-random\` and \`genenv-static\`.
- **Paths** in a file are relative to that file; on the command line, to the working folder.
- **Mistakes** are told all at once, each at its place, and nothing is run:

\`\`\`
run.yaml:2:10 curriculum.alpha must be less than 1 (got 1.7)
run.yaml:3:3  curriculum.betta is not a setting. Did you mean "beta"?
\`\`\`

The configuration a run really used, after all of this, is in its folder as \`config.yaml\`, and loads as it is.

## Presets

\`robust\`, the default, keeps the idea of the paper and closes its holes. \`quick\` and \`full\` are \`robust\` in other sizes:
the same method, and no other setting differs. \`paper\` keeps the letter of the paper.

${sizes()}
The tables below say where \`paper\` differs from the default in anything else.
`;

/** What sets the sizes of `robust` apart. */
function sizes(): string {
  const differs = (name: PresetName, path: string) => inPreset(name, path) !== inPreset('robust', path);
  const paths = [...settings().all.keys()].filter((path) => differs('quick', path) || differs('full', path));
  const row = (cells: readonly (string | undefined)[]) => `| ${cells.join(' | ')} |`;
  return [
    row(['setting', ...PRESETS.map((name) => `\`${name}\``)]),
    '|---|---|---|---|---|',
    ...paths.map((path) => row([`\`${path}\``, ...PRESETS.map((name) => inPreset(name, path))])),
    '',
  ].join('\n');
}

function table(rows: readonly Setting[]): string {
  const lines = rows.map(({ path, key, node }) => {
    const robust = inPreset('robust', path) ?? shown(node.default);
    const paper = inPreset('paper', path) ?? shown(node.default);
    const cells = [
      `\`${key}\``,
      robust,
      paper === robust ? '' : paper,
      path === 'engine.model' ? 'a path or a name' : pathSettings.has(path) ? 'a path' : accepts(node),
      node.description ?? '',
    ];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return ['| setting | default | `paper` | takes | meaning |', '|---|---|---|---|---|', ...lines, ''].join('\n');
}

function inPreset(name: PresetName, path: string): string | undefined {
  let value: unknown = presets[name];
  for (const key of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[key];
  return value === undefined ? undefined : shown(value);
}

function shown(value: unknown): string {
  if (typeof value === 'number' && value !== 0 && Math.abs(value) < 1e-4) return value.toExponential();
  return value === undefined ? '' : String(value);
}

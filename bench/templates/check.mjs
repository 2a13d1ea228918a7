/**
 * Compares chat templates rendered here with the reference, Python's transformers. `npm run check:templates -- [--python
 * PATH] [--folder FOLDER] [--conversations N] [--write]` makes a virtual environment where no Python with transformers is
 * named, and exits with 1 where a rendering differs. `--folder` adds templates (*.jinja) or model folders of your own;
 * `--write` records renderings of our own templates for the test suite.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compileTemplate } from '../../dist/tokens/template.js';
import { templateMessages, templateTools } from '../../dist/tokens/template-messages.js';
import { conversation } from './conversations.mjs';

const { values: options } = parseArgs({
  options: {
    python: { type: 'string' },
    folder: { type: 'string' },
    conversations: { type: 'string', default: '200' },
    write: { type: 'boolean', default: false },
  },
});
const NOW = '2026-03-07T09:05:02';
const SHOWN = 5;
const GOLDEN_CASES = 24;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const OURS = here('../../test/fixtures/templates');
const work = mkdtempSync(join(tmpdir(), 'genenv-templates-'));

/** A Python that has transformers: the one named, or one made for this. */
function python() {
  if (options.python) return options.python;
  const venv = join(work, 'venv');
  execFileSync('python3', ['-m', 'venv', venv], { stdio: 'pipe' });
  const made = join(venv, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  execFileSync(made, ['-m', 'pip', 'install', '--quiet', 'transformers', 'jinja2'], { stdio: 'pipe' });
  return made;
}

const templatesIn = (folder, own) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.jinja'))
    .map((name) => ({ name: basename(name, '.jinja'), source: readFileSync(join(folder, name), 'utf8'), own }));

function casesOf(template, count) {
  return Array.from({ length: count }, (_, seed) => {
    const { messages, tools, generate } = conversation(seed);
    const variables = {
      messages: templateMessages(messages),
      tools: tools.length > 0 ? templateTools(tools) : null,
      add_generation_prompt: generate,
      bos_token: '<s>',
      eos_token: '</s>',
      ...(seed % 7 === 3 ? { enable_thinking: false } : {}),
      ...(seed % 11 === 5 ? { reasoning_effort: 'high' } : {}),
    };
    return { template, variables };
  });
}

function reference(interpreter, templates, cases) {
  const [asked, answered] = [join(work, 'asked.json'), join(work, 'answered.json')];
  writeFileSync(asked, JSON.stringify({ now: NOW, templates: templates.map(({ source }) => source), cases }));
  execFileSync(interpreter, [here('reference.py'), asked, answered], { stdio: ['ignore', 'inherit', 'pipe'] });
  return JSON.parse(readFileSync(answered, 'utf8'));
}

function renderer({ source }) {
  try {
    const render = compileTemplate(source);
    return (variables) => render(variables, { now: new Date(NOW) });
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

function outcome(work) {
  try {
    return { text: work() };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function show(name, seed, expected, got) {
  console.log(`\n${name}, conversation ${seed}`);
  if (expected.error || got.error) {
    console.log(`  reference: ${expected.error ?? 'rendered'}\n  here:      ${got.error ?? 'rendered'}`);
    return;
  }
  let at = 0;
  while (expected.text[at] === got.text[at]) at++;
  const around = (text) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60));
  console.log(`  reference: ${around(expected.text)}\n  here:      ${around(got.text)}`);
}

try {
  let interpreter;
  try {
    interpreter = python();
    execFileSync(interpreter, ['-c', 'import transformers, jinja2'], { stdio: 'pipe' });
  } catch (error) {
    console.log(`skipped: no Python with transformers (${String(error.stderr || error.message).trim().split('\n').at(-1)})`);
    process.exit(0);
  }
  const templates = [...templatesIn(OURS, true), ...(options.folder ? templatesIn(options.folder, false) : [])];
  const count = Number(options.conversations);
  const cases = templates.flatMap((_, index) => casesOf(index, count));
  const expected = reference(interpreter, templates, cases);
  const golden = [];
  let different = 0;
  for (const [index, template] of templates.entries()) {
    const render = renderer(template);
    const mine = cases.slice(index * count, (index + 1) * count);
    const theirs = expected.slice(index * count, (index + 1) * count);
    const results = mine.map(({ variables }) => outcome(() => render(variables)));
    const wrong = mine.flatMap((_, seed) => (isSame(results[seed], theirs[seed]) ? [] : [seed]));
    const refused = theirs.filter(({ error }) => error).length;
    const verdict = wrong.length === 0 ? 'same' : 'DIFFERENT';
    console.log(`${verdict}  ${template.name}: ${count - wrong.length} of ${count} (the reference refuses ${refused})`);
    for (const seed of wrong.slice(0, SHOWN)) show(template.name, seed, theirs[seed], results[seed]);
    different += wrong.length;
    if (!template.own) continue;
    for (const [seed, { variables }] of mine.slice(0, GOLDEN_CASES).entries()) {
      golden[seed] ??= { variables, renderings: {} };
      golden[seed].renderings[template.name] = theirs[seed];
    }
  }
  if (options.write) {
    const lines = golden.map((recorded) => JSON.stringify(recorded)).join(',\n');
    writeFileSync(join(OURS, 'golden.json'), `{"now": "${NOW}", "cases": [\n${lines}\n]}\n`);
  }
  process.exitCode = different > 0 ? 1 : 0;
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Why a conversation is refused is said in other words; that it is must agree. */
function isSame(got, expected) {
  return got.text === expected.text && (got.error === undefined) === (expected.error === undefined);
}

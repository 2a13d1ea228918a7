/**
 * The official Tinker client, from PyPI, against `genenv serve`: it trains, samples, saves and loads. Makes a virtual
 * environment of its own, or takes a Python that has the client (--python PATH). Skips with a reason where it cannot.
 *
 *   npm run check:tinker-client [-- --python PATH] [--version 0.36.0]
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { serve } from '../../dist/serve.js';

const { values } = parseArgs({ options: { python: { type: 'string' }, version: { type: 'string' } } });
const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'genenv-tinker-client-'));

class Skipped extends Error {}

try {
  const python = values.python ?? environment();
  const version = run(python, ['-c', 'import tinker; print(tinker.__version__)']);
  if (version.status !== 0) throw new Error(`${python} has no tinker: ${lastLine(version.stderr)}`);
  console.log(`tinker ${version.stdout.trim()} on ${python}`);
  const corpus = ['the agent solves the task and the environment writes the next one', 'one two three four five'];
  const serving = await serve({
    models: {
      tiny: {
        kind: 'new',
        size: { width: 128, layers: 2, heads: 2, context: 64 },
        tokenizer: { corpus, kind: 'bytePairs', vocabulary: 300 },
      },
    },
    folder: join(folder, 'serve'),
  });
  const status = await train(python, serving).finally(() => serving[Symbol.asyncDispose]());
  if (status !== 0) throw new Error(`the client's program left with ${status}`);
  console.log('The official client trains, samples, saves and loads on genenv serve.');
} catch (error) {
  if (error instanceof Skipped) console.log(`skipped: ${error.message}`);
  else {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function environment() {
  const made = run('python3', ['-m', 'venv', join(folder, 'venv')]);
  if (made.status !== 0) throw new Skipped(`python3 cannot make a virtual environment: ${lastLine(made.stderr)}`);
  const python = join(folder, 'venv', process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  const wanted = values.version === undefined ? 'tinker' : `tinker==${values.version}`;
  console.log(`installing ${wanted} from PyPI …`);
  const installed = run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', wanted]);
  if (installed.status !== 0) throw new Skipped(`PyPI gave no ${wanted}: ${lastLine(installed.stderr)}`);
  return python;
}

/** Not run() here: the server is in this process and has to answer meanwhile. */
function train(python, { url, key }) {
  const env = {
    ...process.env,
    TINKER_BASE_URL: url,
    TINKER_API_KEY: key,
    HF_HUB_OFFLINE: '1',
    NO_PROXY: '127.0.0.1',
  };
  const child = spawn(python, [join(here, 'train.py')], { stdio: 'inherit', env });
  return new Promise((resolve, reject) => child.once('exit', resolve).once('error', reject));
}

function run(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  return { status, stdout: stdout ?? '', stderr: error?.message ?? stderr ?? '' };
}

function lastLine(text) {
  return text.trim().split('\n').at(-1) ?? '';
}

/** How fast the command line answers: `genenv --help` against an empty Node program, medians of interleaved runs. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

function milliseconds(args) {
  const start = performance.now();
  execFileSync(process.execPath, args, { stdio: 'ignore' });
  return performance.now() - start;
}

const median = (xs) => xs.sort((a, b) => a - b)[Math.floor(xs.length / 2)];
const empty = [];
const help = [];
for (let round = 0; round < 15; round++) {
  empty.push(milliseconds(['-e', '']));
  help.push(milliseconds([cli, '--help']));
}
const result = { nodeMs: median(empty), helpMs: median(help) };
console.log(JSON.stringify({ ...result, ratios: { helpToNode: result.helpMs / result.nodeMs } }, null, 2));

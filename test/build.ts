/** The program is tested as it is shipped: built once, before any test. Whatever tests leave behind is swept up after. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function setup(): () => void {
  const run = (program: string, ...args: string[]) =>
    execFileSync(process.execPath, [program, ...args], { stdio: 'inherit' });
  // As `npm run build` does it, but for the types: `npm test` has checked them.
  run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--noCheck');
  run('node_modules/vite/bin/vite.js', 'build', 'src/dashboard/app', '--logLevel', 'warn');
  const folder = mkdtempSync(join(tmpdir(), 'genenv-test-'));
  process.env.TMPDIR = folder;
  process.env.GENENV_CACHE = join(folder, 'cache');
  return () => rmSync(folder, { recursive: true, force: true });
}

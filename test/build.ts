/** The program is tested as it is shipped: built once, before any test. Whatever tests leave behind is swept up after. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function setup(): () => void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  const folder = mkdtempSync(join(tmpdir(), 'genenv-test-'));
  process.env.TMPDIR = folder;
  process.env.GENENV_CACHE = join(folder, 'cache');
  return () => rmSync(folder, { recursive: true, force: true });
}

/** The command line is tested as it is shipped: built once, before any test. */
import { execFileSync } from 'node:child_process';

export function setup(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
}

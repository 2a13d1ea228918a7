/** A resolved configuration as YAML that loads back as the same configuration. */
import { stringify } from 'yaml';
import type { Config } from './types.ts';

export function configToYaml(config: Config): string {
  // Lines are never folded: a long path stays one line, for people who search.
  return stringify(config, { lineWidth: 0 });
}

/** Names of checkpoints on a server: ours, made unique, and back. */
import { parseCheckpointPath } from '../../wire/checkpoint-path.ts';

/** Letters, digits, _ and -, as the strictest server wants, and never the same twice: some refuse a name that is taken. */
export function uniqueName(name: string): string {
  const suffix = Math.floor(Math.random() * 36 ** 6)
    .toString(36)
    .padStart(6, '0');
  return `${name.replace(/[^A-Za-z0-9_-]/g, '-').slice(0, 80)}-${suffix}`;
}

/** What a checkpoint was called before it was made unique; anything else stays as it is. */
export function savedName(path: string): string {
  const parsed = parseCheckpointPath(path);
  return parsed ? parsed.name.replace(/-[0-9a-z]{6}$/, '') : path;
}

/** Where a server's own interface keeps a checkpoint, to remove it. */
export function checkpointUrl(path: string): string {
  const parsed = parseCheckpointPath(path);
  if (!parsed) throw new TypeError(`${path} is no tinker:// path of a checkpoint`);
  return `training_runs/${encodeURIComponent(parsed.modelId)}/checkpoints/${parsed.kind}/${parsed.name}`;
}

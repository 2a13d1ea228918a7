/** Where a server's own interface keeps a checkpoint, to remove it. */
import { parseCheckpointPath } from '../../wire/checkpoint-path.ts';

export function checkpointUrl(path: string): string {
  const parsed = parseCheckpointPath(path);
  if (!parsed) throw new TypeError(`${path} is no tinker:// path of a checkpoint`);
  return `training_runs/${encodeURIComponent(parsed.modelId)}/checkpoints/${parsed.kind}/${parsed.name}`;
}

/** tinker:// paths of checkpoints. Parts become file names on a server, so they are names and nothing else. */

/** `weights` can be trained on; `sampler_weights` are to sample from. */
export type CheckpointKind = 'weights' | 'sampler_weights';

export interface CheckpointPath {
  modelId: string;
  kind: CheckpointKind;
  name: string;
}

/** The strictest of the servers' rules. */
const NAME = /^[A-Za-z0-9_-]{1,100}$/;
const MODEL = /^[A-Za-z0-9_:-]{1,100}$/;

export const isCheckpointName = (name: string): boolean => NAME.test(name);

export function formatCheckpointPath({ modelId, kind, name }: CheckpointPath): string {
  return `tinker://${modelId}/${kind}/${name}`;
}

/** Null for what is no such path. */
export function parseCheckpointPath(path: string): CheckpointPath | null {
  const match = /^tinker:\/\/([^/]+)\/(weights|sampler_weights)\/([^/]+)$/.exec(path);
  if (!match) return null;
  const [, modelId, kind, name] = match as unknown as [string, string, CheckpointKind, string];
  return MODEL.test(modelId) && NAME.test(name) ? { modelId, kind, name } : null;
}

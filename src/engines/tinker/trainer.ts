/** A player that learns on a server: the engine's losses as the server's, checkpoints that outlive the process. */
import { createHash } from 'node:crypto';
import type { Datum, ForwardBackward, Loss, OptimStep, Reference, Sampler, Trainer } from '../../core/engine.ts';
import { batchLoss } from '../../core/loss.ts';
import type { Checkpoint, Message, Player, ToolSpec } from '../../core/types.ts';
import type { LossInput } from '../../wire/messages.ts';
import type { Adapter } from './adapter.ts';
import { readLogprobs, readMetrics } from './answers.ts';
import { checkpointUrl, savedName } from './checkpoint-name.ts';
import { directInput, portableInput, scoreInput } from './losses.ts';
import type { Profile } from './profile.ts';
import { publish, type SamplerParts, samplerOf } from './sampler.ts';
import { maskOf, perToken } from './wire-data.ts';

export interface TrainerParts extends SamplerParts {
  player: Player;
  profile: Profile;
  losses: 'auto' | 'portable';
}

/** Tokens of one request: a body of a few megabytes. */
const REQUEST_TOKENS = 131_072;

export function trainerOf(parts: TrainerParts): Trainer {
  const { adapter, server, chat, profile, player } = parts;
  /** Of the checkpoint that the adapter started from. */
  let lineage = '';
  let waiting = false;
  const train = async (data: readonly Datum[], loss: Loss, ofStep: number, signal?: AbortSignal) => {
    const send = (input: LossInput) => adapter.forwardBackward(input, logprobsOf(data), signal);
    const direct = parts.losses === 'auto' ? directInput(data, loss, profile) : undefined;
    if (direct) return send(direct);
    const current = await adapter.forward(scoreInput(data), logprobsOf(data), signal);
    await send(portableInput(data, loss, current, profile, ofStep));
    return current;
  };
  return {
    player,
    async encode(messages: readonly Message[], tools: readonly ToolSpec[]) {
      return chat.prompt(messages, tools);
    },
    forward: (data, signal) => score(adapter, data, signal),
    async forwardBackward(data, loss, signal): Promise<ForwardBackward> {
      checkData(data, profile, loss);
      if (waiting && profile.reduction === 'stepMean') {
        throw new Error('This server averages over all sequences of a step: give it those of a step at once.');
      }
      waiting = true;
      const logprobs: Float32Array[] = [];
      for (const part of parted(data)) logprobs.push(...(await train(part, loss, data.length, signal)));
      return { loss: batchLoss(loss, data, logprobs), logprobs };
    },
    async optimStep(step: OptimStep) {
      const metrics = await adapter.optimStep(adamParams(step), readMetrics);
      waiting = false;
      return { gradNorm: metrics.grad_norm ?? metrics.unclipped_grad_l2 ?? 0 };
    },
    // A version named after its checkpoint has that one's name, not the place where this server keeps it.
    publish: (version): Promise<Sampler> => publish(parts, savedName(version)),
    async save(name): Promise<Checkpoint> {
      const trained = lineageOf(lineage, adapter.changes);
      const { path, sha256 } = await adapter.save(name);
      lineage = sha256 ?? trained;
      return { player, ref: path, sha256: lineage };
    },
    async load(checkpoint) {
      await adapter.load(checkpoint.ref);
      waiting = false;
      lineage = checkpoint.sha256;
    },
    async discard(checkpoint) {
      // It costs the server's disk, not the run, where it cannot be removed.
      await server.delete(checkpointUrl(checkpoint.ref)).catch(() => {});
    },
    [Symbol.asyncDispose]: () => adapter.dispose(),
  };
}

/** The player as it was before training: an adapter that is never trained is its base. */
export function referenceOf(parts: SamplerParts & { player: Player }): Reference {
  return {
    ...samplerOf(parts, `${parts.player}-initial`),
    logprobs: (data, signal) => score(parts.adapter, data, signal),
  };
}

async function score(adapter: Adapter, data: readonly Datum[], signal?: AbortSignal): Promise<Float32Array[]> {
  const logprobs: Float32Array[] = [];
  for (const part of parted(data))
    logprobs.push(...(await adapter.forward(scoreInput(part), logprobsOf(part), signal)));
  return logprobs;
}

const logprobsOf = (data: readonly Datum[]) => {
  const read = readLogprobs(data.map((datum) => maskOf(datum).subarray(1)));
  return (result: unknown) => read(result).map(perToken);
};

/** Requests of a size that servers take, each of whole sequences. */
function* parted(data: readonly Datum[]): Generator<readonly Datum[]> {
  let from = 0;
  let tokens = 0;
  for (const [i, datum] of data.entries()) {
    if (i > from && tokens + datum.tokens.length > REQUEST_TOKENS) {
      yield data.slice(from, i);
      from = i;
      tokens = 0;
    }
    tokens += datum.tokens.length;
  }
  if (from < data.length) yield data.slice(from);
}

function checkData(data: readonly Datum[], { maxContext }: Profile, loss: Loss): void {
  for (const [i, datum] of data.entries()) {
    const { length } = datum.tokens;
    if (maxContext !== undefined && length > maxContext) {
      throw new RangeError(`datum ${i}: ${length} tokens exceed the server's longest sequence of ${maxContext}`);
    }
    if (loss.kind !== 'crossEntropy' && !datum.logprobs)
      throw new RangeError(`datum ${i}: loss ${loss.kind} needs logprobs`);
    if (loss.klCoef && !datum.reference) throw new RangeError(`datum ${i}: a KL term needs reference log-probs`);
    if (length > 0 && datum.weights[0] !== 0) throw new RangeError(`datum ${i}: nothing precedes the first token`);
  }
}

const adamParams = ({
  learningRate,
  beta1 = 0.9,
  beta2 = 0.999,
  eps = 1e-8,
  weightDecay = 0,
  maxGradNorm,
}: OptimStep) => ({
  learning_rate: learningRate,
  beta1,
  beta2,
  eps,
  weight_decay: weightDecay,
  grad_clip_norm: maxGradNorm ?? 0,
});

/** Stands for weights that a server gives no checksum of: what they were trained from, and by which requests. */
function lineageOf(before: string, changes: readonly unknown[]): string {
  const hash = createHash('sha256').update(before).update('[');
  // One by one: all of an epoch's together can be longer than a string may be.
  for (const [i, change] of changes.entries()) hash.update(i === 0 ? '' : ',').update(JSON.stringify(change));
  return hash.update(']').digest('hex');
}

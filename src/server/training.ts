/** The calls that train a model: each is checked when it comes and carried out when its turn has come. */

import type { Datum, Loss } from '../core/engine.ts';
import { tokenLoss } from '../core/loss.ts';
import { type CheckpointKind, formatCheckpointPath } from '../wire/checkpoint-path.ts';
import type * as m from '../wire/messages.ts';
import { describeAdapter, sameParts } from './adapter.ts';
import { adapterIn, type CheckpointFolder, noteOf } from './checkpoint-folder.ts';
import type { Outcome } from './futures.ts';
import { datumOf, lossOf, lossResult } from './loss-data.ts';
import { Refusal } from './refusal.ts';
import type { ServedModel, Sessions } from './sessions.ts';

type Work = (signal: AbortSignal) => Promise<Outcome>;
/** Checks the request, and says what to do in its turn. */
type Prepare = (served: ServedModel) => Work;

export interface TrainingCalls {
  forward(request: m.ForwardRequest): Prepare;
  forwardBackward(request: m.ForwardBackwardRequest): Prepare;
  optimStep(request: m.OptimStepRequest): Prepare;
  save(request: m.SaveWeightsRequest): Prepare;
  load(request: m.LoadWeightsRequest): Prepare;
  saveForSampler(request: m.SaveWeightsForSamplerRequest): Prepare;
}

export function trainingCalls(parts: { sessions: Sessions; checkpoints: CheckpointFolder }): TrainingCalls {
  const { sessions, checkpoints } = parts;

  async function write(
    served: ServedModel,
    request: m.SaveWeightsRequest,
    kind: CheckpointKind,
  ): Promise<m.SaveWeightsResult> {
    const name = request.path ?? `checkpoint-${request.seq_id}`;
    const path = { modelId: served.id, kind, name };
    const folder = await checkpoints.place(path, noteOf(served.base, served.adapter), {
      overwrite: request.overwrite ?? false,
    });
    const sha256 = await served.model.save(folder, name, { weightsOnly: kind === 'sampler_weights' });
    return { path: formatCheckpointPath(path), sha256 };
  }

  return {
    forward: ({ forward_input }) => {
      const { loss, data } = read(forward_input);
      return (served) => async (signal) => {
        served.untouched = false;
        const logprobs = await served.model.forward(data, signal);
        return { kind: 'forwardBackward', value: lossResult(logprobs, lossAt(data, loss, logprobs)) };
      };
    },

    forwardBackward: ({ forward_backward_input, seq_id }) => {
      const { loss, data } = read(forward_backward_input);
      return (served) => async (signal) => {
        served.untouched = false;
        try {
          const result = await served.model.forwardBackward(data, loss, signal);
          return { kind: 'forwardBackward', value: lossResult(result.logprobs, result.loss) };
        } catch (error) {
          served.spoilt = `forward_backward ${seq_id} failed (${error instanceof Error ? error.message : error})`;
          throw error;
        }
      };
    },

    optimStep:
      ({ adam_params }) =>
      (served) =>
      async () => {
        served.untouched = false;
        const { spoilt } = served;
        if (spoilt !== null) {
          // A step on part of a batch would be wrong without anyone noticing.
          served.spoilt = null;
          await served.model.clearGradients();
          throw new Refusal(400, `${spoilt}: the gradient is not whole, so no step was taken and it was cleared.`);
        }
        const {
          learning_rate,
          beta1 = 0.9,
          beta2 = 0.95,
          eps = 1e-12,
          weight_decay = 0,
          grad_clip_norm = 0,
        } = adam_params;
        const { gradNorm } = await served.model.optimStep({
          learningRate: learning_rate,
          beta1,
          beta2,
          eps,
          weightDecay: weight_decay,
          ...(grad_clip_norm > 0 ? { maxGradNorm: grad_clip_norm } : {}),
        });
        return plain({ type: 'optim_step', metrics: { 'grad_norm:mean': gradNorm } });
      },

    save: (request) => (served) => async () => {
      served.untouched = false;
      return plain({ type: 'save_weights', ...(await write(served, request, 'weights')) });
    },

    load:
      ({ path, optimizer }) =>
      (served) =>
      async () => {
        if (!served.untouched)
          throw new Refusal(400, "load_weights must be a model's first call: create another model to load into.");
        const { folder, name, kind, note } = await checkpoints.find(path);
        if (kind !== 'weights')
          throw new Refusal(400, `${path} was saved to sample from; load_weights takes .../weights/….`);
        const saved = adapterIn(note);
        const fits =
          note.base_model === served.base &&
          saved?.rank === served.adapter?.rank &&
          sameParts(saved?.on, served.adapter?.on);
        if (!fits)
          throw new Refusal(
            400,
            `${path} is of ${describeAdapter(note.base_model, saved)}; this model is ${describeAdapter(served.base, served.adapter)}.`,
          );
        await served.model.load(folder, name, { optimizer });
        served.untouched = false;
        return plain({ type: 'load_weights', path, model_id: served.id });
      },

    saveForSampler: (request) => (served) => async () => {
      served.untouched = false;
      if (request.path != null) {
        const { path } = await write(served, request, 'sampler_weights');
        return plain({ type: 'save_weights_for_sampler', path });
      }
      const held = Promise.resolve(await served.model.freeze());
      const { session, base } = served;
      const sampler = sessions.addSampler({ session, base, path: null, held, reopen: null, shared: false });
      return plain({ type: 'save_weights_for_sampler', path: null, sampling_session_id: sampler.id });
    },
  };
}

const plain = (value: Readonly<Record<string, unknown>>): Outcome => ({ kind: 'plain', value });

function read(input: m.LossInput): { loss: Loss; data: Datum[] } {
  const loss = lossOf(input);
  return { loss, data: input.data.map((datum, index) => datumOf(datum, index, loss)) };
}

/** The loss at these log-probs, where the data have what it needs. */
function lossAt(data: readonly Datum[], loss: Loss, logprobs: readonly Float32Array[]): number | null {
  if (loss.kind !== 'crossEntropy' && data.some((datum) => !datum.logprobs)) return null;
  if (loss.klCoef && data.some((datum) => !datum.reference)) return null;
  let total = 0;
  for (const [i, datum] of data.entries()) {
    for (let t = 1; t < datum.tokens.length; t++) total += tokenLoss(loss, datum, t, logprobs[i]![t]!).loss;
  }
  return total;
}

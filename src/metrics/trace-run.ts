/** A run as a tree of spans: the run, its epochs, their phases, and in each phase the calls of the engine. */
import type { Sampler, Trainer, TrainingEngine } from '../core/engine.ts';
import type { RunEvent } from '../core/events.ts';
import { replacing } from '../core/replacing.ts';
import type { Player } from '../core/types.ts';
import type { Attributes, Span, SpanExporter } from './spans.ts';

export interface RunTrace {
  event(event: RunEvent): void;
  /** The engine with a span around each call. */
  traced<E extends TrainingEngine>(engine: E): E;
  /** Ends what is still open. */
  end(status: string): void;
}

export function traceRun(spans: SpanExporter, run: string): RunTrace {
  const root = spans.begin('genenv.run', { 'genenv.run': run });
  let epoch: { span: Span; number: number } | undefined;
  let phase: Span | undefined;

  const endPhase = (attributes: Attributes = {}) => {
    phase?.end(attributes);
    phase = undefined;
  };
  const endEpoch = () => {
    endPhase();
    epoch?.span.end();
    epoch = undefined;
  };

  const within = async <T>(
    name: string,
    attributes: Attributes,
    work: () => Promise<T>,
    outcome: (result: T) => Attributes = () => ({}),
  ): Promise<T> => {
    const span = spans.begin(name, attributes, phase ?? epoch?.span ?? root);
    try {
      const result = await work();
      span.end(outcome(result));
      return result;
    } catch (error) {
      span.end({}, error instanceof Error ? error.message : String(error));
      throw error;
    }
  };

  const tracedSampler = <S extends Sampler>(sampler: S, player: Player): S =>
    replacing<Sampler>(sampler, {
      sample: (request) =>
        within(
          'engine.sample',
          { 'genenv.player': player, 'genenv.version': sampler.version, 'genenv.samples': request.n },
          () => sampler.sample(request),
          ({ samples, prompt }) => ({
            'gen_ai.usage.input_tokens': prompt.length,
            'gen_ai.usage.output_tokens': samples.reduce((sum, { tokens }) => sum + tokens.length, 0),
          }),
        ),
    }) as S;

  const tracedTrainer = (trainer: Trainer): Trainer => {
    const about = { 'genenv.player': trainer.player };
    return replacing(trainer, {
      forward: (data, signal) =>
        within('engine.forward', { ...about, 'genenv.sequences': data.length }, () => trainer.forward(data, signal)),
      forwardBackward: (data, loss, signal) =>
        within('engine.forwardBackward', { ...about, 'genenv.sequences': data.length, 'genenv.loss': loss.kind }, () =>
          trainer.forwardBackward(data, loss, signal),
        ),
      optimStep: (step) =>
        within('engine.optimStep', { ...about, 'genenv.learningRate': step.learningRate }, () =>
          trainer.optimStep(step),
        ),
      publish: (version) =>
        within('engine.publish', { ...about, 'genenv.version': version }, async () =>
          tracedSampler(await trainer.publish(version), trainer.player),
        ),
      save: (name) => within('engine.save', { ...about, 'genenv.checkpoint': name }, () => trainer.save(name)),
      load: (checkpoint) =>
        within('engine.load', { ...about, 'genenv.checkpoint': checkpoint.ref }, () => trainer.load(checkpoint)),
    });
  };

  return {
    event(event) {
      if (event.type === 'phase') {
        if (epoch?.number !== event.epoch) endEpoch();
        const attributes = { 'genenv.epoch': event.epoch };
        epoch ??= { span: spans.begin('genenv.epoch', attributes, root), number: event.epoch };
        endPhase();
        phase = spans.begin(`genenv.${event.phase}`, { ...attributes, 'genenv.units': event.units }, epoch.span);
      }
      if (event.type === 'progress' && event.done >= event.units) endPhase({ 'genenv.done': event.done });
      if (event.type === 'epoch') endEpoch();
    },
    traced: <E extends TrainingEngine>(engine: E) =>
      replacing<TrainingEngine>(engine, {
        sampler: async (player) => tracedSampler(await engine.sampler(player), player),
        trainer: async (player) => tracedTrainer(await engine.trainer(player)),
        reference: async (player) => {
          const reference = await engine.reference(player);
          return replacing(tracedSampler(reference, player), {
            logprobs: (data, signal) =>
              within('engine.logprobs', { 'genenv.player': player, 'genenv.sequences': data.length }, () =>
                reference.logprobs(data, signal),
              ),
          });
        },
      }) as E,
    end(status) {
      endEpoch();
      root.end({ 'genenv.status': status });
    },
  };
}

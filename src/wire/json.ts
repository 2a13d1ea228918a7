/** Messages as JSON text. Typed arrays become arrays first: a replacer would be called for every number. */
import type { Datum, ForwardBackwardResult, LossInput, LossOutput, Numbers, SampleResult, Tensor } from './messages.ts';

export const PROTOBUF = 'application/x-protobuf';
export const JSON_TYPE = 'application/json';

const plain = (data: Numbers): readonly number[] => (Array.isArray(data) ? data : Array.from(data as Float32Array));
const plainTensor = (tensor: Tensor): Tensor => ({ ...tensor, data: plain(tensor.data) });
const plainTensors = (tensors: LossOutput): LossOutput =>
  Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, plainTensor(tensor)]));

const plainDatum = ({ model_input, loss_fn_inputs }: Datum): Datum => ({
  model_input: { chunks: model_input.chunks.map((chunk) => ({ ...chunk, tokens: plain(chunk.tokens) })) },
  loss_fn_inputs: plainTensors(loss_fn_inputs),
});

export const plainLossInput = (input: LossInput): LossInput => ({ ...input, data: input.data.map(plainDatum) });

export const plainForwardBackward = (result: ForwardBackwardResult): ForwardBackwardResult => ({
  ...result,
  loss_fn_outputs: result.loss_fn_outputs.map(plainTensors),
});

export function plainSample({ sequences, prompt_logprobs }: SampleResult): unknown {
  return {
    sequences: sequences.map(({ stop_reason, tokens, logprobs }) => ({
      stop_reason,
      tokens: plain(tokens),
      ...(logprobs ? { logprobs: plain(logprobs) } : {}),
    })),
    ...(prompt_logprobs
      ? { prompt_logprobs: Array.from(prompt_logprobs, (value) => (Number.isNaN(value) ? null : value)) }
      : {}),
  };
}

/** Training sequences as the protocol lays them out: inputs are all tokens but the last, targets all but the first. */
import type { Datum } from '../../core/engine.ts';
import type { Numbers, Tensor, Datum as WireDatum } from '../../wire/messages.ts';

export const floats = (data: Float32Array): Tensor => tensor(data, 'float32');

function tensor(data: Numbers, dtype: Tensor['dtype']): Tensor {
  return { data: Array.from(data), dtype, shape: [data.length] };
}

/** The mask of a sequence's targets, and what else a loss wants per target. Each has one entry a token of the datum. */
export function wireDatum({ tokens }: Datum, inputs: Readonly<Record<string, Float32Array>>): WireDatum {
  return {
    model_input: { chunks: [{ type: 'encoded_text', tokens: Array.from(tokens.subarray(0, -1)) }] },
    loss_fn_inputs: {
      target_tokens: tensor(tokens.subarray(1), 'int64'),
      ...Object.fromEntries(Object.entries(inputs).map(([name, values]) => [name, floats(values.subarray(1))])),
    },
  };
}

/** 1 where a token counts. */
export const maskOf = ({ weights }: Pick<Datum, 'weights'>): Float32Array => weights.map((w) => (w === 0 ? 0 : 1));

/** From one entry a target back to one a token. */
export function perToken(targets: Float32Array): Float32Array {
  const out = new Float32Array(targets.length + 1);
  out.set(targets, 1);
  return out;
}

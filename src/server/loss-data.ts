/** Training data from the wire's form to the engine's, and log-probs back. */
import type * as core from '../core/engine.ts';
import type { Datum, ForwardBackwardResult, LossInput, ModelInput, Tensor } from '../wire/messages.ts';
import { WireError } from '../wire/proto-reader.ts';

const INPUTS = ['target_tokens', 'weights', 'advantages', 'logprobs', 'reference'] as const;
type InputName = (typeof INPUTS)[number];

/** Settings of each loss. `kl_coef` and the input `reference` are additions of this server. */
const CONFIG: Readonly<Record<string, readonly string[]>> = {
  cross_entropy: ['kl_coef'],
  importance_sampling: ['kl_coef'],
  ppo: ['clip_low_threshold', 'clip_high_threshold', 'kl_coef'],
};

export function lossOf({ loss_fn, loss_fn_config }: LossInput): core.Loss {
  const allowed = Object.hasOwn(CONFIG, loss_fn) ? CONFIG[loss_fn] : undefined;
  if (!allowed)
    throw new WireError(`loss_fn "${loss_fn}" is not offered here (there are: ${Object.keys(CONFIG).join(', ')})`);
  const config = loss_fn_config ?? {};
  const unknown = Object.keys(config).find((key) => !allowed.includes(key));
  if (unknown !== undefined)
    throw new WireError(`loss_fn_config: ${loss_fn} has no setting "${unknown}" (it has: ${allowed.join(', ')})`);
  const setting = (key: string, otherwise: number) => {
    const value = config[key] ?? otherwise;
    if (typeof value !== 'number' || !(value >= 0)) throw new WireError(`loss_fn_config.${key} must be 0 or more`);
    return value;
  };
  const klCoef = setting('kl_coef', 0);
  if (loss_fn === 'cross_entropy') return { kind: 'crossEntropy', klCoef };
  if (loss_fn === 'importance_sampling') return { kind: 'importanceSampling', klCoef };
  const low = setting('clip_low_threshold', 0.8);
  const high = setting('clip_high_threshold', 1.2);
  return { kind: 'clipped', clipLow: 1 - low, clipHigh: high - 1, klCoef };
}

/** Everything is one place later in the engine's form: its entry t speaks of token t, the wire's of the token after t. */
export function datumOf(datum: Datum, index: number, loss: core.Loss): core.Datum {
  const fail = (problem: string): never => {
    throw new WireError(`data.${index}: ${problem}`);
  };
  const inputs = tokensOf(datum.model_input);
  const { length } = inputs;
  if (length === 0) fail('model_input has no tokens');
  const given = (name: InputName): Tensor | undefined => {
    const tensor = Object.hasOwn(datum.loss_fn_inputs, name) ? datum.loss_fn_inputs[name] : undefined;
    if (tensor && tensor.data.length !== length)
      fail(`loss_fn_inputs.${name} has ${tensor.data.length} entries for ${length} tokens of model_input`);
    return tensor;
  };
  const unknown = Object.keys(datum.loss_fn_inputs).find((name) => !INPUTS.includes(name as InputName));
  if (unknown !== undefined) fail(`loss_fn_inputs.${unknown} is not understood (there are: ${INPUTS.join(', ')})`);
  const targets = given('target_tokens')?.data ?? fail('loss_fn_inputs.target_tokens is missing');
  const shifted = (tensor: Tensor | undefined): Float32Array | undefined => {
    if (!tensor) return undefined;
    const out = new Float32Array(length + 1);
    out.set(tensor.data, 1);
    return out;
  };
  const [logprobs, advantages] = [shifted(given('logprobs')), shifted(given('advantages'))];
  if (loss.kind !== 'crossEntropy' && !advantages) fail('loss_fn_inputs.advantages is missing');
  const weights = shifted(given('weights')) ?? new Float32Array(length + 1).fill(1, 1);

  const tokens = new Int32Array(length + 1);
  tokens.set(inputs);
  for (let t = 0; t < length; t++) {
    if (weights[t + 1] === 0) continue;
    if (t === length - 1) tokens[length] = targets[t]!;
    else if (targets[t] !== inputs[t + 1])
      fail(
        `target_tokens[${t}] is ${targets[t]} and the input after it ${inputs[t + 1]}: targets are the inputs one later`,
      );
  }
  const reference = shifted(given('reference'));
  return { tokens, ...signed(weights, advantages), ...(logprobs && { logprobs }), ...(reference && { reference }) };
}

/** The engine's weights are never negative: credit of either sign is an advantage. */
function signed(
  weights: Float32Array,
  advantages: Float32Array | undefined,
): Pick<core.Datum, 'weights' | 'advantages'> {
  if (weights.every((weight) => weight >= 0)) return { weights, ...(advantages && { advantages }) };
  return {
    weights: weights.map((weight) => Math.abs(weight)),
    advantages: weights.map((weight, t) => Math.sign(weight) * (advantages?.[t] ?? 1)),
  };
}

export function tokensOf({ chunks }: ModelInput): Int32Array {
  if (chunks.length === 1) return new Int32Array(chunks[0]!.tokens);
  return Int32Array.from(chunks.flatMap(({ tokens }) => Array.from(tokens as readonly number[])));
}

export function lossResult(logprobs: readonly Float32Array[], loss: number | null): ForwardBackwardResult {
  return {
    loss_fn_output_type: 'ArrayRecord',
    loss_fn_outputs: logprobs.map((values) => ({
      logprobs: { data: values.subarray(1), dtype: 'float32', shape: [values.length - 1] },
    })),
    metrics: loss === null ? {} : { 'loss:sum': loss },
  };
}

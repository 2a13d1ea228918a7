/** Refuses training data that no graph should see, naming the datum and what to do. */
import type { Datum, Loss } from '../../../core/engine.ts';
import type { ModelConfig } from '../model/config.ts';

const PER_TOKEN = ['weights', 'logprobs', 'advantages', 'reference'] as const;

export function checkData(data: readonly Datum[], config: ModelConfig, loss?: Loss): void {
  if (data.length === 0) throw new RangeError('the batch is empty: there is nothing to compute');
  const required = new Set<string>();
  if (loss && loss.kind !== 'crossEntropy') required.add('logprobs');
  if (loss?.klCoef) required.add('reference');
  for (const [index, datum] of data.entries()) {
    const fail = (problem: string): never => {
      throw new RangeError(`datum ${index}: ${problem}`);
    };
    const { length } = datum.tokens;
    if (length > config.context) fail(`${length} tokens exceed the model's context of ${config.context}`);
    for (const [t, id] of datum.tokens.entries()) {
      if (id < 0 || id >= config.vocabulary)
        fail(`token id ${id} at ${t} is outside the vocabulary of ${config.vocabulary}`);
    }
    for (const key of PER_TOKEN) {
      const values = datum[key];
      if (!values) {
        if (required.has(key)) fail(`loss ${loss?.kind} needs ${key}`);
        continue;
      }
      if (values.length !== length) fail(`${key} has ${values.length} entries for ${length} tokens`);
      const wrong = values.findIndex((x, t) => !Number.isFinite(x) && datum.weights[t] !== 0);
      if (wrong !== -1) fail(`${key}[${wrong}] is ${values[wrong]}`);
    }
    const negative = datum.weights.findIndex((w) => w < 0);
    if (negative !== -1)
      fail(`weights[${negative}] is ${datum.weights[negative]}; credit of either sign goes into advantages`);
    if (length > 0 && datum.weights[0] !== 0) fail('weights[0] must be 0: nothing precedes the first token');
  }
}

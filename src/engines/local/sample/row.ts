/** One sample being written: what it has, how it chooses, when it stops. Its randomness depends on nothing but its seed. */
import { mixSeed, uniformStream } from '../random.ts';
import { type Choice, chooseToken } from './choose.ts';

export interface RowOptions extends Choice {
  maxTokens: number;
  /** Ids that end a sample; the id itself is kept, since the model has to learn to write it. */
  stopTokens: readonly number[];
  /** Called with the ids so far; true ends the sample. For stop strings, which ids cannot express. */
  stopWhen?: ((tokens: readonly number[]) => boolean) | undefined;
  /** Ids from here on are padding of the output layer and never chosen. */
  vocabulary?: number | undefined;
  seed: number;
}

export class Row {
  readonly tokens: number[] = [];
  readonly logprobs: number[] = [];
  stop: 'stop' | 'length' | null = null;
  /** Why it could not go on: its own trouble, not that of the rows beside it. */
  error: unknown = null;
  readonly inverseTemperature: number;
  readonly #options: RowOptions;
  readonly #uniform: () => number;

  /** `index` is the row's place among the samples of its request. */
  constructor(options: RowOptions, index: number) {
    this.#options = options;
    this.#uniform = uniformStream(mixSeed(options.seed, index));
    this.inverseTemperature = options.temperature === 0 ? 1 : 1 / options.temperature;
    if (options.maxTokens <= 0) this.stop = 'length';
  }

  take(p: Float32Array, tempered: Float32Array): void {
    try {
      this.#append(p, tempered);
    } catch (error) {
      this.error = error;
      this.stop = 'length';
    }
  }

  #append(p: Float32Array, tempered: Float32Array): void {
    const { stopTokens, stopWhen, maxTokens, vocabulary = p.length } = this.#options;
    const token = chooseToken(
      p.subarray(0, vocabulary),
      tempered.subarray(0, vocabulary),
      this.#options,
      this.#uniform(),
    );
    if (token < 0 || Number.isNaN(p[token]))
      throw new Error('the model returned no distribution: NaN, or an empty mask');
    this.tokens.push(token);
    this.logprobs.push(Math.log(p[token]!));
    if (stopTokens.includes(token) || stopWhen?.(this.tokens)) this.stop = 'stop';
    else if (this.tokens.length >= maxTokens) this.stop = 'length';
  }
}

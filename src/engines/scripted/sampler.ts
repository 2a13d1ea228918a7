/** Samples a script's decisions from a frozen table. The request's seed alone decides what is drawn. */
import type { Completion, Sample, SampleRequest, Sampler } from '../../core/engine.ts';
import { createRng, type Rng, weightedIndex } from '../../core/rng.ts';
import type { Script } from '../../core/script.ts';
import type { Message } from '../../core/types.ts';
import { everyRow, type Table } from './table.ts';

export function tableSampler(script: Script, table: Table, version: string): Sampler {
  const rows = everyRow(table);
  // One temperature is used again and again: its probabilities are worked out once.
  const tempered = new Map<number, Float64Array[]>();
  const weightsAt = (temperature: number) => {
    const known = tempered.get(temperature) ?? rows.map((lp) => weights(lp, temperature));
    tempered.set(temperature, known);
    return known;
  };
  const encode = encoder(script, table);
  return {
    version,
    async sample(request) {
      request.signal?.throwIfAborted();
      const { prompt, asked } = encode(request.messages);
      const rng = createRng(request.seed);
      const table = { rows, weights: weightsAt(request.temperature) };
      const samples = Array.from({ length: request.n }, (_, i) => draw(script, table, asked, request, rng.fork(i)));
      return { prompt, samples } satisfies Completion;
    },
  };
}

/** The conversation as ids: every earlier turn the script took part in, then the rows that are asked for now. */
export function encoder(
  script: Script,
  table: Table,
): (messages: readonly Message[]) => { prompt: Int32Array; asked: number[] } {
  const ids = new Map(table.names.map((name, id) => [name, id]));
  const rowsFor = (messages: readonly Message[]) => script.decisions(messages).map((name) => rowId(ids, name));
  return (messages) => {
    const before: number[] = [];
    messages.forEach(({ tokens }, i) => {
      if (!tokens) return;
      const rows = rowsFor(messages.slice(0, i));
      before.push(rows.length, ...rows, ...tokens);
    });
    const asked = rowsFor(messages);
    return { prompt: Int32Array.of(...before, asked.length, ...asked), asked };
  };
}

function rowId(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new RangeError(`The script asks for a decision "${name}" that its table has no row for.`);
  return id;
}

function draw(
  script: Script,
  table: { rows: Float64Array[]; weights: Float64Array[] },
  asked: number[],
  { messages, maxTokens }: SampleRequest,
  rng: Rng,
): Sample {
  const length = Math.min(asked.length, maxTokens);
  const tokens = new Int32Array(length);
  const logprobs = new Float32Array(length);
  for (let d = 0; d < length; d++) {
    const row = asked[d]!;
    const choice = weightedIndex(table.weights[row]!, rng);
    tokens[d] = choice;
    logprobs[d] = table.rows[row]![choice]!;
  }
  const cut = length < asked.length;
  return { text: cut ? '' : script.text(messages, tokens, rng), tokens, logprobs, stop: cut ? 'length' : 'stop' };
}

/** What a row's options are drawn in proportion to; at temperature 0 the first of the best has it all. */
function weights(lp: Float64Array, temperature: number): Float64Array {
  if (temperature > 0) return lp.map((x) => Math.exp(x / temperature));
  const best = lp.indexOf(Math.max(...lp));
  return lp.map((_, i) => (i === best ? 1 : 0));
}

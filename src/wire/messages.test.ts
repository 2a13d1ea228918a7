import { describe, expect, it } from 'vitest';
import { formatCheckpointPath, parseCheckpointPath } from './checkpoint-path.ts';
import { plainForwardBackward, plainLossInput, plainSample } from './json.ts';
import { WIRE_LIMITS } from './limits.ts';
import { WireError } from './proto-reader.ts';
import { check, requestSchemas } from './requests.ts';
import { readRetrieved, resultSchemas } from './results.ts';

const requests = requestSchemas({ ...WIRE_LIMITS, maxTokens: 8, maxData: 2, maxBatchTokens: 10, maxSamples: 4 });
const results = resultSchemas(WIRE_LIMITS);
const tensor = (data: unknown, dtype = 'float32') => ({ data, dtype });
const datum = (tokens: unknown, inputs: Record<string, unknown> = {}) => ({
  model_input: { chunks: [{ type: 'encoded_text', tokens }] },
  loss_fn_inputs: inputs,
});
const call = (...data: unknown[]) => ({
  model_id: 'm',
  seq_id: 1,
  forward_backward_input: { data, loss_fn: 'cross_entropy' },
});

describe('requests', () => {
  it('may carry fields that nobody knows', () => {
    const request = { ...call(datum([1, 2], { weights: tensor([1, 1]) })), type: 'forward_backward', priority: 3 };
    expect(check(requests.forward_backward, request)).toMatchObject({ model_id: 'm', seq_id: 1 });
  });

  it('are refused with the place and the reason when their shape is wrong', () => {
    const bad: [unknown, RegExp][] = [
      [null, /expected object/],
      [{ ...call(datum([1])), seq_id: 0 }, /seq_id/],
      [call(), /data/],
      [call(datum('x')), /data\.0\.model_input\.chunks\.0\.tokens: must be an array/],
      [call(datum([1, 2.5])), /whole numbers/],
      [call(datum([1, 2 ** 40])), /whole numbers/],
      [call(datum([1, null])), /finite numbers/],
      [call(datum(Array(9).fill(1))), /more than 8 entries/],
      [call(datum(Array(8).fill(1)), datum(Array(8).fill(1))), /more than 10 tokens/],
      [call(datum([1]), datum([1]), datum([1])), /data/],
      [call(datum([1], { weights: { data: [1], dtype: 'float64' } })), /dtype/],
      [call(datum([1], { weights: { data: [1], dtype: 'float32', shape: [2] } })), /do not agree/],
      [call(datum([1], { weights: { ...tensor([1]), sparse_crow_indices: [0, 1] } })), /sparse/],
    ];
    for (const [body, reason] of bad) expect(() => check(requests.forward_backward, body)).toThrow(reason);
    expect(() => check(requests.forward_backward, {})).toThrow(WireError);
  });

  it('for what is not offered are refused rather than answered without it', () => {
    const sample = {
      sampling_session_id: 's',
      seq_id: 0,
      num_samples: 1,
      prompt: { chunks: [{ tokens: [1] }] },
      sampling_params: { max_tokens: 4, top_k: -1, stop: [7] },
      topk_prompt_logprobs: 0,
    };
    expect(check(requests.asample, sample).prompt.chunks[0]?.type).toBe('encoded_text');
    expect(() => check(requests.asample, { ...sample, topk_prompt_logprobs: 5 })).toThrow(/does not offer/);
    expect(() => check(requests.asample, { ...sample, num_samples: 5 })).toThrow(/num_samples/);
  });
});

describe('results', () => {
  it('survive JSON: typed arrays as arrays, missing prompt log-probs as null and back', () => {
    const sent = {
      sequences: [{ stop_reason: 'stop' as const, tokens: Int32Array.of(1, 2), logprobs: Float32Array.of(-0.1, -0.2) }],
      prompt_logprobs: Float32Array.of(Number.NaN, -3),
    };
    const got = check(results.asample, JSON.parse(JSON.stringify(plainSample(sent))));
    expect(got.prompt_logprobs).toEqual(sent.prompt_logprobs);
    expect(Float32Array.from(got.sequences[0]!.logprobs!)).toEqual(sent.sequences[0]!.logprobs);

    const logprobs = { data: Float32Array.of(-0.3), dtype: 'float32' as const, shape: [1] };
    const output = { loss_fn_output_type: 'ArrayRecord', loss_fn_outputs: [{ logprobs }], metrics: { 'loss:sum': 1 } };
    const back = check(results.forward_backward, JSON.parse(JSON.stringify(plainForwardBackward(output))));
    expect(Float32Array.from(back.loss_fn_outputs[0]!.logprobs!.data)).toEqual(logprobs.data);

    const input = plainLossInput({
      data: [
        {
          model_input: { chunks: [{ type: 'encoded_text', tokens: Int32Array.of(4) }] },
          loss_fn_inputs: { logprobs },
        },
      ],
      loss_fn: 'ppo',
    });
    expect(JSON.parse(JSON.stringify(input)).data[0].model_input.chunks[0].tokens).toEqual([4]);
  });

  it('with NaN log-probs or unknown stop reasons are refused', () => {
    const sequence = { stop_reason: 'stop', tokens: [1], logprobs: [-1] };
    for (const wrong of [
      { ...sequence, logprobs: [null] },
      { ...sequence, logprobs: Float32Array.of(Number.NaN) },
      { ...sequence, stop_reason: 'bored' },
      { ...sequence, tokens: [0.5] },
    ]) {
      expect(() => check(results.asample, { sequences: [wrong] })).toThrow(WireError);
    }
  });

  it('of a future are told apart from waiting, metadata and failure', () => {
    expect(readRetrieved({ type: 'try_again', request_id: 'r', queue_state: 'active' }).kind).toBe('tryAgain');
    expect(readRetrieved({ status: 'complete_metadata', response_payload_size: 7 })).toEqual({
      kind: 'metadata',
      size: 7,
    });
    expect(readRetrieved({ error: 'no', category: 'User' })).toEqual({ kind: 'failed', error: 'no', category: 'user' });
    expect(readRetrieved({ error: 'no' })).toMatchObject({ category: 'unknown' });
    expect(readRetrieved({ path: 'tinker://m/weights/a' }).kind).toBe('result');
  });
});

describe('checkpoint paths', () => {
  it('are read back, and anything that could leave its folder is none', () => {
    const path = { modelId: 'run:train:0', kind: 'weights' as const, name: 'step-3' };
    expect(parseCheckpointPath(formatCheckpointPath(path))).toEqual(path);
    for (const bad of [
      'tinker://m/weights/../x',
      'tinker://m/weights/..',
      'tinker://../weights/x',
      'tinker://m/weights/a/b',
      'tinker://m/other/a',
      'file:///etc/passwd',
      'tinker://m/weights/',
      'tinker://m/weights/a\0b',
    ]) {
      expect(parseCheckpointPath(bad)).toBeNull();
    }
  });
});

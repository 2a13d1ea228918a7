/** A sample request as the body of an HTTP request. All but the count and the seed is written once, however often it is sent. */
import type { SampleRequest } from '../../core/engine.ts';
import type { ToolSpec } from '../../core/types.ts';
import type { OpenAiSettings } from './settings.ts';
import { textMessages, transcript, wireMessages } from './wire-messages.ts';

/** What of the protocol this server takes. */
export interface Dialect {
  maxTokensField: 'max_tokens' | 'max_completion_tokens';
  /** Several samples in one request. */
  several: boolean;
  seed: boolean;
  logprobs: boolean;
  tokenIds: boolean;
  tools: 'native' | 'text';
}

/** Turns a count and a seed into a body. */
export type Body = (n: number, seed: number) => string;

type Settings = Pick<OpenAiSettings, 'model' | 'mode' | 'extra'>;

export function bodyOf(settings: Settings, dialect: Dialect, request: SampleRequest): Body {
  const { maxTokens, temperature, topP, topK, stop } = request;
  const fields: Record<string, unknown> = {
    model: settings.model,
    ...(settings.mode === 'chat' ? chatFields(dialect, request) : completionFields(dialect, request)),
    [settings.mode === 'chat' ? dialect.maxTokensField : 'max_tokens']: maxTokens,
    temperature,
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(topK === undefined ? {} : { top_k: topK }),
    ...(dialect.tokenIds ? { return_token_ids: true } : {}),
    stream: false,
  };
  if (stop?.length) fields.stop = [...stop, ...((fields.stop as string[] | undefined) ?? [])];
  Object.assign(fields, settings.extra);
  for (const [name, value] of Object.entries(settings.extra)) if (value === null) delete fields[name];
  const open = JSON.stringify(fields).slice(0, -1);
  return (n, seed) => {
    const several = n > 1 ? `,"n":${n}` : '';
    // 31 bits: servers differ in what they make of the 32nd.
    const seeded = dialect.seed ? `,"seed":${seed & 0x7fffffff}` : '';
    return `${open}${several}${seeded}}`;
  };
}

function chatFields(dialect: Dialect, { messages, tools }: SampleRequest): Record<string, unknown> {
  const asText = tools.length > 0 && dialect.tools === 'text';
  return {
    messages: asText ? textMessages(messages, toolsJson(tools)) : wireMessages(messages),
    ...(tools.length > 0 && !asText ? { tools: wireTools(tools) } : {}),
    ...(dialect.logprobs ? { logprobs: true } : {}),
  };
}

function completionFields(dialect: Dialect, { messages, tools }: SampleRequest): Record<string, unknown> {
  const described = tools.length > 0 || messages.some(({ role, toolCalls }) => role === 'tool' || toolCalls?.length);
  const { prompt, stop } = transcript(described ? textMessages(messages, toolsJson(tools)) : wireMessages(messages));
  return { prompt, ...(stop.length > 0 ? { stop } : {}), ...(dialect.logprobs ? { logprobs: 1 } : {}) };
}

const wireTools = (tools: readonly ToolSpec[]) =>
  tools.map(({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters } }));

const toolsJson = (tools: readonly ToolSpec[]) =>
  tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters })).join('\n');

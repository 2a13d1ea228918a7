/**
 * What a server answered, as samples. Nothing in it is trusted: what cannot be a completion is a fault to retry, what is
 * merely missing is left out, and what is odd is counted by name.
 */
import type { Completion, Sample } from '../../core/engine.ts';
import { ServerFault } from './fault.ts';
import type { OpenAiSettings } from './settings.ts';
import { asRecord, errorWords } from './status.ts';
import { idsIn, type TokenFacts, tokenFacts } from './tokens.ts';
import { readCalls } from './tool-calls.ts';
import type { TokenCount } from './usage.ts';

export interface Answer extends Completion {
  /** Undefined where the server does not count. */
  count: TokenCount | undefined;
  oddities: string[];
}

export interface Asked {
  n: number;
  maxTokens: number;
  logprobs: OpenAiSettings['logprobs'];
}

interface Choice {
  sample: Pick<Sample, 'text' | 'toolCalls'>;
  finish: unknown;
  characters: number;
  facts: TokenFacts;
}

/** May hold fewer samples than were asked for, never more, never none. */
export function readAnswer(json: unknown, asked: Asked): Answer {
  const body = asRecord(json);
  if (!body || !Array.isArray(body.choices) || body.choices.length === 0) {
    throw bad(body && 'error' in body ? `an error in place of choices: ${errorWords(body)}` : 'no choices');
  }
  const oddities: string[] = [];
  const raw = body.choices.slice(0, asked.n).map(asRecord);
  const choices = raw.map((choice) => readChoice(choice, asked, oddities));
  const count = countOf(body.usage);
  const sizes = sizesOf(choices, count?.completion);
  const samples = choices.map(({ sample, finish, facts }, i): Sample => {
    const tokens = facts.ids ?? new Int32Array(sizes[i]!).fill(-1);
    const logprobs = asked.logprobs !== 'off' && facts.logprobs ? facts.logprobs : new Float32Array();
    return { ...sample, tokens, logprobs, stop: stopOf(finish, tokens.length, asked.maxTokens, oddities) };
  });
  const prompt = idsIn(body.prompt_token_ids) ?? idsIn(raw[0]?.prompt_token_ids) ?? new Int32Array();
  return { prompt, samples, count, oddities };
}

function readChoice(choice: Record<string, unknown> | undefined, { logprobs }: Asked, oddities: string[]): Choice {
  if (!choice) throw bad('a choice that is no object');
  const message = asRecord(choice.message);
  const said = message ? textOf(message.content) : textOf(choice.text);
  if (said === undefined) throw bad('a choice without text');
  const calls = message ? readCalls(message.tool_calls) : undefined;
  const facts = tokenFacts(choice);
  if (facts.problem !== undefined && logprobs !== 'off') {
    if (logprobs === 'on') throw bad(facts.problem);
    oddities.push(facts.problem.replace(/\d+/g, 'n'));
  }
  if (logprobs === 'on' && !facts.logprobs && said !== '') throw bad('no log-probs');
  // A call that is none is shown as it was written, for the policy to judge.
  const text = calls?.unreadable === undefined ? said : [said, calls.unreadable].filter(Boolean).join('\n');
  const sample = calls?.calls ? { text, toolCalls: calls.calls } : { text };
  return { sample, finish: choice.finish_reason, characters: said.length + (calls?.characters ?? 0), facts };
}

/** A string, null where only tools are called, or parts of which some are text. */
function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  if (!Array.isArray(content)) return undefined;
  const parts = content.map((part) => asRecord(part)?.text ?? '');
  return parts.every((part) => typeof part === 'string') ? parts.join('') : undefined;
}

const WHOLE = new Set([
  'stop',
  'tool_calls',
  'function_call',
  'eos',
  'eos_token',
  'end_turn',
  'stop_sequence',
  'tool_use',
]);
const CUT = new Set(['length', 'max_tokens', 'model_length', 'content_filter']);
const BROKEN = new Set(['abort', 'error', 'cancelled', 'insufficient_system_resource']);

/** Where the reason says nothing, the length does. */
function stopOf(finish: unknown, tokens: number, maxTokens: number, oddities: string[]): Sample['stop'] {
  if (typeof finish === 'string') {
    if (WHOLE.has(finish)) return 'stop';
    if (CUT.has(finish)) return 'length';
    if (BROKEN.has(finish)) throw bad(`finish_reason ${finish}`);
    oddities.push(`finish_reason ${finish.slice(0, 40)}`);
  }
  return tokens >= maxTokens ? 'length' : 'stop';
}

function countOf(usage: unknown): TokenCount | undefined {
  const given = asRecord(usage);
  const prompt = given?.prompt_tokens;
  const completion = given?.completion_tokens;
  if (!isCount(prompt) || !isCount(completion)) return undefined;
  const cached = asRecord(given?.prompt_tokens_details)?.cached_tokens;
  return { prompt, completion, cached: isCount(cached) ? cached : 0 };
}

/** Far beyond any answer: a size comes from the server, and memory is ours. */
const MOST_TOKENS = 10_000_000;
const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST_TOKENS;

/** Characters of a token, about, where nobody counts. */
const CHARACTERS = 4;

/**
 * Tokens of each choice. Servers count all choices of a request together, so what no choice tells of itself is shared out
 * by the length of the texts.
 */
function sizesOf(choices: readonly Choice[], total: number | undefined): number[] {
  const known = choices.reduce((sum, { facts }) => sum + (facts.count ?? 0), 0);
  const silent = choices.filter(({ facts }) => facts.count === undefined);
  const characters = silent.reduce((sum, choice) => sum + choice.characters, 0);
  let left = total === undefined ? Math.ceil(characters / CHARACTERS) : Math.max(0, total - known);
  // Thoughts that are not shown leave no text to go by: then all count the same.
  const weightOf = (choice: Choice) => (characters === 0 ? 1 : choice.characters);
  let leftWeight = characters === 0 ? silent.length : characters;
  return choices.map((choice) => {
    if (choice.facts.count !== undefined) return choice.facts.count;
    const weight = weightOf(choice);
    const share = leftWeight === 0 ? 0 : Math.round((left * weight) / leftWeight);
    left -= share;
    leftWeight -= weight;
    return share;
  });
}

const bad = (what: string) => new ServerFault('badAnswer', `the answer cannot be used: ${what}`);

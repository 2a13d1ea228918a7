/** Search over HTTP: a server of one's own, or a web search API. What it sends is bounded, checked and never trusted. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Search, SearchResult } from './search.ts';

export interface HttpSearchOptions {
  url: string;
  /** GET puts the query into the address, POST into a JSON object. */
  method?: 'GET' | 'POST';
  /** What the server calls the query, and the number of results. */
  queryField?: string;
  countField?: string;
  headers?: Readonly<Record<string, string>>;
  /** The field of the response that holds the list; a response that is a list needs none. */
  resultsField?: string;
  titleField?: string;
  snippetField?: string;
  timeoutMs?: number;
  /** Attempts after the first, where waiting may help. */
  retries?: number;
  maxBytes?: number;
}

/** The search does not work: something for a person to look at, not a fault of the model. */
export class SearchError extends Error {
  override readonly name = 'SearchError';
}

/** The server says that it is this query it does not want: then there are no results. */
const REFUSED = [400, 413, 414, 422];
const PAUSE_MS = 250;

export function httpSearch(options: HttpSearchOptions): Search {
  const { retries = 2 } = options;
  const { origin } = addressOf(options.url);
  return async (query, k) => {
    for (let attempt = 0; ; attempt++) {
      const outcome = await request(options, query, k);
      if ('results' in outcome) return outcome.results.slice(0, k);
      if (!outcome.again || attempt >= retries)
        throw new SearchError(`The search at ${origin} failed: ${outcome.problem}.`);
      await wait(PAUSE_MS * 2 ** attempt);
    }
  };
}

function addressOf(url: string): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address?.protocol !== 'http:' && address?.protocol !== 'https:')
    throw new SearchError(`${url} is no address of a search: it must begin with http:// or https://.`);
  return address;
}

type Outcome = { results: SearchResult[] } | { problem: string; again: boolean };

async function request(options: HttpSearchOptions, query: string, k: number): Promise<Outcome> {
  const { timeoutMs = 10_000, maxBytes = 1_000_000 } = options;
  try {
    // A redirect could carry a key to someone else.
    const response = await fetch(...addressed(options, query, k, AbortSignal.timeout(timeoutMs)));
    if (!response.ok) {
      await response.body?.cancel();
      if (REFUSED.includes(response.status)) return { results: [] };
      const again = response.status === 408 || response.status === 429 || response.status >= 500;
      return { problem: `it answered ${response.status}`, again };
    }
    const text = await boundedText(response, maxBytes);
    if (text === undefined) return { problem: `more than ${maxBytes} bytes came back`, again: false };
    return readResults(text, options);
  } catch (error) {
    const timedOut = error instanceof Error && error.name === 'TimeoutError';
    return { problem: timedOut ? `no answer in ${timeoutMs} ms` : reasonOf(error), again: true };
  }
}

function addressed(
  { url, method = 'GET', queryField = 'q', countField, headers = {} }: HttpSearchOptions,
  query: string,
  k: number,
  signal: AbortSignal,
): [URL, RequestInit] {
  const address = new URL(url);
  const init: RequestInit = { method, signal, redirect: 'error' };
  if (method === 'POST') {
    const body = JSON.stringify({ [queryField]: query, ...(countField === undefined ? {} : { [countField]: k }) });
    return [address, { ...init, body, headers: { 'content-type': 'application/json', ...headers } }];
  }
  address.searchParams.set(queryField, query);
  if (countField !== undefined) address.searchParams.set(countField, String(k));
  return [address, { ...init, headers: { ...headers } }];
}

async function boundedText(response: Response, maxBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for await (const chunk of response.body ?? []) {
    bytes += (chunk as Uint8Array).byteLength;
    // Leaving the loop closes the connection.
    if (bytes > maxBytes) return undefined;
    text += decoder.decode(chunk as Uint8Array, { stream: true });
  }
  return text + decoder.decode();
}

function readResults(text: string, options: HttpSearchOptions): Outcome {
  const { resultsField, titleField = 'title', snippetField = 'snippet' } = options;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { problem: 'what came back is not JSON', again: false };
  }
  const list = resultsField === undefined ? body : fieldOf(body, resultsField);
  if (!Array.isArray(list)) {
    const where = resultsField === undefined ? 'the response' : `the field ${resultsField} of the response`;
    return { problem: `${where} is no list of results`, again: false };
  }
  const results = answerBox(fieldOf(body, 'answerBox'));
  for (const item of list) {
    const [title, snippet] = [fieldOf(item, titleField), fieldOf(item, snippetField)];
    if (typeof title === 'string' && typeof snippet === 'string') results.push({ title, snippet });
  }
  return { results };
}

/** What some web searches put above their results. */
function answerBox(box: unknown): SearchResult[] {
  const [title, answer, snippet] = ['title', 'answer', 'snippet'].map((name) => fieldOf(box, name));
  if (typeof title !== 'string') return [];
  if (typeof answer === 'string') return [{ title, snippet: answer, isAnswer: true }];
  return typeof snippet === 'string' ? [{ title, snippet }] : [];
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

/** What fetch says is in its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}

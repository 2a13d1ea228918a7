/** Searching as the model sees it: whatever finds the results, five of them are shown in one form. */
import { squeeze } from './python-strings.ts';

export interface SearchResult {
  title: string;
  snippet: string;
  /** The search engine's own answer to the query, shown as such. */
  isAnswer?: boolean;
}

/** The k best results, the best first. */
export type Search = (query: string, k: number) => Promise<SearchResult[]>;

/** How many results an observation holds. */
export const RESULTS = 5;
/** About the length of a Wikipedia passage of a hundred words: the context of the protocol is 4,096 tokens. */
const MAX_CHARACTERS = 700;
/** A longer query is a model that lost its way. */
const MAX_QUERY = 2000;

/** The results of one query, as text. Without a search the model is told so, and has to answer from memory. */
export async function searchText(search: Search | undefined, query: string): Promise<string> {
  if (!search) return 'Search Error: there is no search here.';
  const results = await search(query.slice(0, MAX_QUERY), RESULTS);
  return resultsText(results) || 'No results found.';
}

/** Each result is a numbered title and one line. Texts of others are kept from posing as part of the dialogue. */
export function resultsText(results: readonly SearchResult[]): string {
  return results
    .slice(0, RESULTS)
    .map(
      ({ title, snippet, isAnswer }, i) =>
        `${i + 1}. ${plain(title)}\n- ${isAnswer ? 'Answer' : 'Snippet'}: ${plain(snippet)}`,
    )
    .join('\n');
}

const DIALOGUE_TAG = /<\/?(?:user|obs|think|tool_call|response)>/gi;

function plain(text: string): string {
  const line = squeeze(text.slice(0, 2 * MAX_CHARACTERS).replace(DIALOGUE_TAG, ' '));
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)}…` : line;
}

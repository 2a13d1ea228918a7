/** The search that a user asked for, opened when the first query comes: indexing a corpus takes a while. */
import { bm25Search } from './bm25.ts';
import { readCorpus } from './corpus.ts';
import { type HttpSearchOptions, httpSearch } from './http-search.ts';
import type { Search } from './search.ts';

export type SearchSettings = { kind: 'bm25'; corpus: string } | ({ kind: 'http' } & HttpSearchOptions);

export function openSearch(settings: SearchSettings): Search {
  if (settings.kind === 'http') return httpSearch(settings);
  let opened: Promise<Search> | undefined;
  return async (query, k) => {
    opened ??= readCorpus(settings.corpus).then(bm25Search);
    return (await opened)(query, k);
  };
}

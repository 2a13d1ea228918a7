/** The search that Bamboogle's agent may use, from the configuration: a corpus on this machine, or a server described in a file. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';
import { openSearch, type Search } from './benchmarks/bamboogle/index.ts';
import { ConfigError } from './config.ts';

export interface SearchPaths {
  corpus?: string | undefined;
  search?: string | undefined;
}

const field = z.string().min(1).exactOptional();

const httpSearch = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  method: z.enum(['GET', 'POST']).exactOptional(),
  queryField: field,
  countField: field,
  /** A value `$NAME` is read from that environment variable, so that keys stay out of files. */
  headers: z.record(z.string(), z.string()).exactOptional(),
  resultsField: field,
  titleField: field,
  snippetField: field,
  timeoutMs: z.int().min(1).exactOptional(),
  retries: z.int().min(0).max(20).exactOptional(),
  maxBytes: z.int().min(1).exactOptional(),
});

/** Nothing where neither is given; a server where both are. */
export function searchOf({ corpus, search }: SearchPaths): { search?: Search } {
  if (search !== undefined) return { search: openSearch({ kind: 'http', ...readDescription(search) }) };
  return corpus === undefined ? {} : { search: openSearch({ kind: 'bm25', corpus }) };
}

function readDescription(file: string): z.infer<typeof httpSearch> {
  const refuse = (message: string) => new ConfigError([{ place: file, path: 'benchmark.search', message }]);
  let described: unknown;
  try {
    described = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw refuse(`cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  const verdict = httpSearch.safeParse(described);
  if (!verdict.success) throw refuse(z.prettifyError(verdict.error));
  const { headers = {}, ...rest } = verdict.data;
  return { ...rest, headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, fromEnv(text)])) };

  function fromEnv(text: string): string {
    const name = /^\$(\w+)$/.exec(text)?.[1];
    if (name === undefined) return text;
    const value = process.env[name];
    if (value === undefined) throw refuse(`names the environment variable ${name}, which is not set`);
    return value;
  }
}

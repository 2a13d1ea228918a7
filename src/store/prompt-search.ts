/** Finding tasks by what they ask. */
import type { Value } from './connection.ts';

/**
 * Tasks whose prompt has the text, in either case, or whose id begins with it. Taking every prompt apart would be three times
 * slower, so its JSON is looked through first: whatever is in a message is in there, escaped. Only what is found there is
 * taken apart, because it may be a role or a bracket.
 */
export function searchClause(search: string): { claim: string; values: Value[] } {
  const escaped = JSON.stringify(search).slice(1, -1);
  const inPrompt = "EXISTS (SELECT 1 FROM json_each(prompt) WHERE value ->> 'content' LIKE ? ESCAPE '|')";
  return {
    claim: `((prompt LIKE ? ESCAPE '|' AND ${inPrompt}) OR tasks.id LIKE ? ESCAPE '|')`,
    values: [`%${literally(escaped)}%`, `%${literally(search)}%`, `${literally(search)}%`],
  };
}

export const literally = (text: string): string => text.replace(/[|%_]/g, '|$&');

/** What a server can do, as a table for people. */
import { CAPABILITIES, type Capabilities, type CapabilityName } from './probe.ts';

const TITLES: Record<CapabilityName, string> = {
  models: 'lists its models',
  chat: 'chat',
  completions: 'completions',
  tools: 'tool calls',
  several: 'several samples at once',
  logprobs: 'log-probs',
  tokenIds: 'token ids',
  seed: 'seeds',
  usage: 'counts tokens',
};

/** What happens instead, where it is not the server's own affair. */
const INSTEAD: Partial<Record<CapabilityName, string>> = {
  tools: 'tools are written into the prompt',
  several: 'one request per sample',
  tokenIds: 'tokens are counted, not named',
  usage: 'tokens are estimated',
};

export function describeCapabilities({ url, model, mode, found, dialect }: Capabilities): string {
  const width = Math.max(...Object.values(TITLES).map(({ length }) => length));
  const rows = CAPABILITIES.map((name) => {
    const { able, note } = found[name];
    const instead = able ? '' : (INSTEAD[name] ?? '');
    const said = note.replace(`The server ${url}: `, '');
    return `  ${TITLES[name].padEnd(width)}  ${able ? 'yes' : 'no '}  ${[instead, said].filter(Boolean).join('; ')}`.trimEnd();
  });
  const renamed =
    dialect.maxTokensField === 'max_tokens' ? '' : `\n  The limit on tokens is called ${dialect.maxTokensField} here.`;
  return `${url}  ${model}  ${mode}\n${rows.join('\n')}${renamed}`;
}

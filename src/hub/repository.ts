/** Which model is meant, and the hub it is on. */

/** The hub refused, or sent something that cannot be used: a person must look. */
export class HubError extends Error {
  override readonly name = 'HubError';
}

export interface Hub {
  /** Where the hub answers, without a slash at the end. */
  endpoint: string;
  /** Sent to the hub itself and to nobody else; never printed. */
  token?: string;
}

/** As the hub's other clients do it: HF_ENDPOINT for mirrors, HF_TOKEN for models behind a licence. */
export function hubOf({ HF_ENDPOINT, HF_TOKEN }: Record<string, string | undefined>): Hub {
  const endpoint = (HF_ENDPOINT || 'https://huggingface.co').replace(/\/+$/, '');
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) {
    throw new HubError('HF_ENDPOINT is not the address of a hub, such as https://huggingface.co');
  }
  const token = HF_TOKEN?.trim();
  if (!token) return { endpoint };
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new HubError('HF_TOKEN is set, but is no token: it has spaces or other signs');
  return { endpoint, token };
}

/** `owner/name`, or the address of its page. */
export function repositoryName(text: string, { endpoint }: Hub): string {
  const name = text.startsWith(`${endpoint}/`) ? text.slice(endpoint.length + 1).replace(/\/+$/, '') : text;
  const part = '[A-Za-z0-9][A-Za-z0-9._-]{0,95}';
  if (!new RegExp(`^${part}/${part}$`).test(name) || name.includes('..')) {
    throw new HubError(
      `${JSON.stringify(text)} is not the name of a model. Write owner/name, as in Qwen/Qwen2.5-0.5B-Instruct.`,
    );
  }
  return name;
}

/** A branch, a tag or a commit. */
export function revisionName(text: string): string {
  if (/^[A-Za-z0-9][\w./-]{0,199}$/.test(text) && !text.includes('..')) return text;
  throw new HubError(`${JSON.stringify(text)} is no branch, tag or commit.`);
}

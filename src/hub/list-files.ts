/** What a repository holds at a revision, as the hub lists it. The list is not trusted: every field is checked. */
import { type Dispatcher, fetch } from 'undici';
import type { KnownFile } from '../data/known-file.ts';
import { reasonOf } from '../data/refused.ts';
import { type Hub, HubError } from './repository.ts';

export interface Snapshot {
  repository: string;
  /** What was asked for. */
  revision: string;
  /** What that is at this moment: the files of a commit never change. */
  commit: string;
  files: KnownFile[];
}

export interface ListOptions {
  dispatcher: Dispatcher;
  signal: AbortSignal;
}

/** Repositories of thousands of files have lists of a few megabytes. */
const LONGEST_LIST = 64 << 20;
const MOST_FILES = 50_000;

export async function listFiles(
  hub: Hub,
  repository: string,
  revision: string,
  options: ListOptions,
): Promise<Snapshot> {
  const api = `${hub.endpoint}/api/models/${repository}/revision/${encodeURIComponent(revision)}?blobs=true`;
  const answer = await ask(api, options);
  const about = { repository, revision, hub };
  if (answer.status !== 200) throw refusal(answer, about);
  const { sha, siblings } = (parsed(answer.text) ?? {}) as { sha?: unknown; siblings?: unknown };
  if (typeof sha !== 'string' || !/^[0-9a-f]{40,64}$/.test(sha) || !Array.isArray(siblings)) {
    throw new HubError(`${hub.endpoint} answers, but not as a model hub does. Look at HF_ENDPOINT and at your proxy.`);
  }
  if (siblings.length > MOST_FILES)
    throw new HubError(`${repository} lists ${siblings.length} files; at most ${MOST_FILES} are read`);
  const base = `${hub.endpoint}/${repository}/resolve/${sha}/`;
  return { repository, revision, commit: sha, files: siblings.map((entry) => fileOf(entry, base, repository)) };
}

function fileOf(entry: unknown, base: string, repository: string): KnownFile {
  const { rfilename: path, size, blobId, lfs } = (entry ?? {}) as Record<string, unknown>;
  if (typeof path !== 'string' || !isSafe(path)) {
    throw new HubError(`${repository} lists a file that cannot be written: ${JSON.stringify(path)?.slice(0, 200)}`);
  }
  const large = lfs as { sha256?: unknown; oid?: unknown; size?: unknown } | null | undefined;
  const bytes = large?.size ?? size;
  const url = base + path.split('/').map(encodeURIComponent).join('/');
  const known = { path, url, bytes: bytes as number };
  const sha256 = large?.sha256 ?? large?.oid;
  if (Number.isSafeInteger(bytes) && (bytes as number) >= 0) {
    if (typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256)) return { ...known, sha256 };
    if (!large && typeof blobId === 'string' && /^[0-9a-f]{40}$/.test(blobId)) return { ...known, gitBlob: blobId };
  }
  throw new HubError(
    `${repository} lists ${JSON.stringify(path)} without a size or a checksum: it could not be checked`,
  );
}

/** Names of files below the folder, and nothing that leads out of it or means something to a file system. */
function isSafe(path: string): boolean {
  const parts = path.split('/');
  return (
    path.length <= 400 &&
    !/[\\:*?"<>|\p{C}]/u.test(path) &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..' && !part.endsWith('.part'))
  );
}

interface Answer {
  status: number;
  /** The hub's own word for what is wrong. */
  code: string | null;
  text: string;
}

async function ask(url: string, { dispatcher, signal }: ListOptions): Promise<Answer> {
  try {
    const response = await fetch(url, { dispatcher, signal, headers: { accept: 'application/json' } });
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      if (text.length > LONGEST_LIST) throw new HubError(`${url} sent more than a list of files can be`);
    }
    return { status: response.status, code: response.headers.get('x-error-code'), text };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof HubError) throw error;
    throw new HubError(
      `${url} cannot be reached: ${reasonOf(error)}. Look at the network, HF_ENDPOINT and your proxy's settings.`,
    );
  }
}

function refusal(
  { status, code }: Answer,
  { repository, revision, hub }: { repository: string; revision: string; hub: Hub },
): HubError {
  const page = `${hub.endpoint}/${repository}`;
  if (code === 'GatedRepo') {
    const how = hub.token ? 'with the account of your HF_TOKEN' : 'and set HF_TOKEN to a token of your account';
    return new HubError(`${repository} is behind a licence. Accept it at ${page} ${how}.`);
  }
  if (code === 'RevisionNotFound')
    return new HubError(`${repository} has no revision ${revision}. See ${page}/tree/main`);
  if (status === 401 || status === 403 || status === 404) {
    const hint = hub.token ? 'or is not for the account of your HF_TOKEN' : 'or needs a token (set HF_TOKEN)';
    return new HubError(`There is no model ${repository} at ${hub.endpoint} (status ${status}), ${hint}.`);
  }
  return new HubError(`${hub.endpoint} answered with status ${status}. Try again later.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON over HTTP to servers we do not trust: a limit on time and size, and errors that say what was asked of whom. */

export class HttpError extends Error {
  override readonly name = 'HttpError';
  /** 0 where no answer came. */
  readonly status: number;
  /** What the server said, where it was JSON. */
  readonly body: Record<string, unknown>;

  constructor(status: number, message: string, body: Record<string, unknown> = {}) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 4 * 1024 * 1024;

export interface JsonRequest {
  method: 'GET' | 'POST';
  url: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** The answer as an object; empty where there is none. @throws HttpError */
export async function fetchJson({ method, url, headers = {}, body }: JsonRequest): Promise<Record<string, unknown>> {
  const { origin, pathname } = new URL(url);
  let status = 0;
  let text = '';
  try {
    const response = await fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A redirect could carry the headers to somebody else.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    status = response.status;
    text = await limited(response);
  } catch (error) {
    throw new HttpError(0, `${origin} did not answer (${reason(error)})`);
  }
  const answer = parse(text);
  if (status >= 200 && status < 300) return answer;
  const said = answer.message ?? answer.error_code ?? '';
  throw new HttpError(status, `${origin}${pathname} answered ${status} ${String(said).slice(0, 200)}`.trim(), answer);
}

async function limited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('its answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** fetch hides what went wrong one level down. */
function reason(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return String(cause);
  return ('code' in cause && String(cause.code)) || cause.message || cause.name;
}

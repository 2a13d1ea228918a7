/** Spans as OpenTelemetry's OTLP wants them in JSON, sent over HTTP in batches beside the run. */
import { randomBytes } from 'node:crypto';
import { fetchJson } from './http.ts';

export type Attributes = Record<string, string | number | boolean>;

export interface Span {
  readonly id: string;
  end(attributes?: Attributes, error?: string): void;
}

export interface SpanExporter {
  /** Begins a span now. */
  begin(name: string, attributes: Attributes, parent?: Span): Span;
  /** Sends what has ended; gives up after one failure. */
  close(): Promise<void>;
}

export interface SpanOptions {
  /** The whole address, `…/v1/traces`. */
  url: string;
  headers: Record<string, string>;
  service: string;
  version: string;
  /** 32 hex digits: one trace a run, over all processes that play it. */
  traceId: string;
  tell: (problem: string) => void;
}

const BATCH = 512;
/** A collector that is down must not fill the memory: beyond this the oldest spans are lost. */
const MOST = 8192;
const EVERY_MS = 2000;
const LONGEST_WAIT_MS = 60_000;

/** OTLP's numbers for "internal" and "error". */
const INTERNAL = 1;
const FAILED = 2;

export function spanExporter({ url, headers, service, version, traceId, tell }: SpanOptions): SpanExporter {
  const ended: object[] = [];
  // One clock for begin and end, so that no span ends before it began when the machine's time is set.
  const epochMs = Date.now() - performance.now();
  const nanos = () => String(BigInt(Math.round((epochMs + performance.now()) * 1000)) * 1000n);
  let waitMs = EVERY_MS;
  let told = false;
  let sending: Promise<boolean> | undefined;

  const sendBatch = async (): Promise<boolean> => {
    const spans = ended.splice(0, BATCH);
    const resource = { attributes: asAttributes({ 'service.name': service, 'service.version': version }) };
    const body = { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'genenv', version }, spans }] }] };
    try {
      await fetchJson({ method: 'POST', url, headers, body });
      waitMs = EVERY_MS;
      return true;
    } catch (error) {
      ended.unshift(...spans);
      waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
      if (!told) tell(`otel: ${(error as Error).message}. The run goes on; spans are kept for a while.`);
      told = true;
      return false;
    }
  };

  const sendAll = async (): Promise<boolean> => {
    while (ended.length > 0) if (!(await sendBatch())) return false;
    return true;
  };
  const flush = () => {
    sending ??= sendAll().finally(() => {
      sending = undefined;
    });
    return sending;
  };
  let timer: NodeJS.Timeout | undefined;
  const schedule = () => {
    timer = setTimeout(async () => {
      await flush();
      schedule();
    }, waitMs).unref();
  };
  schedule();

  return {
    begin(name, attributes, parent) {
      const id = randomBytes(8).toString('hex');
      const startTimeUnixNano = nanos();
      return {
        id,
        end(more = {}, error) {
          ended.push({
            traceId,
            spanId: id,
            ...(parent ? { parentSpanId: parent.id } : {}),
            name,
            kind: INTERNAL,
            startTimeUnixNano,
            endTimeUnixNano: nanos(),
            attributes: asAttributes({ ...attributes, ...more }),
            status: error === undefined ? {} : { code: FAILED, message: error.slice(0, 500) },
          });
          if (ended.length > MOST) ended.splice(0, ended.length - MOST);
        },
      };
    },
    async close() {
      clearTimeout(timer);
      await sending;
      await flush();
    },
  };
}

const asAttributes = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: asValue(value) }));

function asValue(value: Attributes[string]): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** Where to, as OpenTelemetry's own variables say it. */
export function otlpTarget(
  endpoint: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): { url: string; headers: Record<string, string> } {
  const base = endpoint ?? env.OTEL_EXPORTER_OTLP_ENDPOINT ?? 'http://localhost:4318';
  const exact = endpoint === undefined ? env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT : undefined;
  return {
    url: exact ?? `${base.replace(/\/+$/, '')}/v1/traces`,
    headers: readHeaders(env.OTEL_EXPORTER_OTLP_TRACES_HEADERS ?? env.OTEL_EXPORTER_OTLP_HEADERS ?? ''),
  };
}

/** `name=value,name=value`, percent-encoded. */
function readHeaders(list: string): Record<string, string> {
  const pairs = list.split(',').flatMap((pair) => {
    const equals = pair.indexOf('=');
    return equals < 1 ? [] : [[pair.slice(0, equals).trim(), decode(pair.slice(equals + 1).trim())]];
  });
  return Object.fromEntries(pairs);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

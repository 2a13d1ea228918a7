/**
 * A proxy on loopback that does to a Tinker server's traffic what networks, gateways and servers do to it in the field. It
 * is given a schedule: at which request which fault begins and how many requests it lasts.
 */
import { createServer, request as send } from 'node:http';

/** Every fault, and what it needs to know of the answer it spoils. */
export const FAULTS = [
  'down',
  'slow',
  'busy',
  'failing',
  'truncated',
  'closed',
  'html',
  'htmlAfter',
  'wrongLength',
  'nan',
  'unknownStop',
  'duplicated',
  'reordered',
  'restart',
  'expiredKey',
];

const PAGE = '<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * @param {{upstream: () => string, restart?: () => Promise<void>, schedule?: {at: number, fault: string, lasts: number}[]}} options
 * @returns {Promise<{url: string, seen(): number, met(): string[], calm(): void, close(): Promise<void>}>}
 */
export async function chaosProxy({ upstream, restart = async () => {}, schedule = [] }) {
  let plan = [...schedule].sort((a, b) => a.at - b.at);
  let seen = 0;
  const met = [];
  const held = [];
  let restarting;

  /** The fault of this request: the latest one begun that still lasts. */
  const faultNow = () => {
    const now = seen++;
    let fault;
    for (const event of plan) if (now >= event.at && now < event.at + event.lasts) fault = event.fault;
    return fault;
  };

  const server = createServer(async (request, response) => {
    const body = [];
    for await (const chunk of request) body.push(chunk);
    const beat = request.url.endsWith('session_heartbeat');
    const fault = beat ? undefined : faultNow();
    if (fault) met.push(fault);
    const pass = () => forward(upstream(), request, Buffer.concat(body));
    const reply = ({ status, headers, text }) => {
      response.writeHead(status, { 'content-type': headers['content-type'] ?? 'application/json' });
      response.end(text);
    };
    const say = (status, text, headers = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(text);
    };
    try {
      await restarting;
      switch (fault) {
        case 'down':
          return void request.socket.destroy();
        case 'slow':
          await wait(150);
          return reply(await pass());
        case 'busy':
          return say(429, '{"detail":"Too many requests"}', { 'retry-after': '0.01' });
        case 'failing':
          return say(503, '{"detail":"Service unavailable"}');
        case 'html':
          return say(200, PAGE, { 'content-type': 'text/html' });
        case 'htmlAfter':
          await pass();
          return say(502, PAGE, { 'content-type': 'text/html' });
        case 'closed':
          await pass();
          return void request.socket.destroy();
        case 'truncated': {
          const { status, text } = await pass();
          response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
          response.write(text.slice(0, Math.floor(text.length / 2)));
          return void setTimeout(() => request.socket.destroy(), 5);
        }
        case 'wrongLength':
        case 'nan':
        case 'unknownStop': {
          const answer = await pass();
          return reply({ ...answer, text: spoil(answer.text, fault) });
        }
        case 'duplicated': {
          const first = await pass();
          const second = await pass();
          // What a repeated request answers may be an error that the first has caused.
          return reply(second.status < 300 ? second : first);
        }
        case 'reordered': {
          const answer = await pass();
          // Until another answer has overtaken it, or for a while where none comes.
          await Promise.race([new Promise((resolve) => held.push(resolve)), wait(60)]);
          return reply(answer);
        }
        case 'restart':
          restarting ??= restart().finally(() => {
            restarting = undefined;
          });
          await restarting;
          return void request.socket.destroy();
        case 'expiredKey':
          return say(401, '{"detail":"The API key has expired"}');
        default:
          reply(await pass());
          for (const release of held.splice(0)) release();
      }
    } catch {
      request.socket.destroy();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    seen: () => seen,
    met: () => [...met],
    calm: () => {
      plan = [];
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

function forward(base, { method, url, headers }, body) {
  return new Promise((resolve, reject) => {
    const target = new URL(url, base);
    const { host: _, connection: __, ...rest } = headers;
    const out = send(target, { method, headers: { ...rest, 'content-length': body.length } }, async (answer) => {
      const chunks = [];
      try {
        for await (const chunk of answer) chunks.push(chunk);
        resolve({ status: answer.statusCode, headers: answer.headers, text: Buffer.concat(chunks).toString('utf8') });
      } catch (error) {
        reject(error);
      }
    });
    out.on('error', reject);
    out.end(body);
  });
}

/** A result with one thing wrong; other answers pass as they are. */
function spoil(text, fault) {
  let json;
  try {
    json = JSON.parse(text);
  } catch {
    return text;
  }
  const lists = [
    ...(json.sequences ?? []).map((sequence) => [sequence, 'logprobs']),
    ...(json.loss_fn_outputs ?? []).map((output) => [output.logprobs, 'data']),
  ];
  for (const [holder, key] of lists) {
    if (fault === 'wrongLength') holder[key] = [...holder[key], -1];
    if (fault === 'nan' && holder[key].length > 0) holder[key] = [...holder[key].slice(0, -1), null];
    if (fault === 'unknownStop' && 'stop_reason' in holder) holder.stop_reason = 'content_filter';
  }
  // As Python writes it.
  return JSON.stringify(json).replaceAll('null]', 'NaN]');
}

/**
 * A random schedule over a run of about `requests` requests: a few short faults, and now and then one that does not pass,
 * so that only a clean stop is right.
 * @param {{int(n: number): number, next(): number}} rng
 */
export function randomSchedule(rng, requests) {
  const passing = FAULTS.filter((fault) => fault !== 'expiredKey');
  const schedule = Array.from({ length: 2 + rng.int(6) }, () => {
    const fault = passing[rng.int(passing.length)];
    return { at: rng.int(requests), fault, lasts: fault === 'restart' ? 1 : 1 + rng.int(3) };
  });
  if (rng.next() < 0.25) {
    const fault = ['expiredKey', 'down', 'html'][rng.int(3)];
    schedule.push({ at: rng.int(requests), fault, lasts: Number.MAX_SAFE_INTEGER });
  }
  return schedule;
}

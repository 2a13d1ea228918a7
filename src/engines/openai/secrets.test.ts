/** The key reaches the server and nothing else, whatever the server does with it. */
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openAiEngine } from './engine.ts';
import { chat, choice, ENV, fastClock, friendly, KEY, type Reply, request, send, testServer } from './fixtures.ts';
import { readSecrets } from './secrets.ts';

const none = { keyEnv: 'TEST_KEY', headers: {} };

/** Everything that can be seen of a value, hidden properties and causes included. */
const seen = (value: unknown) =>
  `${inspect(value, { depth: 20, showHidden: true })} ${JSON.stringify(value)} ${value instanceof Error ? value.stack : ''}`;

/** Pieces that would help whoever finds them. */
const PIECES = [KEY, KEY.slice(0, 10), KEY.slice(-6)];
const expectClean = (text: string) => {
  for (const piece of PIECES) expect(text).not.toContain(piece);
};

const masked = `${KEY.slice(0, 8)}****${KEY.slice(-4)}`;

/** Servers that repeat what they were sent. */
const telltales: [what: string, reply: Reply][] = [
  [
    '401 with the key',
    ({ headers }, response) => send(response, 401, { error: { message: `Bad ${headers.authorization}` } }),
  ],
  [
    '401 with a masked key',
    (_, response) => send(response, 401, { error: { message: `Incorrect API key provided: ${masked}.` } }),
  ],
  ['400 with all headers', ({ headers }, response) => send(response, 400, { detail: JSON.stringify(headers) })],
  ['500 as text', ({ headers }, response) => send(response, 500, `Error: ${headers.authorization}`)],
  ['200 as HTML', ({ headers }, response) => send(response, 200, `<html>${headers.authorization}`)],
  ['301 to an address with the key', (_, response) => send(response, 301, '', { location: `https://x/?key=${KEY}` })],
  ['an error in place of choices', ({ headers }, response) => send(response, 200, { error: headers })],
];

describe('the key', () => {
  it.each(telltales)('is in no error when the server answers %s', async (_, reply) => {
    await using server = await testServer();
    const engine = await openAiEngine(server.options({ maxRetries: 1 }), { env: ENV, clock: fastClock() });
    await using _engine = engine;
    const sampler = await engine.sampler('agent');
    server.reply = reply;
    const error = await sampler.sample(request()).then(
      () => undefined,
      (reason) => reason,
    );
    expect(server.asked.at(-1)!.headers.authorization).toContain(KEY);
    expect(error).toBeInstanceOf(Error);
    expectClean(seen(error));
    expectClean(seen(engine) + seen(sampler) + seen(engine.usage()) + engine.describe());
    await expect(openAiEngine(server.options(), { env: ENV, clock: fastClock() })).rejects.toSatisfy((reason) => {
      expectClean(seen(reason));
      return true;
    });
  });

  it('is in no sample when the server echoes it as one', async () => {
    await using server = await testServer((asked, response, socket) =>
      asked.path.endsWith('/chat/completions')
        ? send(response, 200, chat([choice(`You sent ${asked.headers.authorization}`)]))
        : friendly()(asked, response, socket),
    );
    await using engine = await openAiEngine(server.options(), { env: ENV, clock: fastClock() });
    const { samples } = await (await engine.sampler('agent')).sample(request());
    expect(samples[0]!.text).toBe('You sent Bearer [hidden]');
    expectClean(engine.describe());
  });

  it('is in no error when nobody is there', async () => {
    const server = await testServer();
    await server[Symbol.asyncDispose]();
    const error = await openAiEngine(server.options(), { env: ENV, clock: fastClock() }).catch((reason) => reason);
    expectClean(seen(error));
  });

  it('may end in a line break, as keys read from files do, and is refused with one inside', () => {
    expect(readSecrets(none, { TEST_KEY: `${KEY}\n` }).headers).toContain(`Bearer ${KEY}`);
    expect(() => readSecrets(none, { TEST_KEY: `${KEY}\n${KEY}` })).toThrow(/^TEST_KEY holds a character/);
  });

  it('that is missing is not sent', () => {
    const { headers, hasKey, redact } = readSecrets(none, {});
    expect(headers).not.toContain('authorization');
    expect(hasKey).toBe(false);
    expect(redact('nothing to hide')).toBe('nothing to hide');
  });
});

describe('other secrets', () => {
  it('come from the environment and are hidden like the key', () => {
    const headers = { 'x-plain': 'blue', 'api-key': '$AZURE' };
    const secrets = readSecrets({ keyEnv: 'NONE', headers }, { AZURE: 'az-0123456789' });
    expect(secrets.headers).toEqual(expect.arrayContaining(['x-plain', 'blue', 'api-key', 'az-0123456789']));
    expect(secrets.redact('said az-0123456789, plainly')).toBe('said [hidden], plainly');
  });

  it('that are not set are told before anything is sent', () => {
    expect(() => readSecrets({ keyEnv: 'NONE', headers: { 'api-key': '$AZURE' } }, {})).toThrow(
      'The header api-key is read from $AZURE, which is not set. Set it.',
    );
  });

  it('that contain one another are hidden as wholes', () => {
    const headers = { 'x-a': '$SHORT' };
    const { redact } = readSecrets({ keyEnv: 'LONG', headers }, { LONG: 'abcdef-more', SHORT: 'abcdef' });
    expect(redact('abcdef-more abcdef')).toBe('[hidden] [hidden]');
  });
});

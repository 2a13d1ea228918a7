/** Who samples, trains and writes: engines, and the servers that some of them speak to. */
import * as z from 'zod';
import type { Config } from '../types.ts';
import { atLeastZero, count, orAuto, path, positive } from './ranges.ts';

/** Values that would put a secret into the run's folder belong into the environment. */
const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'api-key', 'x-api-key', 'cookie']);

const headers = z
  .record(z.string(), z.unknown())
  .superRefine((given, context) => {
    for (const [name, value] of Object.entries(given)) {
      const known = /^[A-Za-z0-9-]+$/.test(name) && typeof value === 'string' && /^[\x20-\x7e]*$/.test(value);
      const secret = known && SECRET_HEADERS.has(name.toLowerCase()) && !value.startsWith('$');
      if (known && !secret) continue;
      const message = secret
        ? `would keep the secret of ${name} in the run's folder; put it into an environment variable and write ${name}: $NAME_OF_IT`
        : 'must be a mapping of header names to text';
      context.addIssue({ code: 'custom', message });
    }
  })
  .transform((given) => given as Record<string, string>) // Checked above, one by one.
  .exactOptional()
  .describe('Further headers of every request; a value `$NAME` is read from that environment variable.');

function isServerAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}

/** A server that speaks OpenAI's protocol, as an engine or as the author of tasks. */
const openai = {
  url: z
    .string()
    .refine(
      isServerAddress,
      'must be an http or https address without user, key or query, such as http://localhost:8000/v1',
    )
    .describe('Address of an OpenAI-compatible server, with or without `/v1`, or of a Tinker server.'),
  model: z.string().min(1).describe("The model's name on the server."),
  keyEnv: z
    .string()
    // Not a pattern: its complaint would repeat the value, which may be a key in the wrong place.
    .refine(
      (name) => /^[A-Z_][A-Z0-9_]*$/.test(name),
      'must be the name of an environment variable in capitals, not the key itself',
    )
    .default('OPENAI_API_KEY')
    .describe('Name of the environment variable that holds the key; none is sent where it is not set.'),
  mode: z.enum(['chat', 'completions']).default('chat').describe('Which endpoint is asked.'),
  headers,
  timeoutSeconds: positive().max(86_400).default(600).describe('The longest one answer may take.'),
  maxRetries: count(0).default(6).describe('Attempts after the first, for faults that may pass.'),
  maxOutageSeconds: positive()
    .max(604_800)
    .default(300)
    .describe('How long a server may be down or busy before the run stops, to be resumed later.'),
  startConcurrency: z
    .int()
    .min(1)
    .max(16_384)
    .default(32)
    .describe('Requests in flight at first; the engine finds out how many the server takes.'),
  maxConcurrency: z.int().min(1).max(16_384).default(1024).describe('Most requests in flight.'),
  requestsPerSecond: positive().exactOptional().describe('Most requests a second; no limit when absent.'),
  inputPrice: atLeastZero().exactOptional().describe('Price of a million prompt tokens, for the account of costs.'),
  outputPrice: atLeastZero().exactOptional().describe('Price of a million written tokens, for the account of costs.'),
  logprobs: z
    .enum(['on', 'auto', 'off'])
    .default('auto')
    .describe('Log-probs of answers: `on` insists on them, `auto` takes them where they come, `off` never asks.'),
  seed: z.boolean().default(true).describe('Whether requests carry a seed, where the server takes one.'),
  tools: z
    .enum(['auto', 'native', 'text'])
    .default('auto')
    .describe('How tools are shown: `native` by the protocol, `text` in the prompt, `auto` as the server can.'),
  extra: z
    .record(z.string(), z.unknown())
    .exactOptional()
    .describe('Further fields of every request body; null takes a field out.'),
};

const record = path().exactOptional().describe('Writes every answer of the engine to this file, for `replay`.');

/** One setting of two kinds of engine has one description, wherever it is read. */
const MODEL =
  'For `local` a model folder (config.json, safetensors, tokenizer.json) for both players, which start from nothing without it; for `openai` and `tinker` its name on the server.';
const LORA_RANK =
  'Rank of the adapters to train on a frozen base; 0 trains the whole model, and `tinker` starts from 32.';
const SERVER_KEY =
  'Name of the environment variable that holds the key; none is sent where it is not set, and `tinker` looks for TINKER_API_KEY.';

/** A server that speaks the Tinker protocol. */
const tinker = {
  url: openai.url,
  keyEnv: openai.keyEnv.removeDefault().default('TINKER_API_KEY').describe(SERVER_KEY),
  model: openai.model.describe(MODEL),
  tokenizer: path().describe(
    'A folder with the tokenizer and chat template: text becomes ids here, not on the server.',
  ),
  environmentModel: openai.model
    .exactOptional()
    .describe('Another base model on the server for the simulator; `model` when absent.'),
  environmentTokenizer: path()
    .exactOptional()
    .describe('The tokenizer of `environmentModel`; `tokenizer` when absent.'),
  loraRank: count(0).default(32).describe(LORA_RANK),
  losses: z
    .enum(['auto', 'portable'])
    .default('auto')
    .describe(
      '`auto` uses a loss of the server where it is the same function; `portable` one that every server computes alike.',
    ),
  wire: z
    .enum(['json', 'protobuf'])
    .default('json')
    .describe('How training data and results travel; `protobuf` is smaller, and every server reads `json`.'),
  shorthand: z
    .boolean()
    .default(false)
    .describe(
      "Whether the models are ones this program made and taught the world's shorthand; they are not shown tools.",
    ),
  maxOutageSeconds: openai.maxOutageSeconds,
  record,
};

export const engine: z.ZodType<Config['engine']> = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('scripted'), record }),
    z.strictObject({
      kind: z.literal('local'),
      model: path().exactOptional().describe(MODEL),
      width: count().default(64).describe('Width of a new model.'),
      layers: count().default(3).describe('Layers of a new model.'),
      heads: count().default(4).describe('Attention heads of a new model.'),
      context: count().default(256).describe('Longest sequence in tokens, prompt and reply.'),
      warmSteps: z
        .union([z.literal('auto'), count(0)])
        .default('auto')
        .describe('Steps of supervised learning before a new model plays; `auto` is what the world recommends.'),
      loraRank: count(0).default(0).describe(LORA_RANK),
      threads: orAuto(count())
        .default('auto')
        .describe('Threads to sample and train with; `auto` is all of the machine.'),
      record,
    }),
    z.strictObject({
      kind: z.literal('replay'),
      recording: path().describe('The recording that `replay` answers from.'),
      record,
    }),
    z.strictObject({
      kind: z.literal('openai'),
      ...openai,
      model: openai.model.describe(MODEL),
      keyEnv: openai.keyEnv.describe(SERVER_KEY),
    }),
    z.strictObject({ kind: z.literal('tinker'), ...tinker }),
  ])
  .prefault({ kind: 'local' })
  .describe(
    'Who samples and trains: `local` (two transformers in this process, on CPU), `scripted` (a deterministic stand-in), `replay` (answers from a recording), `tinker` (adapters on a server that speaks the Tinker protocol) or `openai` (a server; samples only, so it evaluates but does not train).',
  );

export const writer: z.ZodExactOptional<z.ZodType<NonNullable<Config['writer']>>> = z
  .strictObject({ kind: z.literal('openai').default('openai').describe('What kind of author.'), ...openai })
  .exactOptional()
  .describe(
    'A server that writes the tasks in place of the simulator, for the variants whose simulator is not trained: `genenv-random`, `genenv-static` and `teacher-offline`.',
  );

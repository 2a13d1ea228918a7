/**
 * Every setting of a run with its range, its default and one sentence of meaning. The loader, the editor's JSON Schema and
 * the reference page are all read off this file. Paper symbols live in `curriculum`.
 */
import * as z from 'zod';
import { presets, robust } from './presets.ts';
import type { Config, PresetName, Variant } from './types.ts';

const share = (): z.ZodNumber => z.number().min(0).max(1);
const positive = (): z.ZodNumber => z.number().gt(0);
const atLeastZero = (): z.ZodNumber => z.number().min(0);
/** Counts stop here: beyond it, one meets a slip of the keyboard more often than a wish. */
export const maxCount = 1_000_000;
const count = (least = 1): z.ZodInt => z.int().min(least).max(maxCount);
const path = (): z.ZodString => z.string().regex(/^[^\0]+$/, 'must be a path');
const orAuto = (number: z.ZodNumber): z.ZodType<number | 'auto'> => z.union([z.literal('auto'), number]);
const orAll = (number: z.ZodInt): z.ZodType<number | 'all'> => z.union([z.literal('all'), number]);

const variants: Record<Variant | 'random' | 'static', Variant> = {
  genenv: 'genenv',
  'genenv-random': 'genenv-random',
  'genenv-static': 'genenv-static',
  'teacher-offline': 'teacher-offline',
  base: 'base',
  random: 'genenv-random',
  static: 'genenv-static',
};

const run = {
  name: z
    .string()
    .regex(
      /^(?!\.)[A-Za-z0-9._-]{1,80}$/,
      'must be 1 to 80 letters, digits, dots, dashes or underscores, and not start with a dot',
    )
    .exactOptional()
    .describe('Name of the run and of its folder; one is made up when absent.'),
  preset: z
    .enum(Object.keys(presets) as PresetName[])
    .default('robust')
    .describe(
      'Where settings not given come from: `robust` closes the holes of the paper, `quick` and `full` are shorter and longer, `paper` follows it to the letter.',
    ),
  seed: z.int().min(0).default(1).describe('Decides every random choice of the run.'),
  epochs: count().default(robust.epochs).describe('Turns of the co-evolution loop (Algorithm 1).'),
  concurrency: z
    .int()
    .min(1)
    .max(4096)
    .default(16)
    .describe('Engine requests in flight; changes the speed, never the result.'),
  variant: z
    .enum(Object.keys(variants) as (keyof typeof variants)[])
    .transform((name) => variants[name])
    .prefault('genenv')
    .describe(
      'What is compared: `genenv` in full, `genenv-random` (simulator never trained), `genenv-static` (variations written once), `teacher-offline` (a teacher writes once), `base` (no synthetic data).',
    ),
};

const baseTasks = count().exactOptional().describe('Uses at most this many base tasks; all of them when absent.');

const benchmark = z
  .discriminatedUnion('name', [
    z.strictObject({ name: z.literal('errands'), baseTasks }),
    z.strictObject({ name: z.literal('letters'), baseTasks }),
    z.strictObject({ name: z.literal('toy'), baseTasks }),
    z.strictObject({
      name: z.literal('file'),
      seeds: path().describe('JSONL file of seed tasks for `file`, one a line.'),
      validation: path()
        .exactOptional()
        .describe('JSONL file of held-out tasks for `file`; nothing is evaluated without it.'),
      test: path()
        .exactOptional()
        .describe('JSONL file of tasks for `file` that the finished agent is judged on; see `evaluation.test`.'),
      baseTasks,
    }),
    z.strictObject({
      name: z.literal('bfcl'),
      history: z
        .enum(['calls+results', 'calls', 'users', 'none'])
        .exactOptional()
        .describe('What a turn of `bfcl` is shown of the turns before it; calls and results when absent.'),
      baseTasks,
    }),
    z.strictObject({
      name: z.literal('api-bank'),
      protocol: z
        .enum(['soft', 'strict'])
        .exactOptional()
        .describe('The verdict that training on `api-bank` rewards; `soft`, the one of the paper, when absent.'),
      baseTasks,
    }),
    z.strictObject({
      name: z.literal('alfworld'),
      showAdmissible: z
        .boolean()
        .exactOptional()
        .describe('Whether steps of `alfworld` are shown with the admissible commands; not when absent.'),
      dialect: z
        .enum(['new', 'old'])
        .exactOptional()
        .describe('The wording of whole games of `alfworld`: `new` (from release 0.4 on) when absent, or `old`.'),
      baseTasks,
    }),
    z.strictObject({
      name: z.literal('travelplanner'),
      strict: z
        .boolean()
        .exactOptional()
        .describe('Whether plans of `travelplanner` are judged as written, without the clean-ups; not when absent.'),
      referenceCharacters: count()
        .exactOptional()
        .describe('Characters of reference information in prompts that train on `travelplanner`.'),
      baseTasks,
    }),
    z.strictObject({
      name: z.literal('bamboogle'),
      corpus: path()
        .exactOptional()
        .describe('JSONL file of passages that searches of `bamboogle` look in; they find nothing without one.'),
      search: path()
        .exactOptional()
        .describe('YAML file that describes an HTTP search for `bamboogle`, instead of a corpus.'),
      baseTasks,
    }),
  ])
  .prefault({ name: 'errands' })
  .describe(
    "Where base and held-out tasks come from: `errands` (requests carried out by calling tools; the default of the local engine), `letters` (a tiny world, for tests), `toy` (the world of the scripted engine), a `file`, or one of the paper's benchmarks, whose data `genenv data pull` fetches.",
  );

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

const engine = z
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

const writer = z
  .strictObject({ kind: z.literal('openai').default('openai').describe('What kind of author.'), ...openai })
  .exactOptional()
  .describe(
    'A server that writes the tasks in place of the simulator, for the variants whose simulator is not trained: `genenv-random`, `genenv-static` and `teacher-offline`.',
  );

/** Paths in a file are relative to that file; elsewhere, to the working folder. */
export const pathSettings: ReadonlySet<string> = new Set([
  'benchmark.seeds',
  'benchmark.validation',
  'benchmark.test',
  'benchmark.corpus',
  'benchmark.search',
  'engine.model',
  'engine.tokenizer',
  'engine.environmentTokenizer',
  'engine.recording',
  'engine.record',
]);

const curriculum = z
  .strictObject({
    alpha: z.number().gt(0).lt(1).default(0.5).describe('α, the success rate the simulator aims at.'),
    beta: positive()
      .default(robust.curriculum.beta)
      .describe('β, sharpness of the bell R_env = exp(−β(p̂−α)²) (Eq. 3).'),
    kMin: z
      .number()
      .gt(0)
      .max(0.5)
      .default(0.1)
      .describe('k_min, half-width of the band around α that the filter keeps.'),
    lambda: atLeastZero().default(1).describe('λ, how strongly RWR weights ∝ exp(λ·R_env) prefer rewarded tasks.'),
    variations: count().default(4).describe('n, tasks the simulator writes per seed and epoch.'),
    rollouts: count().default(8).describe('G, attempts of the agent at each task: one GRPO group.'),
    successScope: z
      .enum(['seed', 'task', 'epoch'])
      .default(robust.curriculum.successScope)
      .describe("What p̂ is counted over (Eq. 2): all variations of a seed, each task's own attempts, or the epoch."),
    shrinkage: atLeastZero()
      .default(robust.curriculum.shrinkage)
      .describe("Attempts' worth of its seed's mean that each task's p̂ borrows; scope `task` only."),
    successThreshold: orAuto(z.number().gt(0).max(1))
      .default('auto')
      .describe('Reward from which an attempt counts as a success; `auto` is 1 for structured answers, 0.8 for text.'),
    reward: z
      .enum(['bell', 'bandMass', 'rZero', 'learnability'])
      .default(robust.curriculum.reward)
      .describe('R_env: `bell` (Eq. 3), `bandMass` P(|p−α| ≤ k_min | data), `rZero` 1−2|p̂−½|, `learnability` p̂(1−p̂).'),
    filter: z
      .enum(['strict', 'soft', 'none'])
      .default(robust.curriculum.filter)
      .describe('Which tasks train the simulator: `strict` |p̂−α| ≤ k_min as written, `soft` with a floor, or all.'),
    minKept: share()
      .default(robust.curriculum.minKept)
      .describe('Least share of tasks that the `soft` filter lets through.'),
    quota: z
      .number()
      .gt(0)
      .max(1)
      .default(robust.curriculum.quota)
      .describe("Share of an epoch's tasks that one kind may take before its reward is scaled down; 1 is no quota."),
  })
  .prefault({})
  .describe("The simulator's objective: the paper's symbols.");

const generation = z
  .strictObject({
    seedsPerEpoch: orAll(count())
      .default(robust.generation.seedsPerEpoch)
      .describe('Seed tasks drawn each epoch, or `all` of them.'),
    temperature: atLeastZero().default(1).describe('Sampling temperature of the simulator.'),
    maxTokens: count().default(1024).describe('Tokens the simulator may write in one generation.'),
    explorationShare: share()
      .default(robust.generation.explorationShare)
      .describe('Share of generations written by the simulator as it was before training.'),
    evolveSeeds: z
      .boolean()
      .default(robust.generation.evolveSeeds)
      .describe('Whether accepted tasks become seeds too, so that difficulty can climb past one edit.'),
    historyEpochs: count(0).default(3).describe('Past epochs whose success statistics the simulator is shown.'),
  })
  .prefault({})
  .describe('How the simulator writes tasks.');

const rollout = z
  .strictObject({
    temperature: atLeastZero().default(1).describe('Sampling temperature of the agent while training.'),
    maxTokens: count().default(1024).describe('Tokens the agent may write in one turn.'),
    maxTurns: count().default(8).describe('Turns before a rollout is stopped.'),
    tokenBudget: count()
      .default(robust.rollout.tokenBudget)
      .describe('Tokens the agent may write in one rollout, over all turns.'),
  })
  .prefault({})
  .describe('How the agent attempts tasks.');

const optimizer = {
  passes: count().default(1).describe("Times an epoch's data is gone through."),
  maxGradNorm: positive().default(1).describe('Largest gradient norm before clipping.'),
  weightDecay: atLeastZero().default(0).describe('Weight decay of AdamW.'),
};

const agent = z
  .strictObject({
    learningRate: orAuto(positive())
      .default(robust.agent.learningRate)
      .describe("Step size of AdamW; `auto` is the engine's own choice."),
    batchSize: count().default(robust.agent.batchSize).describe('Tasks per optimizer step.'),
    advantage: z
      .enum(['grpo', 'drGrpo'])
      .default('grpo')
      .describe('Credit within a group: `grpo` (r−mean)/std, `drGrpo` without the std.'),
    clipLow: z.number().gt(0).lt(1).default(0.2).describe('The policy ratio is clipped below at 1 − clipLow.'),
    clipHigh: positive().default(0.2).describe('The policy ratio is clipped above at 1 + clipHigh.'),
    klCoef: atLeastZero().default(0.001).describe('Weight of the KL penalty to the initial agent.'),
    ...optimizer,
  })
  .prefault({})
  .describe('GRPO updates of the agent (player 1).');

const environment = z
  .strictObject({
    update: z
      .enum(['rwr', 'grpo', 'hindsight'])
      .default(robust.environment.update)
      .describe('`rwr` (the paper), `grpo` on R_env among the variations of a seed, or `hindsight` labels.'),
    learningRate: orAuto(positive())
      .default(robust.environment.learningRate)
      .describe("Step size of AdamW; `auto` is the engine's own choice."),
    batchSize: count().default(robust.environment.batchSize).describe('Generations per optimizer step.'),
    klCoef: atLeastZero()
      .default(robust.environment.klCoef)
      .describe('Weight of the KL penalty to the initial simulator.'),
    maxKl: orAuto(positive())
      .default('auto')
      .describe(
        "KL to the initial simulator, in nats per token, above which an update is backed off; `auto` is the engine's own choice.",
      ),
    klSamples: count().default(64).describe('Fresh generations that KL is measured on after each update.'),
    ...optimizer,
  })
  .prefault({})
  .describe('Updates of the simulator (player 2).');

const pools = z
  .strictObject({
    baseShare: share().default(0.2).describe("Share of an epoch's attempted tasks that are base data."),
    replayShare: share().default(0.1).describe("Share of an epoch's attempted tasks that are re-rolled from the pool."),
    maxStaleness: count(0).default(0).describe('Age in epochs up to which stored traces may be trained on again.'),
    reuseShare: share().default(0).describe('Share of such old traces in a GRPO batch.'),
  })
  .superRefine(({ baseShare, replayShare }, context) => {
    if (baseShare + replayShare < 1) return;
    context.addIssue({
      code: 'custom',
      path: ['replayShare'],
      message: `plus pools.baseShare must stay below 1, or no fresh task is attempted (got ${replayShare} + ${baseShare})`,
    });
  })
  .prefault({})
  .describe('What joins the fresh tasks of an epoch.');

const fixed = z
  .strictObject({
    variations: count().default(5).describe('`genenv-static`: variations of each base task.'),
    teacherRatio: positive().max(1000).default(1.76).describe('`teacher-offline`: tasks written, times the base set.'),
  })
  .prefault({})
  .describe('Data sets written once, before training, for the variants that compare with them.');

const evaluation = z
  .strictObject({
    every: count().default(robust.evaluation.every).describe('Epochs between evaluations.'),
    tasks: orAll(count()).default(robust.evaluation.tasks).describe('Validation tasks attempted, or `all` of them.'),
    rollouts: count().default(robust.evaluation.rollouts).describe('Attempts at each held-out task.'),
    temperature: atLeastZero().default(1).describe('Sampling temperature of the agent on held-out tasks; 0 is greedy.'),
    test: z
      .boolean()
      .default(false)
      .describe('Whether the agent is judged on all test tasks after the last epoch; `compare` does so by itself.'),
  })
  .prefault({})
  .describe('How progress is measured on held-out tasks.');

const address = (): z.ZodString =>
  z.string().regex(/^https?:\/\/[^@\s]+$/, 'must be an http or https address without a user name or password');

/** `tensorboard` is short for `{ kind: tensorboard }`. */
const sink = z.preprocess(
  (value) => (typeof value === 'string' ? { kind: value } : value),
  z.discriminatedUnion(
    'kind',
    [
      z.strictObject({ kind: z.literal('tensorboard') }),
      z.strictObject({
        kind: z.literal('mlflow'),
        url: address().exactOptional().describe('Tracking server; MLFLOW_TRACKING_URI when absent.'),
        experiment: z.string().min(1).max(200).default('genenv').describe('Experiment that the run is filed under.'),
      }),
      z.strictObject({
        kind: z.literal('otel'),
        endpoint: address()
          .exactOptional()
          .describe('OTLP over HTTP; OTEL_EXPORTER_OTLP_ENDPOINT or localhost:4318 when absent.'),
        engineCalls: z.boolean().default(true).describe('Whether each call of the engine is a span too.'),
      }),
    ],
    { error: 'must be one of tensorboard, mlflow, otel' },
  ),
);

const metrics = z
  .strictObject({
    sinks: z
      .array(sink)
      .max(16)
      .prefault([])
      .describe(
        'Where metrics go beside the store: `tensorboard` (event files in the run folder), `mlflow` (a tracking server, with `url` and `experiment`) or `otel` (spans over OTLP, with `endpoint` and `engineCalls`).',
      ),
  })
  .prefault({})
  .describe('Other tools that a run reports to.');

const sections = z.strictObject({
  ...run,
  benchmark,
  engine,
  writer,
  curriculum,
  generation,
  rollout,
  agent,
  environment,
  pools,
  fixed,
  evaluation,
  metrics,
});

/** Worlds that teach models which start from nothing. */
const schools: readonly string[] = ['errands', 'letters'];

export const schema: z.ZodType<Config> = sections.superRefine(
  ({ engine: { kind, ...rest }, benchmark: { name }, variant, writer: author }, context) => {
    if (kind === 'local' && !('model' in rest) && !schools.includes(name)) {
      const path = ['engine', 'model'];
      const message = `is needed for the benchmark ${name}: a new model would not know its language. Name a model folder, or use the benchmark ${schools.join(' or ')}`;
      context.addIssue({ code: 'custom', path, message });
    }
    if (author && variant === 'genenv') {
      const path = ['writer', 'url'];
      const message =
        'names a server in place of the simulator, but the variant genenv trains its simulator, which no such server allows. Use the variant genenv-random, genenv-static or teacher-offline, or remove writer';
      context.addIssue({ code: 'custom', path, message });
    }
  },
);

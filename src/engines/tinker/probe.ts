/**
 * Measures what a server does on a few tokens, with adapters of its own that are unloaded again. Training is observed
 * through its effect: a gradient is known by whether it makes a token likelier, which no optimizer setting can hide.
 */
import { EngineStopped } from '../../core/engine.ts';
import { openSamplingSession } from './adapter.ts';
import { readMetrics, readPromptLogprobs, readSamples } from './answers.ts';
import { Fault } from './fault.ts';
import type { Profile } from './profile.ts';
import { openScratch, type ProbeParts, type Scratch } from './scratch.ts';
import type { Server } from './server.ts';

/** Ids that every vocabulary has. Two are enough to mask, and none is the one in question twice. */
const PROMPT = [9, 10, 11, 12, 13, 14, 15];
const TOKENS = [...PROMPT, 16, 17, 18];
/** The target whose likelihood is watched: TOKENS[7]. */
const WATCHED = PROMPT.length - 1;
/** A probe that was disturbed is begun anew. */
const MOST_PROBES = 6;

export interface ProbeOptions {
  model?: string | undefined;
  rank: number;
}

/** @throws EngineStopped where the server is not there, refuses the key, or would train wrongly without a sign. */
export async function probe(parts: Omit<ProbeParts, 'base' | 'rank'>, options: ProbeOptions): Promise<Profile> {
  const { server } = parts;
  for (let tries = 1; ; tries++) {
    try {
      const models = await servedModels(server);
      const base = options.model ?? (models.length === 1 ? models[0]!.name : undefined);
      if (base === undefined) throw unnamed(server, models);
      const known = models.find(({ name }) => name === base);
      if (models.length > 0 && !known) throw unnamed(server, models, base);
      const measured = await measure({ ...parts, base, rank: options.rank });
      return { url: server.url, model: base, maxContext: known?.maxContext, ...measured };
    } catch (error) {
      // The server may have been restarted in the middle, or a request gone missing.
      const again = error instanceof Fault && error.kind !== 'refused' && tries < MOST_PROBES;
      if (!again) throw server.stopped(error);
      await server.pause(tries);
    }
  }
}

interface ServedModel {
  name: string;
  maxContext: number | undefined;
}

async function servedModels(server: Server): Promise<ServedModel[]> {
  let answer: unknown;
  try {
    answer = await server.get('get_server_capabilities');
  } catch (error) {
    if (!(error instanceof Fault) || error.kind !== 'lost') throw error;
    throw new EngineStopped(`${server.url} is no Tinker server: it has no /api/v1/get_server_capabilities.`);
  }
  const { supported_models } = (answer ?? {}) as Record<string, unknown>;
  const listed = Array.isArray(supported_models) ? supported_models : [];
  return listed.flatMap((entry) => {
    const { model_name: name, max_context_length: length } = (entry ?? {}) as Record<string, unknown>;
    return typeof name === 'string' ? [{ name, maxContext: typeof length === 'number' ? length : undefined }] : [];
  });
}

function unnamed(server: Server, models: readonly ServedModel[], wanted?: string): EngineStopped {
  const names = models.slice(0, 12).map(({ name }) => name);
  const has = names.length === 0 ? 'It does not list its models' : `It has ${names.join(', ')}`;
  const what = wanted === undefined ? 'Say which model to use' : `The model ${wanted} is not on ${server.url}`;
  return new EngineStopped(`${what}. ${has}.`);
}

type Measured = Omit<Profile, 'url' | 'model' | 'maxContext'>;

async function measure(parts: ProbeParts): Promise<Measured> {
  const open = () => openScratch(parts, TOKENS, WATCHED);
  const first = await open();
  try {
    const start = await first.score();
    await hasRoom(parts, open);
    const mask = await acceptsMask(first);
    /** A fresh adapter, trained once: whether that made the watched token likelier. */
    const trial = async (work: (scratch: Scratch) => Promise<unknown>, adam: object = {}) => {
      const scratch = await open();
      try {
        await work(scratch);
        const metrics = await scratch.step(adam);
        return { moved: (await scratch.score()) - start, metrics };
      } finally {
        await scratch.unload();
      }
    };
    const up = await trial((s) => s.train([{ advantage: 1 }], { mask }));
    if (!(up.moved > 0)) throw wrong(parts, `training for a token moved its log-prob by ${up.moved}`);
    if (Math.abs((await first.score()) - start) > 0.2 * up.moved)
      throw wrong(parts, 'training one adapter moved another');

    const reduction = await reductionOf(parts, trial, mask);
    const clips = await trial(async (s) => {
      // Far outside the clip nothing is left of the first, so that the second decides.
      await s.train([{ advantage: 1, sampled: -1 }], {
        mask,
        loss: 'ppo',
        config: { clip_low_threshold: 0.8, clip_high_threshold: 1.2 },
      });
      await s.train([{ advantage: -0.3 }], { mask });
    }).catch(refused);
    const dedupes = await trial(async (s) => {
      await s.train([{ advantage: 1 }], { mask, twice: true });
      await s.train([{ advantage: -1.5 }], { mask });
    }).catch(refused);
    // A KL term that outweighs the advantage, and credit in cross-entropy: both go down where our losses are known whole.
    const anchored = await trial((s) =>
      s.train([{ advantage: 1, reference: -5 }], { mask, config: { kl_coef: 3 } }),
    ).catch(refused);
    const credited = await trial((s) => s.train([{ advantage: -1 }], { mask, loss: 'cross_entropy' })).catch(refused);
    const still = await trial((s) => s.train([{ advantage: 1 }], { mask }), { eps: 1e6 });
    const clipped = await trial((s) => s.train([{ advantage: 1 }], { mask }), {
      eps: 1,
      learning_rate: 1,
      grad_clip_norm: 1e-7,
    });
    const eps = still.moved < 0.01 * up.moved;
    return {
      reduction,
      mask,
      losses: { ppo: clips !== undefined && clips.moved < 0 },
      extended: anchored !== undefined && credited !== undefined && anchored.moved < 0 && credited.moved < 0,
      dedupes: dedupes !== undefined && dedupes.moved < 0,
      adam: { eps, gradClip: eps && Math.abs(clipped.moved) < 1e-4 },
      gradNorm: metricsTell(up.metrics),
      ...(await sampling(parts, first, mask)),
    };
  } finally {
    await first.unload();
  }
}

type Trial = (work: (scratch: Scratch) => Promise<unknown>, adam?: object) => Promise<{ moved: number }>;

/**
 * One sequence says up once, a second says down twice over on the same token but has three tokens that count: their sum
 * goes down, a mean per sequence goes up. Then one request of three sequences against one of one: a mean over each request
 * goes down, a sum or a mean over all of a step goes up.
 */
async function reductionOf(parts: ProbeParts, trial: Trial, mask: boolean): Promise<Profile['reduction']> {
  const tokens = await trial((s) => s.train([{ advantage: 1 }, { advantage: -2, counted: 3 }], { mask }));
  const sequences = await trial(async (s) => {
    await s.train([{ advantage: 1 }, { advantage: 0 }, { advantage: 0 }], { mask });
    await s.train([{ advantage: -0.6 }], { mask });
  });
  if (tokens.moved < 0 && sequences.moved > 0) return 'sum';
  if (tokens.moved > 0) return sequences.moved < 0 ? 'requestMean' : 'stepMean';
  throw wrong(
    parts,
    'it reduces losses neither by a sum nor by a mean per sequence, and this client knows no other way',
  );
}

/** Samples of two versions of one adapter, with training in between. */
async function sampling(parts: ProbeParts, first: Scratch, mask: boolean) {
  const { server } = parts;
  const ask = (session: string, params: object = {}, more: object = {}) =>
    first.sample(session, PROMPT, { max_tokens: 4, temperature: 1, seed: 7, ...params }, more);
  const one = async (session: string, params: object = {}) => readSamples(1, 4)(await ask(session, params))[0]!;
  const old = await first.publish();
  const [before, again] = [await one(old), await one(old)];
  const seeds = same(before.tokens, again.tokens);
  const wide = await ask(old, { max_tokens: 1, seed: 0xffff_fff0 }).catch(refused);
  const greedy = await one(old, { temperature: 0 });
  const four = readSamples(4, 8)(await ask(old, { max_tokens: 8 }, { num_samples: 4 }));
  const prompt = await ask(old, { max_tokens: 1 }, { prompt_logprobs: true }).catch(refused);
  const scored = await first.scoreOf([...PROMPT, ...before.tokens], before.tokens.length);
  const differences = scored.map((logprob, t) => Math.abs(logprob - before.logprobs[t]!));

  await first.train([{ advantage: -1 }], { mask, tokens: [...PROMPT, greedy.tokens[0]!, 17, 18] });
  await first.step({ learning_rate: 0.05 });
  const trained = await first.score();
  const fresh = await first.publish();
  const older = await one(old, { temperature: 0 });
  const survived = Math.abs((await first.score()) - trained) < 1e-3;
  const newer = await one(fresh, { temperature: 0 });
  const isKept = close(older, greedy) && !close(newer, greedy);
  return {
    seeds,
    wideSeeds: wide !== undefined,
    several: !four.every(({ tokens }) => same(tokens, four[0]!.tokens)),
    promptLogprobs: prompt === undefined ? ('none' as const) : readPromptLogprobs(prompt, PROMPT.length),
    baseSampling: await samplesBase(parts, ask),
    disagreement: Math.max(...differences),
    // Where the two cannot be told apart, the careful reading.
    snapshots: !survived ? ('overwrites' as const) : isKept ? ('kept' as const) : ('latest' as const),
  };

  async function samplesBase(of: ProbeParts, sample: typeof ask): Promise<boolean> {
    try {
      readSamples(1, 4)(await sample(await openSamplingSession(of, { base_model: of.base }, {})));
      return true;
    } catch (error) {
      if (error instanceof Fault) return false;
      throw server.stopped(error);
    }
  }
}

/** Agent, environment and reference are three at a time. */
async function hasRoom(parts: ProbeParts, open: () => Promise<Scratch>): Promise<void> {
  const more: Scratch[] = [];
  try {
    while (more.length < 2) more.push(await open());
  } catch (error) {
    if (!(error instanceof Fault) || error.kind !== 'refused') throw error;
    throw wrong(parts, `it holds ${more.length + 1} adapters at a time, and three are needed (${error.message})`);
  } finally {
    for (const scratch of more) await scratch.unload();
  }
}

/** A server may refuse inputs that a loss does not need. */
async function acceptsMask(scratch: Scratch): Promise<boolean> {
  for (const mask of [true, false]) {
    try {
      await scratch.train([{ advantage: 0 }], { mask });
      return mask;
    } catch (error) {
      if (!(error instanceof Fault) || error.kind !== 'refused' || !mask) throw error;
    }
  }
  return false;
}

const wrong = ({ server }: ProbeParts, what: string) =>
  new EngineStopped(`The server ${server.url} cannot be trained on: ${what}.`);

function refused(error: unknown): undefined {
  if (error instanceof Fault && error.kind === 'refused') return undefined;
  throw error;
}

const metricsTell = (result: unknown) => ['grad_norm', 'unclipped_grad_l2'].some((key) => key in readMetrics(result));

const same = (a: Int32Array, b: Int32Array) => a.length === b.length && a.every((id, i) => id === b[i]);

const close = (a: { tokens: Int32Array; logprobs: Float32Array }, b: { tokens: Int32Array; logprobs: Float32Array }) =>
  a.tokens[0] === b.tokens[0] && Math.abs(a.logprobs[0]! - b.logprobs[0]!) < 1e-3;

/**
 * What a configuration will do, computed before a rollout is paid for: how many tasks survive the filter, how often noise
 * ranks two tasks the wrong way, how many groups teach nothing, and what an epoch costs.
 */
import type { Config } from './config.ts';
import { appraise, rwrWeights } from './core/curriculum.ts';
import { mixture } from './core/pools.ts';
import { misrankingBound, misrankingProbability, survival, zeroGradient } from './core/theory.ts';

export interface Warning {
  code: string;
  message: string;
}

export interface Diagnosis {
  /** Attempts that p̂ is counted over, in the scope of this configuration. */
  attempts: number;
  /** Expected share of batches that pass |p̂ − α| ≤ k_min, by true success rate: the paper's filter. */
  survival: { p: number; expected: number }[];
  /** The same for the filter in use, where it is another. */
  survivalInUse: { p: number; expected: number }[];
  /** Distinct weights that surviving batches can get; 1 means that β and λ have no effect. */
  distinctWeights: number;
  /** Theorem 1 for a task at α against one `gap` away. */
  misranking: { gap: number; bound: number; exact: number }[];
  /** Share of groups without a gradient, by true success rate. */
  zeroGradient: { p: number; expected: number }[];
  /** Expected cost of one epoch; token counts are upper limits. */
  perEpoch: {
    seeds: number | 'all';
    generations: number | null;
    tasks: number | null;
    rollouts: number | null;
    maxAgentTokens: number | null;
    maxEnvironmentTokens: number | null;
  };
  warnings: Warning[];
}

/** 0.138 is where the paper's agent starts (Fig. 7). */
const RATES = [0.05, 0.138, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9];
const GAPS = [0.1, 0.25, 0.5];

/** Beyond this many attempts the exact sums cost seconds and say what the limit says. */
const MAX_EXACT = 4096;

export function diagnose(config: Config): Diagnosis {
  const { curriculum } = config;
  const attempts = attemptsPerRate(config);
  const n = Math.min(attempts, MAX_EXACT);
  const strict = { ...curriculum, filter: 'strict' as const };
  const at = (f: (p: number) => number) => RATES.map((p) => ({ p, expected: round(f(p)) }));
  const diagnosis: Omit<Diagnosis, 'warnings'> = {
    attempts,
    survival: at((p) => survival(p, n, strict)),
    survivalInUse: at((p) => survival(p, n, curriculum)),
    distinctWeights: countWeights(n, curriculum),
    misranking: GAPS.map((gap) => ({
      gap,
      bound: round(misrankingBound(0, gap, attempts)),
      exact: round(
        misrankingProbability(curriculum.alpha, awayFrom(curriculum.alpha, gap), Math.min(n, 256), curriculum.alpha),
      ),
    })),
    zeroGradient: at((p) => zeroGradient(p, curriculum.rollouts)),
    perEpoch: cost(config),
  };
  return { ...diagnosis, warnings: warnings(config, diagnosis) };
}

/** n of Eq. 2 in the configured scope. */
function attemptsPerRate({ curriculum, generation, benchmark }: Config): number {
  const { successScope, variations, rollouts } = curriculum;
  if (successScope === 'task') return rollouts;
  if (successScope === 'seed') return variations * rollouts;
  const seeds = generation.seedsPerEpoch === 'all' ? (benchmark.baseTasks ?? 64) : generation.seedsPerEpoch;
  return seeds * variations * rollouts;
}

function countWeights(n: number, curriculum: Config['curriculum']): number {
  const evidence = Array.from({ length: n + 1 }, (_, k) => ({ successes: k, attempts: n }));
  const appraisals = appraise(evidence, { ...curriculum, minKept: 0 });
  const weights = rwrWeights(appraisals, curriculum.lambda).filter((_, i) => appraisals[i]!.kept);
  return new Set(weights.map((w) => w.toPrecision(9))).size;
}

function cost(config: Config): Diagnosis['perEpoch'] {
  const { curriculum, generation, rollout, pools } = config;
  const seeds = generation.seedsPerEpoch === 'all' ? (config.benchmark.baseTasks ?? null) : generation.seedsPerEpoch;
  if (seeds === null)
    return {
      seeds: 'all',
      generations: null,
      tasks: null,
      rollouts: null,
      maxAgentTokens: null,
      maxEnvironmentTokens: null,
    };
  const tasks = seeds * curriculum.variations;
  const generations =
    config.variant === 'genenv' || config.variant === 'genenv-random' ? mixture(tasks, pools).fresh : 0;
  const rollouts = tasks * curriculum.rollouts;
  return {
    seeds,
    generations,
    tasks,
    rollouts,
    maxAgentTokens: rollouts * Math.min(rollout.tokenBudget, rollout.maxTokens * rollout.maxTurns),
    maxEnvironmentTokens: generations * generation.maxTokens,
  };
}

/** Tasks in the middle should survive; below this the environment learns from almost nothing. */
const LOW_SURVIVAL = 0.5;
/** The paper's starting point: an environment that cannot learn there never leaves it. */
const LOW_START = 0.15;

function warnings(config: Config, d: Omit<Diagnosis, 'warnings'>): Warning[] {
  const { curriculum, engine, agent, environment, variant } = config;
  const { alpha, kMin } = curriculum;
  const trains = variant === 'genenv';
  const inUse = (p: number) => d.survivalInUse.find((s) => s.p === p)!.expected;
  const found: (Warning | false)[] = [
    trains &&
      inUse(0.5) < LOW_SURVIVAL &&
      alpha === 0.5 && {
        code: 'survival',
        message: `With ${d.attempts} attempts per rate only ${share(inUse(0.5))} of batches at a true rate of 0.5 survive the filter. Raise curriculum.rollouts or curriculum.variations, widen curriculum.kMin, or use filter soft.`,
      },
    trains &&
      inUse(0.138) < LOW_START && {
        code: 'coldStart',
        message: `At the paper's starting rate of 0.138 only ${share(inUse(0.138))} of batches survive the filter: the environment starts with little to learn from. Use filter soft with a minKept floor.`,
      },
    trains &&
      d.distinctWeights <= 1 &&
      environment.update === 'rwr' && {
        code: 'constantWeights',
        message: `Every surviving batch gets the same weight, so beta and lambda do nothing: at ${d.attempts} attempts only one rate passes |p̂ − ${alpha}| ≤ ${kMin}. More attempts or filter soft would let them speak.`,
      },
    trains &&
      d.misranking[1]!.exact > 0.4 && {
        code: 'misranking',
        message: `At ${d.attempts} attempts a task at the target and one 0.25 off are ranked the wrong way ${share(d.misranking[1]!.exact)} of the time (Theorem 1 bounds it by ${d.misranking[1]!.bound}). More attempts per rate make the ranking mean something.`,
      },
    curriculum.rollouts === 1 && {
      code: 'noGradient',
      message:
        'With rollouts 1 every group has a single reward, so GRPO has no gradient and the agent never learns. Use at least 2, better 8.',
    },
    curriculum.rollouts > 1 &&
      zeroGradient(alpha, curriculum.rollouts) > 0.25 && {
        code: 'zeroGradient',
        message: `Even at the target rate ${share(zeroGradient(alpha, curriculum.rollouts))} of groups are all solved or all failed and teach the agent nothing. Raise curriculum.rollouts.`,
      },
    (alpha - kMin < 0 || alpha + kMin > 1) && {
      code: 'bandOutside',
      message: `The band ${(alpha - kMin).toFixed(2)} to ${(alpha + kMin).toFixed(2)} reaches outside 0 to 1: tasks that are never or always solved count as in band.`,
    },
    [agent.learningRate, environment.learningRate].some((rate) => rate !== 'auto' && rate < leastRate(engine)) && {
      code: 'learningRate',
      message: `These learning rates are made for a large model; the players of the ${engine.kind} engine will hardly move. Set agent.learningRate and environment.learningRate to auto.`,
    },
  ];
  return found.filter((warning) => warning !== false);
}

/** Below this an engine's own small players stand still; models the user brings may want any rate. */
function leastRate(engine: Config['engine']): number {
  if (engine.kind === 'scripted') return 1e-4;
  return engine.kind === 'local' && engine.model === undefined ? 1e-5 : 0;
}
const awayFrom = (alpha: number, gap: number) => (alpha - gap >= 0 ? alpha - gap : alpha + gap);
const share = (x: number) => `${(100 * x).toFixed(1)} %`;
const round = (x: number) => Number(x.toPrecision(6));

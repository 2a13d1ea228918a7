/**
 * What one orchestrator process sustains on this machine, and what that means for clusters of several sizes.
 *
 *   npm run bench:scale                     rollouts under rising load, training, then the plan
 *   npm run bench:scale -- --levels 16,64   other loads (tasks under way at a time); --json; --quick skips training
 *
 * Every load is a run of one epoch: the real loop, Tinker client, tokenizer, scoring and store in one process, against a
 * server in another one that answers as a large model would (server.mjs). Processor time is what is measured best: wall
 * time and delays are those of a machine that may have other things to do, so its load is printed too.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { createRng } from '../../dist/core/rng.js';
import { planRun } from './capacity.mjs';
import { LAW, measure } from './load.mjs';
import { drawLength } from './replies.mjs';

const { values: options } = parseArgs({
  options: {
    levels: { type: 'string', default: '16,64,256,1024' },
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
});
const say = (...lines) => {
  if (!options.json) console.log(lines.join('\n'));
};
/** A measurement takes minutes: what is there is told at once. */
const progress = (result) => {
  if (options.json) process.stderr.write(`${JSON.stringify(result)}\n`);
};
const row = (cells, widths) => cells.map((cell, i) => String(cell).padStart(widths[i])).join('  ');

/** No training: the simulator stays as it is, and every rollout succeeds. */
async function underLoad(concurrency, profile) {
  const tasks = Math.max(64, 2 * concurrency);
  const result = await measure({ concurrency, tasks, set: ['variant=genenv-random'], profile });
  const { rollout, generate } = result.phases;
  return {
    concurrency,
    load: loadavg()[0],
    inFlight: result.server.most,
    rollouts: rollout.rollouts,
    rolloutsPerSecond: rollout.rollouts / rollout.seconds,
    tokensPerSecond: rollout.tokens / rollout.seconds,
    tokensPerRollout: rollout.tokens / rollout.rollouts,
    cpuMsPerRollout: (1000 * rollout.cpuSeconds) / rollout.rollouts,
    cpuMsPerGeneration: (1000 * generate.cpuSeconds) / generate.generations,
    coreShare: rollout.cpuSeconds / rollout.seconds,
    delayMs: rollout.delayMs,
    rssMiB: result.rssMiB,
    storeBytesPerRollout: result.storeBytes / (result.ledger.rollouts + result.ledger.validationRollouts),
    storeBytes: result.storeBytes,
    serverCpuSeconds: result.server.cpuSeconds,
    shares: result.shares,
  };
}

/** Half of all rollouts succeed, so that nearly every group teaches: what it costs to send them. */
async function training(wire) {
  const law = { ...LAW, successRate: 0.5 };
  const { phases, server, rssMiB } = await measure({ concurrency: 64, tasks: 64, law, wire });
  const { updateAgent, updateEnv } = phases;
  const cpuSeconds = updateAgent.cpuSeconds + updateEnv.cpuSeconds;
  const result = {
    wire,
    tokens: server.trained,
    cpuMicrosPerToken: (1e6 * cpuSeconds) / server.trained,
    bytesPerToken: server.bytesIn / server.trained,
    delayMs: updateAgent.delayMs,
    rssMiB,
  };
  progress(result);
  return result;
}

const levels = [];
const LOAD = [9, 9, 10, 10, 9, 11, 11, 9, 10, 9];
const heads = [
  'under way',
  'in flight',
  'rollouts/s',
  'tokens/s',
  'CPU ms each',
  'of a core',
  'delay p99',
  'longest',
  'MiB',
  'machine',
];
say(
  `One epoch a line; replies of ${LAW.medianTokens} tokens (median, log-normal with σ ${LAW.sigma}), ${1 / LAW.secondsPerToken} tokens/s a stream, 8 rollouts a task.`,
  row(heads, LOAD),
);
for (const level of options.levels.split(',').map(Number)) {
  const result = await underLoad(level);
  levels.push(result);
  progress(result);
  const { rolloutsPerSecond, tokensPerSecond, cpuMsPerRollout, coreShare, delayMs, rssMiB, load } = result;
  const cells = [
    level,
    result.inFlight,
    rolloutsPerSecond.toFixed(0),
    tokensPerSecond.toFixed(0),
    cpuMsPerRollout.toFixed(2),
    coreShare.toFixed(2),
  ];
  say(
    row(
      [...cells, `${delayMs.p99.toFixed(0)} ms`, `${delayMs.max.toFixed(0)} ms`, rssMiB.toFixed(0), load.toFixed(1)],
      LOAD,
    ),
  );
}
const profiled = await underLoad(256, 'rollout');
progress(profiled.shares);
const heaviest = levels.reduce((a, b) => (a.concurrency > b.concurrency ? a : b));
// Held-out tasks are there before the first rollout: only what grows counts.
const [lightest] = levels;
const bytesPerRollout =
  heaviest === lightest
    ? heaviest.storeBytesPerRollout
    : (heaviest.storeBytes - lightest.storeBytes) / (heaviest.rollouts - lightest.rollouts);
say(
  '',
  'Where the processor time of a rollout goes (256 under way, a sampling profiler running):',
  ...Object.entries(profiled.shares).map(
    ([part, share]) => `  ${part.padEnd(24)}${(100 * share).toFixed(0).padStart(3)} %`,
  ),
  '',
  `Store: ${bytesPerRollout.toFixed(0)} bytes a rollout, ${(bytesPerRollout / 1000).toFixed(2)} GB a million.`,
);

const trained = options.quick ? [] : [await training('json'), await training('protobuf')];
for (const { wire, tokens, cpuMicrosPerToken, bytesPerToken, delayMs, rssMiB } of trained) {
  say(
    `Training, ${wire.padEnd(8)}: ${tokens} tokens sent, ${cpuMicrosPerToken.toFixed(2)} µs of CPU and ${bytesPerToken.toFixed(0)} bytes a token, longest delay ${delayMs.max.toFixed(0)} ms, ${rssMiB.toFixed(0)} MiB`,
  );
}

/** Every sequence is sent to the reference and to the adapter that learns. */
const SENT = 2;
/** The paper's run: 544 base tasks, 4 variations each, 8 rollouts a task, 10 epochs (preset paper), prompts as here. */
const PAPER = {
  epochs: 10,
  rolloutsPerEpoch: 544 * 4 * 8,
  generationsPerEpoch: 544 * 4,
  promptTokens: 1600,
  usefulShare: 0.5,
  passes: 1,
};
/**
 * Assumptions, not measurements: a 7B model in bf16 on a card of the H100 class writes 2,500 tokens a second over all
 * streams (the order of what vLLM's users report; 50 a stream), and trains an adapter at 10,000 tokens a second: 4 × 7.6e9
 * operations a token, forward and backward through frozen weights, at a third of 989e12 a second.
 */
const CARD = { writtenPerGpu: 2500, trainedPerGpu: 10_000, streamTokensPerSecond: 50 };
const rng = createRng('plan');
const cost = {
  rollout: heaviest.cpuMsPerRollout / 1000,
  generation: heaviest.cpuMsPerGeneration / 1000,
  trainedToken: (SENT * (trained[0]?.cpuMicrosPerToken ?? 0)) / 1e6,
};
const plans = [1, 8, 64].map((gpus) => {
  const concurrency = Math.min(4096, 16 * gpus);
  const lengths = () =>
    drawLength({ ...LAW, medianTokens: heaviest.tokensPerRollout / Math.exp(LAW.sigma ** 2 / 2) }, rng);
  return planRun(PAPER, cost, { ...CARD, gpus }, { lengths, concurrency });
});
say('', "The paper's run (10 epochs of 17,408 rollouts) with these costs and the assumed cards:");
const PLAN = [5, 9, 8, 10, 13, 15, 14, 13];
say(
  row(
    ['cards', 'under way', 'hours', 'rollouts/s', 'cards writing', 'of one process', 'training takes', 'orchestrators'],
    PLAN,
  ),
);
for (const {
  gpus,
  concurrency,
  hours,
  rolloutsPerSecond,
  clusterShare,
  orchestratorShare,
  trainShare,
  orchestrators,
} of plans) {
  const percent = (share) => `${(100 * share).toFixed(0)} %`;
  say(
    row(
      [
        gpus,
        concurrency,
        hours.toFixed(2),
        rolloutsPerSecond.toFixed(0),
        percent(clusterShare),
        percent(orchestratorShare),
        percent(trainShare),
        orchestrators,
      ],
      PLAN,
    ),
  );
}
if (options.json)
  console.log(
    JSON.stringify(
      { law: LAW, levels, shares: profiled.shares, training: trained, cost, card: CARD, run: PAPER, plans },
      null,
      2,
    ),
  );

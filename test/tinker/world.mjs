/**
 * The errands world on two tiny models, played in this process and through `genenv serve`: what the tests and the soak
 * share. The program comes as an argument, so that tests run its source and the soak what was built.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chaosProxy, randomSchedule } from './chaos-proxy.mjs';

const KEY_ENV = 'GENENV_TEST_TINKER_KEY';
const CONTEXT = 192;
const THREADS = 2;
const never = new AbortController().signal;

/** A cap so low that the first step is over it: going back to a checkpoint is part of every run. */
const COMMON = [
  'benchmark=errands',
  'seedsPerEpoch=5',
  'curriculum.variations=2',
  'curriculum.rollouts=4',
  'evaluation.tasks=4',
  'evaluation.rollouts=1',
  'agent.learningRate=0.003',
  'agent.batchSize=4',
  'environment.learningRate=0.003',
  'environment.batchSize=4',
  'environment.maxKl=0.003',
  'environment.klSamples=4',
  'generation.maxTokens=64',
  'rollout.maxTokens=32',
];

/** @param lib loadConfig, createRunFolder, play, digest, serve */
export function errandsWorld(lib, folder, { epochs = 2 } = {}) {
  process.env.GENENV_CACHE ??= join(folder, 'cache');
  const models = join(folder, 'local', 'models');
  const common = [...COMMON, `epochs=${epochs}`];

  const finish = async (name, config) => {
    const notes = [];
    for await (const event of lib.play(join(folder, name), config, { stop: never, signal: never })) {
      if (event.type === 'note') notes.push(event);
    }
    return { digest: lib.digest(join(folder, name)), notes };
  };
  const start = (name, set) => {
    const { config } = lib.loadConfig({ set: [...common, ...set] });
    lib.createRunFolder(join(folder, name), config);
    return config;
  };
  const served = (url, more) => [
    'engine=tinker',
    `engine.url=${url}`,
    `engine.keyEnv=${KEY_ENV}`,
    'engine.model=agent',
    'engine.environmentModel=environment',
    `engine.tokenizer=${join(models, 'agent')}`,
    `engine.environmentTokenizer=${join(models, 'environment')}`,
    'engine.loraRank=4',
    'engine.shorthand=true',
    ...more,
  ];

  return {
    folder,
    /** In this process; also makes the models that the server serves. */
    inProcess: () =>
      finish(
        'local',
        start('local', [
          'engine=local',
          'engine.width=32',
          'engine.layers=2',
          `engine.context=${CONTEXT}`,
          'engine.warmSteps=150',
          `engine.threads=${THREADS}`,
          'engine.loraRank=4',
        ]),
      ),

    async serve() {
      const source = (player) => ({ kind: 'folder', path: join(models, player), context: CONTEXT });
      const serving = await lib.serve({
        models: { agent: source('agent'), environment: source('environment') },
        folder: join(folder, 'serve'),
        key: 'tml-key-of-the-errands-test',
        threads: THREADS,
        limits: { models: 64 },
        onError: () => {},
      });
      process.env[KEY_ENV] = serving.key;
      return serving;
    },

    /** The settings of such a run, for one that another process plays. */
    settings: (url, more = []) => [...common, ...served(url, more)],

    /** Starts a run on a server, or goes on with it where it is there. */
    play(name, url, more = []) {
      const set = served(url, more);
      if (!existsSync(join(folder, name))) return finish(name, start(name, set));
      return finish(name, lib.loadConfig({ set: [...common, ...set] }).config);
    },
  };
}

/**
 * One run through the proxy under a schedule, and where it stopped one more under a calm sky.
 * @returns what was met, why it stopped where it did, and where it ended in the end.
 */
export async function playThroughChaos(world, name, schedule) {
  let serving = await world.serve();
  const proxy = await chaosProxy({
    upstream: () => serving.url,
    schedule,
    async restart() {
      await serving[Symbol.asyncDispose]();
      serving = await world.serve();
    },
  });
  try {
    const patience = ['engine.maxOutageSeconds=3'];
    let stopped;
    let result;
    try {
      result = await world.play(name, proxy.url, patience);
    } catch (error) {
      if (error?.name !== 'EngineStopped') throw error;
      stopped = error.message;
      proxy.calm();
      result = await world.play(name, proxy.url, patience);
    }
    return { ...result, stopped, met: proxy.met(), requests: proxy.seen() };
  } finally {
    await proxy.close();
    await serving[Symbol.asyncDispose]();
  }
}

export { randomSchedule };

/** A run to measure the dashboard on: as many traces and metric points as asked for, written through the store's own journal. */
import { loadConfig } from '../dist/config.js';
import { createRunFolder } from '../dist/run.js';
import { openJournal } from '../dist/store/index.js';

const TRACES_PER_GROUP = 8;
const VARIATIONS = 4;
const GROUPS_PER_COMMIT = 500;
const STEP_KEYS = ['agent/stepReward', 'agent/kl', 'agent/loss', 'agent/gradNorm'];

/** Deterministic noise in [0, 1). */
const noise = (n) => {
  const x = Math.sin(n * 12.9898) * 43758.5453;
  return x - Math.floor(x);
};

/** Success is drawn towards one half as epochs go by, as in a real run. */
const target = (epoch, epochs) => 0.5 - 0.4 * Math.exp((-4 * epoch) / epochs);

export function makeGroup(index, epoch, epochs) {
  const id = `t-${(index * 2654435761).toString(16).padStart(12, '0')}`;
  const seedId = `base-${Math.floor(index / VARIATIONS) % 200}`;
  const task = {
    id,
    seedId,
    rootId: seedId,
    origin: 'generated',
    epoch,
    prompt: [{ role: 'user', content: `What will the weather be like in city ${index % 9973} tomorrow at noon?` }],
    tools: [],
    eval: { kind: 'toolCalls', target: [{ name: 'weather', args: { city: index % 9973 } }] },
    features: { arguments: index % 4 },
    structure: `weather(${index % 23})`,
  };
  const rate = Math.min(1, Math.max(0, target(epoch, epochs) + 0.5 * (noise(index) - 0.5)));
  const turns = [
    {
      prompt: Int32Array.of(1, 2, 3),
      tokens: Int32Array.of(4, 5, 6, 7),
      logprobs: Float32Array.of(-0.1, -1, -0.3, -2),
    },
  ];
  const traces = Array.from({ length: TRACES_PER_GROUP }, (_, i) => {
    const success = noise(index * 31 + i) < rate;
    return {
      index: i,
      policy: `agent@${epoch}`,
      messages: [{ role: 'assistant', content: `weather(${i})` }],
      turns,
      answer: [{ name: 'weather', args: { city: i } }],
      reward: success ? 1 : 0,
      success,
      valid: true,
      stop: 'answer',
    };
  });
  return { epoch, role: 'fresh', task, traces };
}

const base = (i) => ({
  ...makeGroup(i, 0, 1).task,
  id: `base-${i}`,
  seedId: null,
  rootId: `base-${i}`,
  origin: 'base',
});

/** Groups come with the generations and scores they were judged by. */
function commitEpoch(journal, { epoch, epochs, groups, points, first }) {
  for (let done = 0; done < groups; done += GROUPS_PER_COMMIT) {
    const size = Math.min(GROUPS_PER_COMMIT, groups - done);
    const batch = Array.from({ length: size }, (_, i) => makeGroup(first + done + i, epoch, epochs));
    journal.commit(
      { epoch, phase: 'rollout', done: done + size, units: groups },
      {
        groups: batch,
        generations: batch.map(({ task }, i) => ({
          id: `${epoch}.${Math.floor((done + i) / VARIATIONS)}.${(done + i) % VARIATIONS}`,
          epoch,
          seedId: task.seedId,
          author: 'environment',
          context: [],
          text: '',
          turn: { prompt: new Int32Array(0), tokens: Int32Array.of(1), logprobs: Float32Array.of(-1) },
          verdict: { kind: 'accepted' },
          task,
        })),
      },
    );
  }
  const whole = {
    'env/successRate': target(epoch, epochs),
    'env/bandShare': 0.3,
    'env/solvedShare': 0.1,
    'env/unsolvedShare': 0.2,
    'env/usefulShare': 0.7,
    'agent/reward': target(epoch, epochs),
    'agent/responseTokens': 12 + noise(epoch),
    'env/taskTokens': 20 + noise(epoch),
    'val/successRate': 0.4 + (0.3 * epoch) / epochs,
    'env/kl': (0.5 * epoch) / epochs,
    'env/diversity': 0.9,
    'env/structures': 23,
    'ledger/tasks': first + groups,
  };
  const steps = Math.max(0, Math.round((points - Object.keys(whole).length) / STEP_KEYS.length));
  const metrics = [
    ...Object.entries(whole).map(([key, value]) => ({ key, epoch, step: 0, value })),
    ...STEP_KEYS.flatMap((key, k) =>
      Array.from({ length: steps }, (_, i) => ({ key, epoch, step: i + 1, value: noise(epoch * 1e4 + i * 7 + k) })),
    ),
  ];
  const scores = Array.from({ length: groups }, (_, i) => ({
    generationId: `${epoch}.${Math.floor(i / VARIATIONS)}.${i % VARIATIONS}`,
    taskId: null,
    successRate: noise(first + i),
    envReward: noise(first + i + 1),
    kept: noise(first + i) > 0.5,
    weight: 1,
  }));
  journal.commit({ epoch, phase: 'aggregate', done: 1, units: 1 }, { metrics, scores });
}

export function makeRun(folder, { traces, points, epochs, onEpoch = () => {} }) {
  const { config } = loadConfig({ overrides: { engine: 'scripted', epochs, name: 'large' } });
  createRunFolder(folder, config);
  const journal = openJournal(folder, { now: Date.now });
  journal.commit(
    { epoch: 0, phase: 'prepare', done: 1, units: 1 },
    { tasks: Array.from({ length: 200 }, (_, i) => base(i)) },
  );
  const groups = Math.ceil(traces / TRACES_PER_GROUP / epochs);
  for (let epoch = 1; epoch <= epochs; epoch++) {
    commitEpoch(journal, { epoch, epochs, groups, points: points / epochs, first: (epoch - 1) * groups });
    onEpoch(epoch);
  }
  journal[Symbol.dispose]();
}

/**
 * How fast a run goes, and how many orchestrators a cluster needs: a simulation of rollouts that share a cluster, and the
 * arithmetic of a whole run around it. Everything measured or assumed comes in as a number; nothing here is a fact.
 *
 * The cluster writes for all streams at once: `streamTokensPerSecond` each, `tokensPerSecond` in all where those are too
 * many. The orchestrator keeps `concurrency` tasks under way, spends `cpuSeconds` on every rollout that comes back, one
 * after the other, and waits for the last of a step before it begins the next: that is how the loop commits.
 */

/**
 * @param tasks lengths in tokens of each task's rollouts: numbers[][]
 * @returns seconds, and the share of them that the cluster wrote at its full speed and the orchestrator was busy
 */
export function simulateRollouts(tasks, { concurrency, stepTasks, cpuSeconds, firstTokenSeconds, ...cluster }) {
  let at = 0;
  let busy = 0;
  let tokens = 0;
  for (let from = 0; from < tasks.length; from += stepTasks) {
    const step = simulateStep(tasks.slice(from, from + stepTasks), {
      concurrency,
      cpuSeconds,
      firstTokenSeconds,
      ...cluster,
    });
    at += step.seconds;
    busy += step.cpuSeconds;
    tokens += step.tokens;
  }
  return {
    seconds: at,
    rollouts: tasks.reduce((sum, { length }) => sum + length, 0),
    tokens,
    clusterShare: tokens / (at * cluster.tokensPerSecond),
    orchestratorShare: busy / at,
  };
}

/**
 * All streams are written at one rate, so each ends when as much has been written per stream as it is long: one clock of
 * tokens per stream orders them all, and only its speed changes when streams come and go.
 */
function simulateStep(tasks, { concurrency, cpuSeconds, firstTokenSeconds, tokensPerSecond, streamTokensPerSecond }) {
  const streams = createHeap();
  const waiting = createHeap();
  let now = 0;
  let written = 0;
  let handled = 0;
  let begun = 0;
  let tokens = 0;
  let done = 0;
  const begin = (from) => {
    if (begun >= tasks.length) return;
    const lengths = tasks[begun++];
    const task = { left: lengths.length };
    for (const length of lengths) waiting.push(from + firstTokenSeconds, { length, task });
  };
  for (let i = 0; i < concurrency; i++) begin(0);
  while (streams.size > 0 || waiting.size > 0) {
    const rate = streams.size === 0 ? 0 : Math.min(streamTokensPerSecond, tokensPerSecond / streams.size);
    const next = streams.size === 0 ? Number.POSITIVE_INFINITY : now + (streams.least() - written) / rate;
    if (waiting.size > 0 && waiting.least() <= next) {
      const from = Math.max(now, waiting.least());
      written += (from - now) * rate;
      now = from;
      const stream = waiting.pop();
      streams.push(written + stream.length, stream);
      continue;
    }
    written = streams.least();
    now = next;
    const { length, task } = streams.pop();
    tokens += length;
    // One process handles one answer at a time.
    handled = Math.max(handled, now) + cpuSeconds;
    done++;
    if (--task.left === 0) begin(handled);
  }
  return { seconds: Math.max(now, handled), cpuSeconds: done * cpuSeconds, tokens };
}

/**
 * A run of many epochs on a cluster whose cards both write and train, in turn.
 * @param run epochs, rolloutsPerEpoch, generationsPerEpoch, promptTokens, passes
 * @param cost seconds of the orchestrator's processor: rollout, generation, trainedToken
 * @param cluster gpus, writtenPerGpu, trainedPerGpu, streamTokensPerSecond, streamsPerGpu
 */
export function planRun(
  run,
  cost,
  cluster,
  { lengths, concurrency, stepTasks = 4 * concurrency, group = 8, firstTokenSeconds = 0.2 },
) {
  const speeds = {
    concurrency,
    stepTasks,
    firstTokenSeconds,
    tokensPerSecond: cluster.gpus * cluster.writtenPerGpu,
    streamTokensPerSecond: cluster.streamTokensPerSecond,
  };
  const draws = (count, each) =>
    Array.from({ length: Math.ceil(count / each) }, (_, i) =>
      Array.from({ length: each }, (_, k) => lengths(i * each + k)),
    );
  const rollout = simulateRollouts(draws(run.rolloutsPerEpoch, group), { ...speeds, cpuSeconds: cost.rollout });
  const generate = simulateRollouts(draws(run.generationsPerEpoch, 4), { ...speeds, cpuSeconds: cost.generation });
  const perRollout = rollout.tokens / rollout.rollouts + run.promptTokens;
  const trained = (run.rolloutsPerEpoch * run.usefulShare + run.generationsPerEpoch) * perRollout * run.passes;
  // Sent, computed and read one after the other: a request is answered before the next is made.
  const trainSeconds = trained / (cluster.gpus * cluster.trainedPerGpu);
  const trainCpuSeconds = trained * cost.trainedToken;
  const seconds = generate.seconds + rollout.seconds + trainSeconds + trainCpuSeconds;
  const cpuSeconds =
    rollout.orchestratorShare * rollout.seconds + trainCpuSeconds + generate.orchestratorShare * generate.seconds;
  return {
    gpus: cluster.gpus,
    concurrency,
    epochSeconds: seconds,
    hours: (run.epochs * seconds) / 3600,
    rolloutsPerSecond: rollout.rollouts / rollout.seconds,
    clusterShare: rollout.clusterShare,
    orchestratorShare: rollout.orchestratorShare,
    trainShare: (trainSeconds + trainCpuSeconds) / seconds,
    trainCpuShare: trainCpuSeconds / (trainSeconds + trainCpuSeconds),
    cpuHours: (run.epochs * cpuSeconds) / 3600,
    orchestrators: orchestratorsFor(cluster, cost, rollout.tokens / rollout.rollouts),
  };
}

/** A process is full at this share of a core: above it, answers wait longer than they took. */
export const FULL = 0.7;

/** How many processes it takes to keep a cluster writing at its full speed. */
export const orchestratorsFor = ({ gpus, writtenPerGpu }, { rollout }, tokensPerRollout) =>
  Math.max(1, Math.ceil(((gpus * writtenPerGpu) / tokensPerRollout) * (rollout / FULL)));

/** The least first; equal ones as they came. */
function createHeap() {
  const keys = [];
  const values = [];
  const before = (a, b) => keys[a] < keys[b];
  const swap = (a, b) => {
    [keys[a], keys[b]] = [keys[b], keys[a]];
    [values[a], values[b]] = [values[b], values[a]];
  };
  return {
    get size() {
      return keys.length;
    },
    least: () => keys[0],
    push(key, value) {
      keys.push(key);
      values.push(value);
      for (let i = keys.length - 1; i > 0; ) {
        const up = (i - 1) >> 1;
        if (!before(i, up)) break;
        swap(i, up);
        i = up;
      }
    },
    pop() {
      const top = values[0];
      const [key, value] = [keys.pop(), values.pop()];
      if (keys.length > 0) {
        keys[0] = key;
        values[0] = value;
        for (let i = 0; ; ) {
          const [left, right] = [2 * i + 1, 2 * i + 2];
          let least = i;
          if (left < keys.length && before(left, least)) least = left;
          if (right < keys.length && before(right, least)) least = right;
          if (least === i) break;
          swap(i, least);
          i = least;
        }
      }
      return top;
    },
  };
}

/** One measurement: a server and an orchestrator, each in a process of its own, and what they say at the end. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeTokenizer } from './tokenizer.mjs';

/**
 * How replies are drawn. Lengths: the paper's agent writes 137 to 204 tokens a reply (its Fig. 5). Times: 20 ms a token is
 * what one stream gets from a loaded server with a 7B model, 50 tokens a second.
 */
export const LAW = { medianTokens: 150, sigma: 0.5, firstTokenSeconds: 0.2, secondsPerToken: 0.02, successRate: 1 };

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

async function started(script, options) {
  const child = fork(here(script), [JSON.stringify(options)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  return child;
}

async function answerOf(child) {
  const gone = once(child, 'exit').then(([code]) => {
    throw new Error(`${child.spawnargs[1]} ended with ${code} before it answered`);
  });
  gone.catch(() => {});
  const [message] = await Promise.race([once(child, 'message'), gone]);
  return message;
}

/** Plays one epoch of `tasks` tasks, G = 8 rollouts each. */
export async function measure({ concurrency, tasks, law = LAW, set = [], profile, wire = 'json' }) {
  const folder = mkdtempSync(join(tmpdir(), 'genenv-scale-'));
  const tokenizer = join(folder, 'tokenizer');
  await writeTokenizer(tokenizer);
  const server = await started('server.mjs', {
    folder: join(folder, 'serve'),
    tokenizer,
    law,
    trainTokensPerSecond: 1e6,
  });
  try {
    const { url } = await answerOf(server);
    const run = await started('orchestrator.mjs', {
      folder: join(folder, 'run'),
      profile,
      set: [
        'benchmark=errands',
        `benchmark.baseTasks=${tasks / 4}`,
        `seedsPerEpoch=${tasks / 4}`,
        'curriculum.variations=4',
        'curriculum.rollouts=8',
        'epochs=1',
        `concurrency=${concurrency}`,
        'engine=tinker',
        `engine.url=${url}`,
        'engine.model=bench',
        `engine.tokenizer=${tokenizer}`,
        'engine.loraRank=4',
        `engine.wire=${wire}`,
        'generation.maxTokens=768',
        'rollout.maxTokens=768',
        'evaluation.tasks=1',
        'evaluation.rollouts=1',
        ...set,
      ],
    });
    const result = await answerOf(run);
    server.send('stats');
    return { concurrency, ...result, server: await answerOf(server) };
  } finally {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A teacher that knows the language perfectly and the agent not at all: errands of every difficulty, written once. */
import type { Rng } from '../../core/rng.ts';
import type { Message } from '../../core/types.ts';
import { vary } from './random.ts';
import { read } from './read.ts';
import { write } from './write.ts';

const MOST_EDITS = 4;
/** Most of its changes make a task harder: it is paid for tasks that teach. */
const HARDER = 0.8;

export function teacher(context: readonly Message[], rng: Rng): string {
  const seed = read(seedOf(context));
  if ('problem' in seed) throw new Error(`The teacher was asked to vary what is no errand: ${seed.problem}.`);
  return write(vary(seed, rng.int(MOST_EDITS + 1), HARDER, rng));
}

/** The context is `was … aim …: <seed>`. */
const seedOf = (context: readonly Message[]) => context.at(-1)!.content.replace(/^[^:]*: /, '');
